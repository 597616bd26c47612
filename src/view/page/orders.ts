/** Ordered lists before and after, side by side: ladders of positions, and ranked lists of rules. */

import { longestIncreasing } from "../../core/lists.ts";
import { thousands } from "../../core/value-text.ts";
import type { RankedTransition } from "../../plan/model/plan.ts";
import type { Rung, RungSide } from "../../preview/diagrams.ts";
import { html } from "../format/html.ts";
import type { Wording } from "../plan/wording.ts";
import { BOX, BOX_HEIGHT, curve, picture, STEP, short, TOP, text } from "./parts.ts";

/** Rungs of a ladder to draw; a longer one is not drawn. */
const MAX_RUNGS = 40;
const LADDER_GAP = 150;
/** Rows of a ranked list to draw. Of a longer list, the rows that change and their neighbours are drawn. */
const MAX_ROWS = 60;
const ROW = 30;
const GAP = 90;

/** A list in the order of its positions, with a line for each rung that is on both sides; empty if there is nothing to draw, or too much. */
export function ladderPicture(kind: string, rungs: readonly Rung[], [now, planned]: Wording["sides"]): string {
  if (rungs.length === 0 || rungs.length > MAX_RUNGS) return "";
  const after = BOX + LADDER_GAP;
  const y = (position: number): number => TOP + (position - 1) * STEP;
  const staying = rungs.filter((rung) => rung.before !== null && rung.after !== null);
  const lines = staying.map(({ before, after: planned, isMoved }) => {
    const [from, to] = [before, planned].map((side) => y(side?.position ?? 1) + BOX_HEIGHT / 2) as [number, number];
    return `<path class="${isMoved ? "moved" : ""}" d="${curve(BOX, from, after, to, LADDER_GAP / 2)}"/>`;
  });
  const rails = (x: number, count: number): string =>
    count < 2
      ? ""
      : [20, BOX - 20]
          .map((side) => `<path class="rail" d="M ${x + side} ${TOP} V ${y(count) + BOX_HEIGHT}"/>`)
          .join("");
  const box = ({ address, isMoved }: Rung, x: number, side: RungSide | null, lone: string, other: RungSide | null) => {
    if (side === null) return [];
    const top = y(side.position);
    const state = other === null ? lone : isMoved ? "moved" : "";
    return [
      `<g><title>${html(address)}</title><rect class="rung ${state}" x="${x}" y="${top}" width="${BOX}" height="${BOX_HEIGHT}" rx="6"/>${swatch(side, x, top)}${text(state, x + 34, top + 19, `${side.position}  ${short(side.name)}`)}</g>`,
    ];
  };
  const counts = [
    rungs.filter(({ before }) => before !== null).length,
    rungs.filter((rung) => rung.after !== null).length,
  ];
  const [countBefore = 0, countAfter = 0] = counts;
  return picture(
    after + BOX + 2,
    y(Math.max(...counts)) + 34,
    `${kind} in order, ${now.toLowerCase()} and ${planned.toLowerCase()}`,
    [
      text("head", 2, 18, now.toLowerCase()),
      text("head", after, 18, planned.toLowerCase()),
      rails(0, countBefore),
      rails(after, countAfter),
      ...lines,
      ...rungs.flatMap((rung) => [
        ...box(rung, 1, rung.before, "removed", rung.after),
        ...box(rung, after, rung.after, "added", rung.before),
      ]),
    ],
  );
}

/** The color of a rung; none if it is not one in hexadecimal digits. */
function swatch({ color = "" }: RungSide, x: number, y: number): string {
  return /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(color)
    ? `<rect class="swatch" fill="${color}" x="${x + 10}" y="${y + 7}" width="14" height="14" rx="4"/>`
    : "";
}

/** A ranked list before and after, with a line for each rule that is in both; empty if the order is unknown. */
export function orderPicture({ address, order = [] }: RankedTransition, [now, planned]: Wording["sides"]): string {
  const rows = nearChanges(order);
  if (rows.length === 0) return "";
  const rowsBefore = rows.filter(({ before }) => before !== null).sort((a, b) => (a.before ?? 0) - (b.before ?? 0));
  const right = rows.filter(({ after }) => after !== null).sort((a, b) => (a.after ?? 0) - (b.after ?? 0));
  const y = (row: number): number => 44 + row * ROW;
  const second = BOX + 2 * GAP;
  const moved = movedIn(order);
  const words = (row: (typeof rows)[number]): string =>
    row.after === null ? "removed" : row.before === null ? "added" : moved.has(row) ? "moved" : "";
  const lines = rowsBefore.flatMap((row, at) => {
    const to = right.indexOf(row);
    if (to < 0) return [];
    const d = `M ${BOX} ${y(at) - 4} C ${BOX + GAP} ${y(at) - 4}, ${second - GAP} ${y(to) - 4}, ${second - 8} ${y(to) - 4}`;
    return [`<path class="${moved.has(row) ? "moved" : ""}" d="${d}"/>`];
  });
  const sign = { removed: "− ", added: "+ ", moved: "> ", "": "  " } as const;
  const label = (row: (typeof rows)[number], number: number | null): string =>
    `${sign[words(row) as keyof typeof sign]}${number}  ${row.name.startsWith(`${address}/`) ? "" : short(row.name)}`;
  return picture(second + BOX, y(Math.max(rowsBefore.length, right.length)), `Order of ${address}`, [
    text("head", 2, 18, now.toLowerCase()),
    text("head", second, 18, planned.toLowerCase()),
    ...lines,
    ...rowsBefore.map((row, at) => text(words(row), 2, y(at), label(row, row.before))),
    ...right.map((row, at) => text(words(row), second, y(at), label(row, row.after))),
    ...(rows.length < order.length
      ? [text("head", GAP + 30, 18, `${thousands(order.length - rows.length)} not shown`)]
      : []),
  ]);
}

type OrderRow = NonNullable<RankedTransition["order"]>[number];

/** The rows to draw: all, or those that change and their neighbours. */
function nearChanges(order: readonly OrderRow[]): readonly OrderRow[] {
  if (order.length <= MAX_ROWS) return order;
  const differs = ({ before, after }: OrderRow): boolean => before !== after;
  const shownRows = order.filter((row, at) =>
    [at - 1, at, at + 1].some((index) => (index === at ? differs(row) : differs(order[index] ?? row))),
  );
  return shownRows.slice(0, MAX_ROWS);
}

/** The rows that move, as the plan says it: those outside the longest run that keeps its order. */
function movedIn(order: readonly OrderRow[]): ReadonlySet<OrderRow> {
  const staying = order.filter(({ before, after }) => before !== null && after !== null);
  const unmoved = new Set(longestIncreasing(staying.map(({ before }) => before ?? 0)));
  return new Set(staying.filter((_, index) => !unmoved.has(index)));
}

/** The surroundings of a removal: resources that refer to the one that goes, and those that it refers to. */

import { counted } from "../../core/value-text.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import { html } from "../format/html.ts";
import type { Wording } from "../plan/wording.ts";
import { anchor, type GraphEdge, picture, short, text } from "./svg.ts";

/** Removals to draw. */
const MAX_REMOVALS = 12;
/** Resources to draw on each side. */
const MAX_NEIGHBOURS = 12;
const WIDTH = 250;
const GAP = 90;
const STEP = 38;
const TOP = 34;

/** The pictures of removed and disabled resources with references, as HTML. */
export function removalPictures(
  { changes }: Plan,
  references: readonly GraphEdge[],
  wording: Wording,
): readonly string[] {
  const actions = new Map<string, Change["action"]>(changes.map(({ address, action }) => [address, action]));
  const leaving = changes.filter(({ action }) => action === "delete" || action === "disable");
  const drawn = leaving.flatMap(({ address, cascades = [] }) => {
    const owned = new Set(cascades);
    const from = [...new Set([...references.filter(({ to }) => to === address).map((edge) => edge.from), ...owned])];
    const to = [...new Set(references.filter((edge) => edge.from === address).map((edge) => edge.to))];
    return from.length + to.length === 0 ? [] : [around(address, from, to, owned, actions, wording)];
  });
  const rest = drawn.length - MAX_REMOVALS;
  return [
    ...drawn.slice(0, MAX_REMOVALS).map((drawing) => `<figure tabindex="0">${drawing}</figure>`),
    ...(rest > 0 ? [`<p class="quiet">${counted(rest, "more removal")} not drawn.</p>`] : []),
  ];
}

function around(
  address: string,
  from: readonly string[],
  to: readonly string[],
  owned: ReadonlySet<string>,
  actions: ReadonlyMap<string, Change["action"]>,
  wording: Wording,
): string {
  const sides = [from, to].map((all) => all.slice(0, MAX_NEIGHBOURS));
  const [left = [], right = []] = sides;
  const rows = Math.max(
    left.length + Number(from.length > left.length),
    right.length + Number(to.length > right.length),
    1,
  );
  const middle = TOP + ((rows - 1) * STEP) / 2;
  const [center, last] = [WIDTH + GAP, 2 * (WIDTH + GAP)];
  const y = (row: number): number => TOP + row * STEP;
  const box = (x: number, top: number, name: string, state: string): string => {
    const words = `<title>${html(name)}</title><rect class="box ${state}" x="${x + 1}" y="${top}" width="${WIDTH}" height="28" rx="6"/>${text("", x + 10, top + 19, short(name))}`;
    return actions.has(name) ? `<a href="#${anchor(name)}">${words}</a>` : `<g>${words}</g>`;
  };
  const state = (name: string): string => (owned.has(name) ? "delete" : (actions.get(name) ?? "same"));
  const line = (x1: number, y1: number, x2: number, y2: number): string =>
    `<path d="M ${x1} ${y1 + 14} C ${x1 + GAP / 2} ${y1 + 14}, ${x2 - GAP / 2} ${y2 + 14}, ${x2} ${y2 + 14}"/>`;
  const rest = (x: number, all: readonly string[], some: readonly string[]): readonly string[] =>
    all.length > some.length ? [text("head", x + 4, y(some.length) + 19, `and ${all.length - some.length} more`)] : [];
  return picture(last + WIDTH + 2, TOP + rows * STEP, `References around ${address}`, [
    text("head", 2, 18, from.length === 0 ? "nothing refers to it" : "refers to it"),
    text("head", center, 18, wording.actions[actions.get(address) ?? "delete"].column),
    ...(to.length === 0 ? [] : [text("head", last, 18, "it refers to")]),
    ...left.map((_name, row) => line(WIDTH, y(row), center, middle)),
    ...right.map((_name, row) => line(center + WIDTH, middle, last, y(row))),
    ...left.map((name, row) => box(0, y(row), name, state(name))),
    ...rest(0, from, left),
    box(center, middle, address, "delete"),
    ...right.map((name, row) => box(last, y(row), name, state(name))),
    ...rest(last, to, right),
  ]);
}

/** A list in the order of its positions as two ladders, before and after, with a line for each rung that is in both. */

import type { Rung } from "../../preview/diagrams/diagrams.ts";
import { html } from "../format/html.ts";
import type { Wording } from "../plan/wording.ts";
import { picture, short, text } from "./svg.ts";

const STEP = 38;
const WIDTH = 250;
const GAP = 150;
const TOP = 34;

/** The picture; empty if there is nothing to draw, or too much. */
export function ladderPicture(kind: string, rungs: readonly Rung[], [now, planned]: Wording["sides"]): string {
  if (rungs.length === 0 || rungs.length > 40) return "";
  const after = WIDTH + GAP;
  const y = (position: number): number => TOP + (position - 1) * STEP;
  const staying = rungs.filter((rung) => rung.before !== null && rung.after !== null);
  const isMoved = (rung: Rung): boolean =>
    staying.some(
      (other) =>
        Math.sign((other.before ?? 0) - (rung.before ?? 0)) !== Math.sign((other.after ?? 0) - (rung.after ?? 0)),
    );
  const moved = new Set(staying.filter(isMoved));
  const lines = staying.map((rung) => {
    const [from, to] = [y(rung.before ?? 1) + 14, y(rung.after ?? 1) + 14];
    return `<path class="${moved.has(rung) ? "moved" : ""}" d="M ${WIDTH} ${from} C ${WIDTH + GAP / 2} ${from}, ${after - GAP / 2} ${to}, ${after} ${to}"/>`;
  });
  const rails = (x: number, count: number): string =>
    count < 2
      ? ""
      : [20, WIDTH - 20].map((side) => `<path class="rail" d="M ${x + side} ${TOP} V ${y(count) + 28}"/>`).join("");
  const box = (rung: Rung, x: number, position: number, state: string): string =>
    `<g><title>${html(rung.address)}</title><rect class="rung ${state}" x="${x}" y="${y(position)}" width="${WIDTH}" height="28" rx="6"/>${swatch(rung, x, y(position))}${text(state, x + 34, y(position) + 19, `${position}  ${short(rung.name)}`)}</g>`;
  const counts = [
    rungs.filter(({ before }) => before !== null).length,
    rungs.filter((rung) => rung.after !== null).length,
  ];
  const [countBefore = 0, countAfter = 0] = counts;
  return picture(
    after + WIDTH + 2,
    y(Math.max(...counts)) + 34,
    `${kind} in order, ${now.toLowerCase()} and ${planned.toLowerCase()}`,
    [
      text("head", 2, 18, now.toLowerCase()),
      text("head", after, 18, planned.toLowerCase()),
      rails(0, countBefore),
      rails(after, countAfter),
      ...lines,
      ...rungs.flatMap((rung) => [
        ...(rung.before === null
          ? []
          : [box(rung, 1, rung.before, rung.after === null ? "removed" : moved.has(rung) ? "moved" : "")]),
        ...(rung.after === null
          ? []
          : [box(rung, after, rung.after, rung.before === null ? "added" : moved.has(rung) ? "moved" : "")]),
      ]),
    ],
  );
}

/** The color of a rung; none if it is not one in hexadecimal digits. */
function swatch({ color = "" }: Rung, x: number, y: number): string {
  return /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(color)
    ? `<rect class="swatch" fill="${color}" x="${x + 10}" y="${y + 7}" width="14" height="14" rx="4"/>`
    : "";
}

/** Pictures of a plan as SVG: the graph of references, and the order of ranked lists before and after. */

import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted, thousands } from "../../core/value-text.ts";
import type { Change, Plan, RankedTransition } from "../../plan/model/plan.ts";
import { html } from "../format/html.ts";
import type { Wording } from "../plan/wording.ts";

/** Resources in a graph. A larger one is not readable. */
const MAX_NODES = 80;
/** Rows of a list to draw. Of a longer list, the rows that change and their neighbours are drawn. */
const MAX_ROWS = 60;
const ROW = 30;
const BOX = 250;
const GAP = 90;
const NAME = 30;
/** The head of the column of unchanged resources. */
const SAME = "not changed";

/** An edge from a resource to one that it references or needs, or that is deleted with it. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

/**
 * The graph of the changes and of the references to and from them, with a column for each kind; empty if there are no edges. Unchanged
 * resources are not drawn if there are too many.
 */
export function referenceGraph(plan: Plan, references: readonly GraphEdge[] = []): string {
  const own = edgesOf(plan);
  const all = [
    ...new Map([...own, ...references].map((edge) => [JSON.stringify([edge.from, edge.to]), edge])).values(),
  ];
  const wide = new Set(all.flatMap(({ from, to }) => [from, to])).size > MAX_NODES;
  const edges = wide ? own : all;
  const touched = new Set(edges.flatMap(({ from, to }) => [from, to]));
  if (touched.size === 0) return "";
  if (touched.size > MAX_NODES) {
    return `<p class="quiet">${counted(edges.length, "reference")} between ${counted(touched.size, "resource")}: too many to draw.</p>`;
  }
  const actions = new Map<string, Change["action"]>(plan.changes.map(({ address, action }) => [address, action]));
  const kinds = new Map(plan.changes.map(({ address, kind }) => [address, kind]));
  const cascaded = new Set(plan.changes.flatMap(({ cascades = [] }) => cascades));
  const isNeighbour = (address: string): boolean =>
    !actions.has(address) &&
    !cascaded.has(address) &&
    references.some(({ from, to }) => from === address || to === address);
  // Unchanged resources are in one column on the right, so that no line seems to go through one of them.
  const kindOf = (address: string): string =>
    isNeighbour(address) ? SAME : (kinds.get(address) ?? address.split("/")[0] ?? "");
  const ranks = [...new Set(plan.changes.map(({ kind }) => kind))];
  const rank = (kind: string): number => {
    if (kind === SAME) return ranks.length + 1;
    return ranks.includes(kind) ? ranks.indexOf(kind) : ranks.length;
  };
  const columns = [...groupBy([...touched], kindOf)].sort(([left], [right]) => rank(left) - rank(right));
  const at = new Map(
    columns.flatMap(([, addresses], column) =>
      addresses.map((address, row) => [address, { x: column * (BOX + GAP), y: 30 + row * (ROW + 8) }] as const),
    ),
  );
  const rows = Math.max(...columns.map(([, addresses]) => addresses.length));
  const nodes = [...at].map(([address, { x, y }]) => {
    const same = isNeighbour(address);
    const box = `<rect class="box ${actions.get(address) ?? (same ? "same" : "")}" x="${x + 1}" y="${y}" width="${BOX}" height="${ROW}" rx="5"/>`;
    const name = same ? address : address.slice(address.indexOf("/") + 1);
    const words = `<text x="${x + 10}" y="${y + 20}">${html(short(name))}</text>`;
    if (same) return `<g><title>${html(address)}, not changed</title>${box}${words}</g>`;
    return `<a href="#${anchor(address)}"><title>${html(address)}</title>${box}${words}</a>`;
  });
  const lines = edges.flatMap(({ from, to }) => {
    const [start, end] = [at.get(from), at.get(to)];
    return start === undefined || end === undefined ? [] : [`<path d="${curve(start, end)}"/>`];
  });
  const heads = columns.map(([kind], column) => text("head", column * (BOX + GAP) + 2, 18, kind));
  const size = [columns.length * (BOX + GAP) - GAP / 2, 40 + rows * (ROW + 8)] as const;
  const drawn = picture(...size, "References between changes", [...heads, ...lines, ...nodes]);
  const isReduced = wide && references.length > 0;
  return isReduced ? `${drawn}<p class="quiet">Unchanged resources are not drawn: there are too many.</p>` : drawn;
}

/** The edges in a plan: dependencies between operations of different kinds, values taken from others, and cascades. */
function edgesOf(plan: Plan): readonly GraphEdge[] {
  const owners = new Map(plan.operations.map(({ id, address }) => [id, address]));
  const kindOf = (address: string): string => address.split("/")[0] ?? "";
  const edges = new Map<string, GraphEdge>();
  const add = (from: string, to: string): void => {
    if (from !== to) edges.set(JSON.stringify([from, to]), { from, to });
  };
  for (const { address, depends_on, inserts = [] } of plan.operations) {
    for (const insert of inserts) add(address, insert.address);
    for (const id of depends_on) {
      const owner = owners.get(id);
      if (owner !== undefined && kindOf(owner) !== kindOf(address)) add(address, owner);
    }
  }
  for (const { address, cascades = [] } of plan.changes) for (const gone of cascades) add(gone, address);
  return [...edges.values()];
}

/** A ranked list before and after, with a line for each rule that is in both; empty if the order is unknown. */
export function orderPicture({ address, order = [] }: RankedTransition, [now, planned]: Wording["sides"]): string {
  const rows = nearChanges(order);
  if (rows.length === 0) return "";
  const rowsBefore = rows.filter(({ before }) => before !== null).sort((a, b) => (a.before ?? 0) - (b.before ?? 0));
  const right = rows.filter(({ after }) => after !== null).sort((a, b) => (a.after ?? 0) - (b.after ?? 0));
  const y = (row: number): number => 44 + row * ROW;
  const second = BOX + 2 * GAP;
  const moved = movedIn(rows);
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

/** The rows that move: those outside the longest run that keeps its order. */
function movedIn(rows: readonly OrderRow[]): ReadonlySet<OrderRow> {
  const staying = rows
    .filter(({ before, after }) => before !== null && after !== null)
    .sort((left, right) => (left.after ?? 0) - (right.after ?? 0));
  const runs: (readonly OrderRow[])[] = [];
  for (const row of staying) {
    const before = runs.filter((run) => (run.at(-1)?.before ?? 0) < (row.before ?? 0));
    runs.push([...longest(before), row]);
  }
  const unmoved = longest(runs);
  return new Set(staying.filter((row) => !unmoved.includes(row)));
}

function longest(runs: readonly (readonly OrderRow[])[]): readonly OrderRow[] {
  return runs.reduce<readonly OrderRow[]>((best, run) => (run.length > best.length ? run : best), []);
}

/** The anchor of an address in the page. */
export function anchor(address: string): string {
  return html(encodeURIComponent(sanitised(address)));
}

function curve(start: { x: number; y: number }, end: { x: number; y: number }): string {
  if (start.x === end.x) {
    // An edge within a column is drawn on its right side.
    const [x, out] = [start.x + BOX, start.x + BOX + GAP / 2];
    return `M ${x} ${start.y + ROW / 2} C ${out} ${start.y + ROW / 2}, ${out} ${end.y + ROW / 2}, ${x} ${end.y + ROW / 2}`;
  }
  const forward = end.x > start.x;
  const [x1, x2] = [start.x + (forward ? BOX : 0), end.x + (forward ? 0 : BOX)];
  const [y1, y2] = [start.y + ROW / 2, end.y + ROW / 2];
  const bend = (forward ? 1 : -1) * (GAP / 2);
  return `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`;
}

/** A drawing of a size in pixels. */
export function picture(width: number, height: number, title: string, content: readonly string[]): string {
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${html(title)}">${content.join("\n")}</svg>`;
}

/** A line of text at a place. */
export function text(name: string, x: number, y: number, words: string): string {
  return `<text class="${name}" x="${x}" y="${y}" xml:space="preserve">${html(words)}</text>`;
}

/** A name, cut to the width of a box. */
export function short(name: string): string {
  const characters = [...sanitised(name)];
  return characters.length <= NAME ? characters.join("") : `${characters.slice(0, NAME - 1).join("")}…`;
}

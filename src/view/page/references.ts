/** References as pictures: the graph of all changes, and the surroundings of each removal. */

import { groupBy } from "../../core/lists.ts";
import { counted } from "../../core/value-text.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import { html } from "../format/html.ts";
import type { Wording } from "../plan/wording.ts";
import { anchor, BOX, BOX_HEIGHT, curve, picture, STEP, short, TOP, text } from "./parts.ts";

/** Resources in a graph. A larger one is not readable. */
const MAX_NODES = 80;
/** Removals to draw, and resources on each side of one. */
const MAX_REMOVALS = 12;
const MAX_NEIGHBOURS = 12;
const ROW = 30;
const GAP = 90;
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
    return start === undefined || end === undefined ? [] : [`<path d="${edgeCurve(start, end)}"/>`];
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

function edgeCurve(start: { x: number; y: number }, end: { x: number; y: number }): string {
  const [y1, y2] = [start.y + ROW / 2, end.y + ROW / 2];
  if (start.x === end.x) {
    // An edge within a column is drawn on its right side.
    const [x, out] = [start.x + BOX, start.x + BOX + GAP / 2];
    return `M ${x} ${y1} C ${out} ${y1}, ${out} ${y2}, ${x} ${y2}`;
  }
  return end.x > start.x ? curve(start.x + BOX, y1, end.x, y2, GAP / 2) : curve(start.x, y1, end.x + BOX, y2, -GAP / 2);
}

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
  const [center, last] = [BOX + GAP, 2 * (BOX + GAP)];
  const y = (row: number): number => TOP + row * STEP;
  const box = (x: number, top: number, name: string, state: string): string => {
    const words = `<title>${html(name)}</title><rect class="box ${state}" x="${x + 1}" y="${top}" width="${BOX}" height="${BOX_HEIGHT}" rx="6"/>${text("", x + 10, top + 19, short(name))}`;
    return actions.has(name) ? `<a href="#${anchor(name)}">${words}</a>` : `<g>${words}</g>`;
  };
  const state = (name: string): string => (owned.has(name) ? "delete" : (actions.get(name) ?? "same"));
  const line = (x1: number, y1: number, x2: number, y2: number): string =>
    `<path d="${curve(x1, y1 + BOX_HEIGHT / 2, x2, y2 + BOX_HEIGHT / 2, GAP / 2)}"/>`;
  const rest = (x: number, all: readonly string[], some: readonly string[]): readonly string[] =>
    all.length > some.length ? [text("head", x + 4, y(some.length) + 19, `and ${all.length - some.length} more`)] : [];
  return picture(last + BOX + 2, TOP + rows * STEP, `References around ${address}`, [
    text("head", 2, 18, from.length === 0 ? "nothing refers to it" : "refers to it"),
    text("head", center, 18, wording.actions[actions.get(address) ?? "delete"].column),
    ...(to.length === 0 ? [] : [text("head", last, 18, "it refers to")]),
    ...left.map((_name, row) => line(BOX, y(row), center, middle)),
    ...right.map((_name, row) => line(center + BOX, middle, last, y(row))),
    ...left.map((name, row) => box(0, y(row), name, state(name))),
    ...rest(0, from, left),
    box(center, middle, address, "delete"),
    ...right.map((name, row) => box(last, y(row), name, state(name))),
    ...rest(last, to, right),
  ]);
}

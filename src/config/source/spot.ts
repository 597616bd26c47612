/** Where the tree of an entry is: kept, or read again from its file when somebody asks. Most runs ask for hardly any. */

import type { Source } from "./source.ts";
import type { MapNode, Member, Node, Span } from "./tree.ts";

/** The tree of an entry, or where it begins in a file whose tree can be read again. */
export type Spot = Node | number;

/** How the tree of a file is read again, for files whose text says all that is in it. */
const AGAIN = new WeakMap<Source, () => Node | undefined>();
/** The tree of a file that was read again. */
const READ = new WeakMap<Source, Node>();

/** The members of mappings that were looked through, in a list. */
const MEMBERS = new WeakMap<MapNode, readonly Member[]>();

/** Says how the tree of a file can be had once more, so that it need not be kept. */
export function readAgainBy(source: Source, again: () => Node | undefined): void {
  AGAIN.set(source, again);
}

/** What is kept of an entry's tree. */
export function spotOf(source: Source, node: Node): Spot {
  return node.type === "map" && AGAIN.has(source) ? node.start : node;
}

/** The tree of an entry of a file. */
export function nodeAt(source: Source, spot: Spot): Node {
  if (typeof spot !== "number") return spot;
  const root = READ.get(source) ?? AGAIN.get(source)?.();
  if (root !== undefined) READ.set(source, root);
  const found = root === undefined ? undefined : mappingAt(root, spot);
  if (found === undefined) throw new Error(`${source.file} has no mapping at ${spot} any more`);
  return found;
}

/** The mapping that begins at an offset; no two begin at the same. */
function mappingAt(node: Node, offset: number): Node | undefined {
  if (node.type === "scalar") return undefined;
  if (node.type === "map" && node.start === offset) return node;
  const below = node.type === "list" ? lastUpTo(node.items, offset) : lastUpTo(membersOf(node), offset)?.value;
  return below === undefined ? undefined : mappingAt(below, offset);
}

function membersOf(node: MapNode): readonly Member[] {
  const members = MEMBERS.get(node) ?? [...node.members.values()];
  MEMBERS.set(node, members);
  return members;
}

/** The last of several, which stand one behind the other, that begins at an offset or before. */
function lastUpTo<Stands extends Span>(all: readonly Stands[], offset: number): Stands | undefined {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.start ?? offset) <= offset) low = middle + 1;
    else high = middle;
  }
  return all[low - 1];
}

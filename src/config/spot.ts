/** Where the tree of an entry is: kept, or read again from its file when somebody asks. Most runs ask for hardly any. */

import type { Source } from "./source.ts";
import type { Node } from "./tree.ts";

/** The tree of an entry, or where it begins in a file whose tree can be read again. */
export type Spot = Node | number;

/** How the tree of a file is read again, for files whose text says all that is in it. */
const AGAIN = new WeakMap<Source, () => Node | undefined>();
/** The mappings of a file that was read again, by where they begin. */
const READ = new WeakMap<Source, ReadonlyMap<number, Node>>();

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
  const found = mappings(source).get(spot);
  if (found === undefined) throw new Error(`${source.file} has no mapping at ${spot} any more`);
  return found;
}

function mappings(source: Source): ReadonlyMap<number, Node> {
  const known = READ.get(source);
  if (known !== undefined) return known;
  const found = new Map<number, Node>();
  const note = (node: Node): void => {
    if (node.type === "list") for (const item of node.items) note(item);
    if (node.type !== "map") return;
    found.set(node.start, node);
    for (const { value } of node.members.values()) note(value);
  };
  const root = AGAIN.get(source)?.();
  if (root !== undefined) note(root);
  READ.set(source, found);
  return found;
}

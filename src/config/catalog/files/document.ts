/** A document of a file that lives elsewhere: its value, and the places of the parts of that. */

import { isFields, isList, type Json } from "../../../core/json.ts";
import type { Source } from "../../source/source.ts";
import type { Node, Span } from "../../source/tree.ts";
import type { FileErrors } from "../../source/yaml/file-errors.ts";
import type { ForeignLimits } from "./limits.ts";

/** A value, and its node, in whose spans `source` is set. */
export interface Part {
  readonly value: Json;
  readonly node: Node;
}

/** Reads the documents of a text. Records errors; throws `Refused` behind an error that ends the reading. */
export type ReadFormat = (source: Source, limits: ForeignLimits, errors: FileErrors) => readonly Part[];

/** One document of a file. Its node is read from the text again when it is first needed: most documents need only their value. */
export class ForeignDocument implements Span {
  readonly source: Source;
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string;
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  readonly #read: () => Node;
  #nodes: ReadonlyMap<Json, Node> | undefined;

  /** `read` reads the node again. */
  constructor(source: Source, path: string, { value, node }: Part, read: () => Node) {
    this.source = source;
    this.path = path;
    this.value = value;
    this.start = node.start;
    this.end = node.end;
    this.#read = read;
  }

  get node(): Node {
    return this.#read();
  }

  /** The node of an object or a list that is a part of the value, by identity; undefined if it is none of them. */
  nodeOf(part: Json): Node | undefined {
    this.#nodes ??= nodesOf({ value: this.value, node: this.node });
    return this.#nodes.get(part);
  }
}

/** The nodes of all objects and lists in a value. */
function nodesOf(root: Part): ReadonlyMap<Json, Node> {
  const nodes = new Map<Json, Node>();
  const queue = [root];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { value, node } = next;
    // What aliases share occurs more than once.
    if (nodes.has(value)) continue;
    if (isList(value) && node.type === "list") {
      nodes.set(value, node);
      for (const [at, item] of node.items.entries()) queue.push({ value: value[at] ?? null, node: item });
    } else if (isFields(value) && node.type === "map") {
      nodes.set(value, node);
      for (const [name, member] of node.members) queue.push({ value: value[name] ?? null, node: member.value });
    }
  }
  return nodes;
}

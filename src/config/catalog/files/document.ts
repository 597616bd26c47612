/** A document of a file that lives elsewhere: its value, and the places of the parts of that. */

import { fieldsIn, type Json, listIn } from "../../../core/json.ts";
import type { FileErrors } from "../../source/file-errors.ts";
import type { Limits } from "../../source/limits.ts";
import type { Source } from "../../source/source.ts";
import type { Node, Span } from "../../source/tree.ts";

/** A place in a file. */
export interface FileSpan extends Span {
  readonly source: Source;
}

/** Reads the documents of a text: nodes that have their source and their value. Records errors; throws `Refused` behind one that ends the reading. */
export type ReadFormat = (source: Source, limits: Limits, errors: FileErrors) => readonly Node[];

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
  constructor(source: Source, path: string, node: Node, read: () => Node) {
    this.source = source;
    this.path = path;
    this.value = node.value ?? null;
    this.start = node.start;
    this.end = node.end;
    this.#read = read;
  }

  get node(): Node {
    return this.#read();
  }

  /** The node of an object or a list that is a part of the value, by identity; undefined if it is none of them. */
  nodeOf(part: Json): Node | undefined {
    this.#nodes ??= collectionsIn(this.value, this.node);
    return this.#nodes.get(part);
  }
}

/** The nodes of all objects and lists in a value, whose tree was read again. */
function collectionsIn(value: Json, root: Node): ReadonlyMap<Json, Node> {
  const nodes = new Map<Json, Node>();
  const queue = [{ value, node: root }];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { value, node } = next;
    // What aliases share occurs more than once.
    if (node.type === "scalar" || nodes.has(value)) continue;
    nodes.set(value, node);
    const [values, fields] = [listIn(value), fieldsIn(value)];
    if (node.type === "map") {
      for (const [name, member] of node.members) queue.push({ value: fields[name] ?? null, node: member.value });
    } else for (const [at, item] of node.items.entries()) queue.push({ value: values[at] ?? null, node: item });
  }
  return nodes;
}

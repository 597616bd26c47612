/** A parsed file of the configuration. */

import { Findings } from "../../core/findings.ts";
import { type Directive, directivesOf } from "./directives.ts";
import type { Limits } from "./limits.ts";
import type { Source } from "./source.ts";
import type { MapNode, Node } from "./tree.ts";
import { readYaml } from "./yaml/read-yaml.ts";

/**
 * A file whose tree can be released. It is read again from the text if a place in it is needed, which is rare. Without the trees, a
 * plan of 50,000 resources needs 15 MiB less memory.
 */
export class ParsedFile {
  readonly source: Source;
  readonly directives: readonly Directive[];
  readonly #limits: Limits;
  #node: Node | undefined;

  private constructor(source: Source, limits: Limits, node: Node, directives: readonly Directive[]) {
    this.source = source;
    this.directives = directives;
    this.#limits = limits;
    this.#node = node;
  }

  /** Reads a file; undefined if it has errors. */
  static read(source: Source, limits: Limits, findings: Findings): ParsedFile | undefined {
    const read = readYaml(source, limits, findings);
    if (read === undefined) return undefined;
    return new ParsedFile(source, limits, read.node, directivesOf(source, read.comments));
  }

  get node(): Node {
    const node = this.#node ?? readYaml(this.source, this.#limits, new Findings())?.node;
    if (node === undefined) throw new Error(`${this.source.file} cannot be read a second time`);
    this.#node = node;
    return node;
  }

  release(): void {
    this.#node = undefined;
  }

  /** Returns the mapping that begins at an offset. */
  mappingAt(offset: number): MapNode {
    const found = mappingIn(this.node, offset);
    if (found === undefined) throw new Error(`${this.source.file} has no mapping at ${offset}`);
    return found;
  }
}

function mappingIn(node: Node, offset: number): MapNode | undefined {
  if (node.type === "scalar") return undefined;
  if (node.type === "map" && node.start === offset) return node;
  const children = node.type === "list" ? node.items : [...node.members.values()].map(({ value }) => value);
  for (const child of children) {
    const found = child.start <= offset && offset < child.end ? mappingIn(child, offset) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Trees as the quick reader makes them: values first. Of most entries nobody asks more than what they say, so where their parts
 * stand is kept as offsets, and becomes nodes when somebody looks.
 */

import type { Fields, Json } from "../json.ts";
import type { ListNode, MapNode, Member, Node, ScalarNode } from "./tree.ts";

/** A mapping or a sequence that was read quickly. */
type Compound = QuickMap | QuickList;

/** Where something stands: an offset, or its node. */
export type Standing = number | Compound;

/** What a mapping and a sequence have in common. */
interface Extent {
  readonly start: number;
  readonly end: number;
  /** Nothing in it is to be put in, and no number is written oddly: what it says is its value. */
  readonly plain: boolean;
}

/** A mapping; `standings` holds for each member the start and the end of its key, and the place and the end of its value. */
export class QuickMap implements MapNode {
  readonly type = "map";
  readonly start: number;
  readonly end: number;
  readonly #value: Fields;
  readonly #plain: boolean;
  readonly #standings: readonly Standing[];
  #members: ReadonlyMap<string, Member> | undefined;

  constructor({ start, end, plain }: Extent, value: Fields, standings: readonly Standing[]) {
    this.start = start;
    this.end = end;
    this.#value = value;
    this.#plain = plain;
    this.#standings = standings;
  }

  get members(): ReadonlyMap<string, Member> {
    this.#members ??= new Map(Object.keys(this.#value).map((key, index) => [key, this.#member(key, 4 * index)]));
    return this.#members;
  }

  get plain(): Json | undefined {
    return this.#plain ? this.#value : undefined;
  }

  #member(key: string, at: number): Member {
    const [start = 0, end = 0] = [this.#standings[at], this.#standings[at + 1]];
    const value = nodeAt(this.#value[key], this.#standings, at + 2);
    return { start: offset(start), end: offset(end), value };
  }
}

/** A sequence; `standings` holds for each item its place and its end. */
export class QuickList implements ListNode {
  readonly type = "list";
  readonly start: number;
  readonly end: number;
  readonly #value: readonly Json[];
  readonly #plain: boolean;
  readonly #standings: readonly Standing[];
  #items: readonly Node[] | undefined;

  constructor({ start, end, plain }: Extent, value: readonly Json[], standings: readonly Standing[]) {
    this.start = start;
    this.end = end;
    this.#value = value;
    this.#plain = plain;
    this.#standings = standings;
  }

  get items(): readonly Node[] {
    this.#items ??= this.#value.map((value, index) => nodeAt(value, this.#standings, 2 * index));
    return this.#items;
  }

  get plain(): Json | undefined {
    return this.#plain ? this.#value : undefined;
  }
}

/** What a tree says, where that is known without going through it. */
export function plainValue(node: Node): Json | undefined {
  return node instanceof QuickMap || node instanceof QuickList ? node.plain : undefined;
}

function nodeAt(value: Json | undefined, standings: readonly Standing[], at: number): Node {
  const standing = standings[at] ?? 0;
  if (typeof standing !== "number") return standing;
  return { type: "scalar", value: value as ScalarNode["value"], start: standing, end: offset(standings[at + 1]) };
}

function offset(standing: Standing | undefined): number {
  return typeof standing === "number" ? standing : 0;
}

/**
 * Trees as the quick reader makes them: values first. Of most entries nobody asks more than what they say, so where their parts
 * stand is kept as numbers, and becomes nodes when somebody looks.
 *
 * The numbers of a value follow those of what stands before it in the file. Of a single value they are its start and its end. Of
 * a mapping or a sequence they are its start, its end, the index behind its numbers and whether it is plain; those of its members,
 * each behind the start and the end of its key, or of its items come next.
 */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { ListNode, MapNode, Member, Node } from "./tree.ts";

/** How many numbers a mapping or a sequence has for itself, and how many a key or a single value. */
export const COMPOUND = 4;
export const SINGLE = 2;
/** Which of them says what. */
export const END = 1;
export const BEHIND = 2;
/** Whether nothing in it is to be put in, and no number is written oddly: what it says is its value. */
export const PLAIN = 3;

/** A mapping that was read quickly. */
class QuickMap implements MapNode {
  readonly type = "map";
  readonly start: number;
  readonly end: number;
  readonly #fields: Fields;
  readonly #numbers: Int32Array;
  readonly #at: number;
  #members: ReadonlyMap<string, Member> | undefined;

  constructor(fields: Fields, numbers: Int32Array, at: number) {
    this.start = numberAt(numbers, at);
    this.end = numberAt(numbers, at + END);
    this.#fields = fields;
    this.#numbers = numbers;
    this.#at = at;
  }

  get members(): ReadonlyMap<string, Member> {
    this.#members ??= this.#made();
    return this.#members;
  }

  get plain(): Json | undefined {
    return this.#numbers[this.#at + PLAIN] === 1 ? this.#fields : undefined;
  }

  #made(): ReadonlyMap<string, Member> {
    const numbers = this.#numbers;
    const members = new Map<string, Member>();
    let at = this.#at + COMPOUND;
    for (const key of Object.keys(this.#fields)) {
      const [start, end] = [numberAt(numbers, at), numberAt(numbers, at + END)];
      const json = this.#fields[key] ?? null;
      members.set(key, { start, end, value: quickNode(json, numbers, at + SINGLE) });
      at = behind(json, numbers, at + SINGLE);
    }
    return members;
  }
}

/** A sequence that was read quickly. */
class QuickList implements ListNode {
  readonly type = "list";
  readonly start: number;
  readonly end: number;
  readonly #values: readonly Json[];
  readonly #numbers: Int32Array;
  readonly #at: number;
  #items: readonly Node[] | undefined;

  constructor(values: readonly Json[], numbers: Int32Array, at: number) {
    this.start = numberAt(numbers, at);
    this.end = numberAt(numbers, at + END);
    this.#values = values;
    this.#numbers = numbers;
    this.#at = at;
  }

  get items(): readonly Node[] {
    this.#items ??= this.#made();
    return this.#items;
  }

  get plain(): Json | undefined {
    return this.#numbers[this.#at + PLAIN] === 1 ? this.#values : undefined;
  }

  #made(): readonly Node[] {
    let at = this.#at + COMPOUND;
    return this.#values.map((json) => {
      const node = quickNode(json, this.#numbers, at);
      at = behind(json, this.#numbers, at);
      return node;
    });
  }
}

/** The node of a value whose numbers begin at an index. */
export function quickNode(json: Json, numbers: Int32Array, at: number): Node {
  if (isList(json)) return new QuickList(json, numbers, at);
  if (isFields(json)) return new QuickMap(json, numbers, at);
  return { type: "scalar", value: json, start: numberAt(numbers, at), end: numberAt(numbers, at + END) };
}

/** What a tree says, where that is known without going through it. */
export function plainValue(node: Node): Json | undefined {
  return node instanceof QuickMap || node instanceof QuickList ? node.plain : undefined;
}

function behind(json: Json, numbers: Int32Array, at: number): number {
  return typeof json === "object" && json !== null ? numberAt(numbers, at + BEHIND) : at + SINGLE;
}

function numberAt(numbers: Int32Array, at: number): number {
  return numbers[at] ?? 0;
}

/** Parsed YAML as data: values that know where they stand in their file. */

import type { Location } from "../../core/diagnostic.ts";
import type { Source } from "./source.ts";

/** A value with the offsets at which it starts and ends. */
export type Node = ScalarNode | ListNode | MapNode;

/** Where something stands. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The file, where that is not the one that is being read: what an overlay has laid over it. */
  readonly source?: Source;
}

/** A single value. */
export interface ScalarNode extends Span {
  readonly type: "scalar";
  readonly value: null | boolean | number | string;
}

/** A sequence. */
export interface ListNode extends Span {
  readonly type: "list";
  readonly items: readonly Node[];
}

/** A mapping; its keys are unique and in the order of the file. */
export interface MapNode extends Span {
  readonly type: "map";
  readonly members: ReadonlyMap<string, Member>;
}

/** A key with its offsets, and what it holds. */
export interface Member extends Span {
  readonly value: Node;
  /** What an overlay has replaced by it; it bears its file. */
  readonly covers?: Member;
}

/** The place of a value or a key of a file; of what an overlay has laid over it, in the overlay. */
export function placeOf({ start, end, source }: Span, file: Source): Location {
  return (source ?? file).location(start, end);
}

/** What stands there, as it is written. */
export function textOf({ start, end, source }: Span, file: Source): string {
  return (source ?? file).text.slice(start, end);
}

/** What a JSON Pointer leads to. */
export interface Found {
  /** The value, or the nearest one above it when the pointer leads nowhere. */
  readonly node: Node;
  /** The member that holds the value, when the last step went into a mapping. */
  readonly member?: Member;
  /** Whether every step of the pointer was taken. */
  readonly whole: boolean;
}

/** Follows a JSON Pointer. */
export function follow(root: Node, pointer: string): Found {
  let found: Found = { node: root, whole: true };
  for (const step of steps(pointer)) {
    const { node } = found;
    if (node.type === "map") {
      const member = node.members.get(step);
      if (member === undefined) return { ...found, whole: false };
      found = { node: member.value, member, whole: true };
    } else if (node.type === "list") {
      const item = node.items[Number(step)];
      if (item === undefined) return { ...found, whole: false };
      found = { node: item, whole: true };
    } else {
      return { ...found, whole: false };
    }
  }
  return found;
}

/** The steps of a JSON Pointer, unescaped. */
export function steps(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** One step, as it is written in a JSON Pointer. */
export function escaped(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

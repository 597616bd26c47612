/** The tree of a YAML document: values with their places in the file. */

import type { Location } from "../../core/diagnostic.ts";
import { type Json, stepsOf } from "../../core/json.ts";
import type { Source } from "./source.ts";
import type { ScalarValue } from "./text.ts";

/** A value with the offsets at which it starts and ends. */
export type Node = ScalarNode | ListNode | MapNode;

/** A range of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The overlay or foreign file that it is from; absent if it is from the file itself. */
  readonly source?: Source | undefined;
  /** The text of a value that an expression makes: its place has other text. */
  readonly computed?: string;
  /** The template of a source of entries that made the value. */
  readonly madeAt?: Span | undefined;
}

/** A single value. */
export interface ScalarNode extends Span {
  readonly type: "scalar";
  /** Whether it is a null that takes away what a source of entries makes; false if it is empty, and null would be that. */
  readonly removes?: boolean;
  readonly value: ScalarValue;
}

/** The values of a collection that is as a file has it. A copy with other members or items must omit them. */
interface CollectionValue {
  /** The value before substitution. */
  readonly value?: Json;
  /** The value, if nothing in it has more to it than its value, such as a substitution. */
  readonly literal?: Json | undefined;
}

/** A sequence. */
export interface ListNode extends Span, CollectionValue {
  readonly type: "list";
  readonly items: readonly Node[];
}

/** A mapping; its keys are unique and in the order of the file. */
export interface MapNode extends Span, CollectionValue {
  readonly type: "map";
  readonly members: ReadonlyMap<string, Member>;
}

/** A key with its offsets, and its value. */
export interface Member extends Span {
  readonly value: Node;
  /** The member that an overlay, or a value of the file beside values of other files, has replaced by this one. */
  readonly covers?: Member;
  /** The expression that made the value out of its place in a foreign file. */
  readonly expression?: string | undefined;
}

/** The place of a value or key in a file or its overlay. */
export function placeOf({ start, end, source }: Span, file: Source): Location {
  return (source ?? file).location(start, end);
}

/** The text of a range in a file or its overlay, or of a computed value. */
export function textOf({ start, end, source, computed }: Span, file: Source): string {
  return computed ?? (source ?? file).text.slice(start, end);
}

/** The value of a collection, if nothing in it has more to it than its value. */
export function literalValue(node: Node): Json | undefined {
  return node.type === "scalar" ? undefined : node.literal;
}

/** The member of a mapping; undefined if there is none, or the value is no mapping. */
export function memberOf(node: Node | undefined, name: string): Member | undefined {
  return node?.type === "map" ? node.members.get(name) : undefined;
}

/** The target of a JSON Pointer. */
export interface Found {
  /** The value, or the nearest one above it if there is none. */
  readonly node: Node;
  /** The member of the value, if it is in a mapping. */
  readonly member?: Member;
  /** Whether the pointer leads to a value. */
  readonly whole: boolean;
}

/** Follows a JSON Pointer. */
export function follow(root: Node, pointer: string): Found {
  let found: Found = { node: root, whole: true };
  for (const step of stepsOf(pointer)) {
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

/** Returns a copy of a tree whose nodes have their file. */
export function withSource(node: Node, source: Source): Node {
  if (node.source !== undefined) return node;
  switch (node.type) {
    case "scalar":
      return { ...node, source };
    case "list":
      return { ...node, source, items: node.items.map((item) => withSource(item, source)) };
    case "map":
      return {
        ...node,
        source,
        members: new Map([...node.members].map(([name, member]) => [name, memberWithSource(member, source)])),
      };
  }
}

/** Returns a copy of a member whose nodes have their file. */
export function memberWithSource(member: Member, source: Source): Member {
  return { ...member, source, value: withSource(member.value, source) };
}

/** Returns a copy of a mapping with other members. */
export function withMembers({ start, end, source, madeAt }: MapNode, members: ReadonlyMap<string, Member>): MapNode {
  return { type: "map", start, end, source, madeAt, members };
}

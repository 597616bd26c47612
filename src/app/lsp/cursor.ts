/** The value or key at a place of a file, and the resource that it is in. */

import { type ListHeading, listsOf, nestedList, type OwnedList } from "../../config/resources/lists.ts";
import type { Source } from "../../config/source/source.ts";
import type { MapNode, Member, Node, Span } from "../../config/source/tree.ts";
import { Findings } from "../../core/findings.ts";
import { bare, escapedStep, type Fields, isFields, type Json } from "../../core/json.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";

/** A file with its tree. */
export interface FileWithTree {
  readonly source: Source;
  readonly node: Node;
}

/** A place in a tree. */
export interface TreePlace {
  /** The value there, or the value of the key there. */
  readonly node: Node;
  /** The member that the value belongs to, if it is in a mapping. */
  readonly member: Member | undefined;
  /** The mapping of the member, or the value itself if it is one. */
  readonly mapping: MapNode | undefined;
  /** Whether the place is in a key. */
  readonly isKey: boolean;
  /** The keys and positions that lead to it. */
  readonly steps: readonly string[];
  /** The keys alone. */
  readonly names: readonly string[];
}

/** A resource around a place. */
export interface ResourceAround {
  readonly list: ListHeading;
  readonly kind: Kind;
  readonly scope: string;
  readonly node: Node;
  /** The place, from the resource on. */
  readonly cursor: TreePlace;
  /** The place as a JSON Pointer into the resource. */
  readonly pointer: string;
}

/** Whether an offset is in a range or at one of its ends. */
function isAt({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

/** The innermost value or key at an offset. */
export function cursorAt(root: Node, offset: number): TreePlace {
  let found: TreePlace = { node: root, member: undefined, mapping: undefined, isKey: false, steps: [], names: [] };
  for (;;) {
    const below = oneBelow(found, offset);
    if (below === undefined) return found;
    found = below;
    if (found.isKey) return found;
  }
}

function oneBelow({ node, steps, names }: TreePlace, offset: number): TreePlace | undefined {
  if (node.type === "list") {
    const index = node.items.findIndex((item) => isAt(item, offset));
    const item = node.items[index];
    if (item === undefined) return undefined;
    return { node: item, member: undefined, mapping: undefined, isKey: false, steps: [...steps, String(index)], names };
  }
  if (node.type === "scalar") return undefined;
  for (const [name, member] of node.members) {
    const isKey = isAt(member, offset);
    if (!isKey && !isAt(member.value, offset)) continue;
    return { node: member.value, member, mapping: node, isKey, steps: [...steps, name], names: [...names, name] };
  }
  return undefined;
}

/** The innermost resource at an offset; undefined if there is none. */
export function resourceAround(file: FileWithTree, offset: number, kinds: readonly Kind[]): ResourceAround | undefined {
  return within(listsOf(file, kinds, new Findings()), offset, kinds);
}

function within(lists: readonly OwnedList[], offset: number, kinds: readonly Kind[]): ResourceAround | undefined {
  for (const list of lists) {
    const node = list.items.find((item) => isAt(item, offset));
    if (node === undefined) continue;
    const { of: kind, scope } = list;
    const inner = within(nestedLists(list, node, kinds), offset, kinds);
    if (inner !== undefined) return inner;
    const cursor = cursorAt(node, offset);
    const pointer = cursor.steps.map((step) => `/${escapedStep(step)}`).join("");
    return { list, kind, scope, node, cursor, pointer };
  }
  return undefined;
}

/** The lists that are nested in a resource. */
function nestedLists({ of, source }: OwnedList, node: Node, kinds: readonly Kind[]): readonly OwnedList[] {
  const key = keyMemberOf(of, node)?.value;
  const scope = key?.type === "scalar" ? String(key.value) : "";
  return childrenOf(kinds, of).flatMap((kind) => nestedList(kind, node, scope, source) ?? []);
}

/** The lists of a file, nested ones included. */
export function allListsOf(file: FileWithTree, kinds: readonly Kind[]): readonly OwnedList[] {
  const withNested = (list: OwnedList): readonly OwnedList[] => [
    list,
    ...list.items.flatMap((item) => nestedLists(list, item, kinds).flatMap(withNested)),
  ];
  return listsOf(file, kinds, new Findings()).flatMap(withNested);
}

/** The member of a resource that names it; undefined if none does. */
export function keyMemberOf({ identity }: Kind, node: Node): Member | undefined {
  if (node.type !== "map") return undefined;
  return identity.keys.map((name) => node.members.get(name)).find((member) => member !== undefined);
}

/** The value of a tree as it is written, before substitution. */
function writtenValue(node: Node): Json {
  if (node.type === "scalar") return node.value;
  if (node.value !== undefined) return node.value;
  if (node.type === "list") return node.items.map(writtenValue);
  const fields = bare();
  for (const [name, { value }] of node.members) fields[name] = writtenValue(value);
  return fields;
}

/** The fields of a resource as they are written; those under `extra` beside the others. */
export function writtenFields(node: Node): Fields {
  const value = writtenValue(node);
  if (!isFields(value)) return {};
  return isFields(value.extra) ? { ...value, ...value.extra } : value;
}

/** Sources of one catalog type in several files: a type of nothing but `slug` and `entries_from` adds its sources to the type of another. */

import { childrenOf, type Kind } from "../../../kinds/model/kind.ts";
import type { OwnedList } from "../../resources/lists.ts";
import { type ListNode, type MapNode, type Node, withMembers, withSource } from "../../source/tree.ts";
import { literalText } from "../../values/substitution.ts";

/** A type in the list of a file. */
interface TypeItem {
  readonly item: MapNode;
  readonly list: OwnedList;
}

/** The lists, in which each type has the sources of all files. */
export function withAddedSources(lists: readonly OwnedList[], kinds: readonly Kind[]): readonly OwnedList[] {
  const changed = new Map<Node, Node | undefined>();
  for (const kind of new Set(lists.map(({ of }) => of))) {
    const child = childrenOf(kinds, kind).find(({ parent }) => parent?.from !== undefined);
    const from = child?.parent?.from;
    if (from === undefined) continue;
    for (const items of bySlug(lists.filter(({ of }) => of === kind))) {
      const main = items.find(({ item }) => !hasOnlySources(item, from)) ?? items[0];
      const added = items.filter((one) => one !== main && hasOnlySources(one.item, from));
      if (main === undefined || added.length === 0) continue;
      changed.set(main.item, withSources(main, added, from));
      for (const { item } of added) changed.set(item, undefined);
    }
  }
  if (changed.size === 0) return lists;
  return lists.map((list) => ({
    ...list,
    items: list.items.flatMap((item) => (changed.has(item) ? (changed.get(item) ?? []) : [item])),
  }));
}

/** The types that have the same slug. */
function bySlug(lists: readonly OwnedList[]): Iterable<readonly TypeItem[]> {
  const types = new Map<string, TypeItem[]>();
  for (const list of lists) {
    for (const item of list.items) {
      const slug = item.type === "map" ? item.members.get("slug")?.value : undefined;
      if (item.type !== "map" || slug?.type !== "scalar" || typeof slug.value !== "string") continue;
      const key = literalText(slug.value) ?? "";
      const known = types.get(key) ?? [];
      types.set(key, known);
      known.push({ item, list });
    }
  }
  return types.values();
}

function hasOnlySources(item: MapNode, from: string): boolean {
  return item.members.size === 2 && item.members.has("slug") && item.members.has(from);
}

function withSources({ item, list }: TypeItem, added: readonly TypeItem[], from: string): MapNode {
  const own = item.members.get(from);
  const sources = [
    ...(own === undefined ? [] : sourcesIn(own.value)),
    ...added.flatMap((one) => {
      const value = one.item.members.get(from)?.value;
      return value === undefined ? [] : sourcesIn(value).map((node) => withSource(node, one.list.source));
    }),
  ].map((node) => withSource(node, list.source));
  const { start, end } = own ?? item;
  const value: ListNode = { type: "list", start, end, items: sources };
  return withMembers(item, new Map(item.members).set(from, { start, end, ...own, value }));
}

function sourcesIn(value: Node): readonly Node[] {
  return value.type === "list" ? value.items : [value];
}

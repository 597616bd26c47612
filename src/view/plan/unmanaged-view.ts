/** The section of a plan or of drift about what the files do not manage: a line for each list, or for each kind with many of them. */

import { groupBy } from "../../core/lists.ts";
import { counted, fieldPath, thousands } from "../../core/value-text.ts";
import type { Plan, Unmanaged } from "../../plan/model/plan.ts";
import type { PlaceItem, PlaceSection } from "./left-alone.ts";

/** Lists of one kind that have lines of their own; of more, one line names the first ones. */
const MAX_LISTS = 3;

/** The section; none if everything is managed. What a plan says is no longer managed is not said again. */
export function unmanagedSections({ unmanaged = [], released = [] }: Plan): readonly PlaceSection[] {
  const said = new Set(released.filter(({ path }) => path === undefined).map(({ address }) => address));
  const entries = unmanaged.filter(({ address, path }) => path !== undefined || !said.has(address));
  const read = entries.filter((entry) => !isUnread(entry));
  const groups = [...groupBy(read, ({ kind, path = "" }) => `${kind}${path}`).values()];
  const unread = [...groupBy(entries.filter(isUnread), ({ kind }) => kind).values()];
  const items = [
    ...groups.flatMap((group) => (group.length > MAX_LISTS ? [groupItem(group)] : group.map(item))),
    ...(unread.length === 0 ? [] : [{ where: [unread.flatMap(unreadNames).join(", ")], note: "not read" }]),
  ];
  return items.length === 0 ? [] : [{ title: "Not managed (stays in the workspace as it is)", items, isQuiet: true }];
}

function isUnread({ resources, items }: Unmanaged): boolean {
  return resources === undefined && items === undefined;
}

function unreadNames(group: readonly Unmanaged[]): readonly string[] {
  const addresses = group.map(({ address }) => address);
  return group.length > MAX_LISTS ? [`${group[0]?.kind ?? ""} (${counted(group.length, "list")})`] : addresses;
}

function item(entry: Unmanaged): PlaceItem {
  const { address, path, names = [] } = entry;
  const size = sizeOf([entry]);
  const rest = (entry.resources ?? entry.items ?? 0) - names.length;
  const all = [...names, ...(names.length > 0 && rest > 0 ? [`${thousands(rest)} more`] : [])];
  return {
    where: path === undefined ? [address] : [address, fieldPath(path)],
    note: all.length === 0 ? size : `${size}: ${all.join(", ")}`,
  };
}

/** Many lists of one kind in one line. */
function groupItem(group: readonly Unmanaged[]): PlaceItem {
  const { path } = group[0] ?? {};
  const where = [firstAddresses(group).join(", "), ...(path === undefined ? [] : [fieldPath(path)])];
  return { where, note: sizeOf(group) };
}

function firstAddresses(group: readonly Unmanaged[]): readonly string[] {
  const rest = group.length - MAX_LISTS;
  const first = group.slice(0, MAX_LISTS).map(({ address }) => address);
  return rest > 0 ? [...first, `${thousands(rest)} more of ${group[0]?.kind ?? ""}`] : first;
}

function sizeOf(group: readonly Unmanaged[]): string {
  const resources = group.reduce((sum, one) => sum + (one.resources ?? 0), 0);
  const items = group.reduce((sum, one) => sum + (one.items ?? 0), 0);
  return resources > 0 ? counted(resources, "resource") : counted(items, "item");
}

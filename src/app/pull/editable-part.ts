/** The part of a list that a pull may edit in a file: of a list with sources, only what the file itself declares. */

import { type SyntaxNode, valueBelow } from "../../config/edit/cst.ts";
import type { ItemEdit } from "../../config/edit/list-change.ts";
import { type Configuration, isSourced } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { fileOf, locationOf, startOf } from "../../config/resources/origins.ts";
import type { Location } from "../../core/diagnostic.ts";
import { equal, isFields, type Json } from "../../core/json.ts";
import type { AddedResource, DesiredList, KeptResource } from "./desired-list.ts";

/** A list as its file would have to hold it. */
interface EditablePart {
  readonly entries: readonly (KeptResource | AddedResource)[];
  readonly missing: readonly DeclaredResource[];
  /** Declared resource → the index of its item in the file. */
  readonly places: ReadonlyMap<DeclaredResource, number>;
}

/** The file of a list, and the place of an offset in it. */
interface ListFile {
  readonly file: string;
  place(offset: number): Location;
}

/** Returns the part of a list that may be edited in the file that has it; new resources with it if it `takesNew`. */
export function editablePart(
  list: DesiredList,
  written: SyntaxNode,
  open: ListFile,
  configuration: Configuration,
  takesNew = true,
): EditablePart {
  const { kind, scope } = list;
  if (isSourced(configuration, kind.name, scope)) return writtenPart(list, written, open);
  const own = configuration.declared.filter((entry) => entry.kind === kind && entry.scope === scope);
  const places = placesIn(own, written, open);
  if (takesNew && places.size === own.length) return { ...list, places };
  return {
    entries: list.entries.filter((entry) => ("declared" in entry ? places.has(entry.declared) : takesNew)),
    missing: list.missing.filter((declared) => places.has(declared)),
    places,
  };
}

/** The index of the item of each resource that stands in a list of a file. */
function placesIn(
  resources: readonly DeclaredResource[],
  written: SyntaxNode,
  { file, place }: ListFile,
): ReadonlyMap<DeclaredResource, number> {
  const indexes = new Map(
    written.items.map(({ value }, index) => {
      const { line, column } = place(value?.start ?? 0);
      return [`${line}:${column}`, index] as const;
    }),
  );
  return new Map(
    resources.flatMap((declared) => {
      const { file: own, line, column } = startOf(declared);
      const index = own === file ? indexes.get(`${line}:${column}`) : undefined;
      return index === undefined ? [] : [[declared, index] as const];
    }),
  );
}

/**
 * The resources that the file declares, with the changes of the values that it declares. Values that a source makes, and resources
 * that are not in the file, are left to the plan. A resource that a source makes too stays, live or not.
 */
function writtenPart(list: DesiredList, written: SyntaxNode, open: ListFile): EditablePart {
  const kept = list.entries.filter((entry) => "declared" in entry);
  const places = placesIn([...kept.map(({ declared }) => declared), ...list.missing], written, open);
  const placeOf = (declared: DeclaredResource): number => places.get(declared) ?? -1;
  const missing = list.missing.filter((declared) => places.has(declared));
  const entries = [
    ...kept.map((entry) => ({
      ...entry,
      fields: writtenChanges(entry.declared, entry.fields, written.items[placeOf(entry.declared)]?.value),
    })),
    ...missing.filter(isMade).map((declared) => ({ declared, fields: new Map() })),
  ];
  return {
    entries: entries
      .filter(({ declared }) => places.has(declared))
      .sort((left, right) => placeOf(left.declared) - placeOf(right.declared)),
    missing: missing.filter((declared) => !isMade(declared)),
    places,
  };
}

/** Whether a source makes values of the resource. */
function isMade(declared: DeclaredResource): boolean {
  const own = fileOf(declared);
  return Object.keys(declared.fields).some((name) => locationOf(declared.origins, `/${name}`).file !== own);
}

/** The changes of values that the item has. */
function writtenChanges(
  { fields: own }: DeclaredResource,
  changes: KeptResource["fields"],
  item: SyntaxNode | undefined,
): KeptResource["fields"] {
  const pairs = [item, valueBelow(item, ["extra"])].flatMap((node) => node?.pairs ?? []);
  return new Map(
    [...changes].flatMap(([name, to]): readonly (readonly [string, Json | undefined])[] => {
      const pair = pairs.find(({ key }) => key === name);
      if (pair === undefined) return [];
      const from = own[name];
      if (!isFields(to) || !isFields(from)) return [[name, to]];
      const names = pair.value?.pairs.map(({ key }) => key) ?? [];
      const inFile = Object.fromEntries(Object.entries(to).filter(([key]) => names.includes(key)));
      const isChanged = names.some((key) => !equal(from[key] ?? null, inFile[key] ?? null));
      return isChanged ? [[name, inFile]] : [];
    }),
  );
}

/** Whether the items are unchanged. */
export function isSame(items: readonly ItemEdit[], count: number): boolean {
  return (
    items.length === count && items.every((item, at) => "from" in item && item.from === at && item.edit === undefined)
  );
}

/** Returns each resource with its file: its own, or for a new one that of the resource before it. */
export function withFiles(
  entries: readonly (KeptResource | AddedResource)[],
  first: string,
): readonly { readonly entry: KeptResource | AddedResource; readonly file: string }[] {
  let file = first;
  return entries.map((entry) => {
    if ("declared" in entry) file = fileOf(entry.declared);
    return { entry, file };
  });
}

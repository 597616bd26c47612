/** Completes a configuration that has entries of other files: final fields, owned lists, and what its digest depends on. */

import { canonical, type Fields, fieldsIn, isList, type Json } from "../../../core/json.ts";
import { withKey } from "../../../kinds/model/lookup.ts";
import { listName } from "../../../kinds/model/resource.ts";
import type { ManagedList } from "../../resources/configuration.ts";
import type { DeclaredResource } from "../../resources/declared-resource.ts";
import { templateAt } from "../../resources/origins.ts";
import type { SourcedList } from "../../resources/sourced-list.ts";
import type { FileBytes } from "../../source/files.ts";
import type { OtherNames } from "./other-names.ts";

/**
 * The resources with an origin for each entry of a sourced list that has none, as a declared one: without it, the service could not
 * tell it from entries of others. Invalid resources stay as they are.
 */
export function withOrigins(
  resources: readonly DeclaredResource[],
  sourced: readonly SourcedList[],
  invalid: ReadonlySet<DeclaredResource>,
): readonly DeclaredResource[] {
  if (sourced.length === 0) return resources;
  const lists = byName(sourced);
  return resources.map((resource) => {
    const { kind, scope, key, fields } = resource;
    const { system = "", id = "" } = kind.identity.origin ?? {};
    const list = lists.get(listName(kind.name, scope));
    if (list === undefined || invalid.has(resource) || (fields[system] ?? fields[id]) !== undefined) return resource;
    return { ...resource, fields: { ...fields, [system]: list.source, [id]: key } };
  });
}

/** The resources with the rewritten fields, and without the values that the sources of entries do not have. */
export function completeFields(
  resources: readonly DeclaredResource[],
  rewritten: ReadonlyMap<DeclaredResource, Fields>,
  sourced: readonly SourcedList[],
  names: OtherNames,
): readonly DeclaredResource[] {
  if (rewritten.size === 0 && sourced.length === 0) return resources;
  const lists = byName(sourced);
  return resources.map((resource) => {
    const { kind, scope } = resource;
    const fields = rewritten.get(resource) ?? resource.fields;
    const list = lists.get(listName(kind.name, scope));
    const complete = list === undefined ? fields : completeEntry(resource, fields, list, names);
    return complete === resource.fields ? resource : { ...resource, fields: complete };
  });
}

/** Resources of which none equals another one of its key, and the lists whose sources made them. */
interface UniqueEntries {
  readonly resources: readonly DeclaredResource[];
  readonly sourced: readonly SourcedList[];
}

/** Leaves out entries that equal an earlier one, now that references have the keys of what they mean. */
export function withoutRepeats(resources: readonly DeclaredResource[], sourced: readonly SourcedList[]): UniqueEntries {
  if (sourced.every(({ repeated }) => repeated.size === 0)) return { resources, sourced };
  const lists = byName(sourced);
  const known = new Set<string>();
  const [unique, repeats]: [DeclaredResource[], DeclaredResource[]] = [[], []];
  for (const resource of resources) {
    const { kind, scope, key, fields, aliases = [] } = resource;
    const isRepeated = lists.get(listName(kind.name, scope))?.repeated.has(key) === true;
    const text = isRepeated ? canonical([resource.address, fields, aliases]) : "";
    (isRepeated && known.has(text) ? repeats : unique).push(resource);
    if (isRepeated) known.add(text);
  }
  const places = repeats.map((one) => JSON.stringify(templateAt(one.origins, "")));
  const counted = sourced.map((list) => ({
    ...list,
    sources: list.sources.map((source) => {
      const less = places.filter((place) => place === JSON.stringify(source.at)).length;
      return { ...source, entries: source.entries - less };
    }),
  }));
  return { resources: unique, sourced: counted };
}

/** The managed lists, with the systems whose entries they own. */
export function ownedLists(managed: readonly ManagedList[], sourced: readonly SourcedList[]): readonly ManagedList[] {
  const lists = byName(sourced);
  return managed.map((list) => {
    const madeBy = lists.get(listName(list.kind, list.scope))?.madeBy;
    return madeBy === undefined ? list : { ...list, madeBy };
  });
}

/** The made entries in place of their files, which change for other reasons too. */
export function digestibleEntries({ kind, scope, sources, digest }: SourcedList): FileBytes {
  const globs = sources.flatMap(({ files }) => files).join(", ");
  return { file: `${kind} of ${scope} from ${globs}`, path: "", bytes: Buffer.from(digest) };
}

function completeEntry(resource: DeclaredResource, own: Fields, sourced: SourcedList, names: OtherNames): Fields {
  const missing = sourced.withoutValue.get(resource.key);
  let fields = missing === undefined ? own : withoutValues(own, missing);
  const values = fieldsIn(fields.attributes);
  for (const [attribute, scope] of sourced.references) {
    for (const { at, text } of textsAt(`/attributes/${attribute}`, values[attribute])) {
      const reference = { at, kind: resource.kind.name, scope, key: text };
      const key = names.keyMeant(reference, resource);
      if (key !== undefined) fields = withKey(fields, reference, key);
    }
    const named = fieldsIn(fields.attributes);
    const list = named[attribute];
    const distinct = isList(list) ? [...new Set(list)] : [];
    if (isList(list) && distinct.length < list.length)
      fields = { ...fields, attributes: { ...named, [attribute]: distinct } };
  }
  return fields;
}

/** The texts of a value, which is one text or a list, with their JSON Pointers. */
function textsAt(at: string, value: Json | undefined): readonly { readonly at: string; readonly text: string }[] {
  if (isList(value)) return value.flatMap((item, index) => textsAt(`${at}/${index}`, item));
  return typeof value === "string" && value !== "" ? [{ at, text: value }] : [];
}

/** Null where the source has no value and the type's file has none either: the live value goes. */
function withoutValues(fields: Fields, names: ReadonlySet<string>): Fields {
  const values = fieldsIn(fields.attributes);
  const missing = [...names].filter((name) => !Object.hasOwn(values, name));
  return { ...fields, attributes: { ...values, ...Object.fromEntries(missing.map((name) => [name, null])) } };
}

function byName(sourced: readonly SourcedList[]): ReadonlyMap<string, SourcedList> {
  return new Map(sourced.map((list) => [listName(list.kind, list.scope), list]));
}

/** Names what is live and what the files do not manage, as far as the plan has read it: whole lists, their members that stay, and lists in resources. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { isTop } from "../../config/resources/lists.ts";
import { partAt, resourceSchema, typesOf } from "../../config/schema/schema.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import { fieldsIn, isFields, isList, type Json } from "../../core/json.ts";
import { childrenOf, type Kind, LIFECYCLE, ownerKindOf } from "../../kinds/model/kind.ts";
import { addressPrefix, isDisabled, type LiveResource, listName, staysUnlisted } from "../../kinds/model/resource.ts";
import type { ResolvedWorkspace } from "../../workspace/match/resolve.ts";
import type { Unmanaged } from "../model/plan.ts";

/** Names of resources or items that an entry has. */
const MAX_NAMES = 3;

/** The parts of the workspace that a configuration, of which a plan may cover a part, does not manage; by kind in registry order. */
export function unmanagedBy(
  { managed, declared, settings }: Configuration,
  { state, matching }: ResolvedWorkspace,
): readonly Unmanaged[] {
  const names = new Set(managed.map(({ kind, scope }) => listName(kind, scope)));
  const kinds = [...state.kinds.values()];
  const unlisted = matching.lists.flatMap((list) => {
    const kind = state.kinds.get(list.kind);
    if (kind === undefined) return [];
    const isKept = removalPolicyOf(settings, kind) === "keep";
    const stays = list.undeclared.filter((live) => staysUnlisted(live) || (isKept && !isDisabled(live)));
    return stays.length === 0 ? [] : [entryOf(kind, list.scope, stays)];
  });
  const stated = new Set(declared.map(({ kind }) => kind));
  const fields = new Map([...stated].map((kind) => [kind.name, listFields(kind, kinds)]));
  // Ignored and accepted fields are declared, though the matches do not have them.
  const byAddress = new Map(declared.map((resource) => [resource.address, resource]));
  const existing = matching.existing((kind) => (fields.get(kind) ?? []).length > 0);
  const inResources = existing.flatMap(({ declared: { kind, address }, live }) => {
    const { fields: own = {} } = byAddress.get(address) ?? {};
    return (fields.get(kind.name) ?? []).flatMap((field) => undeclaredItems(kind, field, own[field], live));
  });
  return kinds.flatMap((kind) => [
    ...unmanagedLists(kind, names, { managed, declared }, state),
    ...unlisted.filter((entry) => entry.kind === kind.name),
    ...inResources.filter((entry) => entry.kind === kind.name),
  ]);
}

/** The lists of a kind that are not managed and hold something, and those that were not read. */
function unmanagedLists(
  kind: Kind,
  names: ReadonlySet<string>,
  configuration: Pick<Configuration, "managed" | "declared">,
  state: ResolvedWorkspace["state"],
): readonly Unmanaged[] {
  const scopes = scopesOf(kind, configuration.declared, state);
  const open = scopes.filter((scope) => !names.has(listName(kind.name, scope)));
  const lists = open.map((scope) => ({ scope, live: state.live(kind.name, scope) }));
  const isUntouched =
    lists.every(({ live }) => live === undefined) && !configuration.managed.some((list) => list.kind === kind.name);
  if (isUntouched && isTop(kind) && scopes.length > 0) return [{ address: kind.name, kind: kind.name }];
  return lists.flatMap(({ scope, live }): readonly Unmanaged[] => {
    if (live === undefined) return [{ address: addressPrefix(kind, scope).slice(0, -1), kind: kind.name }];
    return live.length === 0 ? [] : [entryOf(kind, scope, live)];
  });
}

/** The scopes of a kind, in the words of the files; without those in resources of which nothing is known. */
function scopesOf(
  kind: Kind,
  declared: readonly DeclaredResource[],
  state: ResolvedWorkspace["state"],
): readonly string[] {
  const { scopes } = kind;
  const owner = ownerKindOf(kind);
  if (owner === undefined) return scopes?.names ?? [""];
  const ownScope = scopes?.patterns.some((pattern) => !pattern.includes("*")) === true ? [""] : [];
  const owners = state.live(owner) ?? [];
  const own = declared.filter((resource) => resource.kind.name === owner);
  const names = new Map(
    own.flatMap(({ key, pin, renamedFrom }) => [pin ?? [], renamedFrom ?? []].flat().map((name) => [name, key])),
  );
  return [...ownScope, ...owners.map(({ key, id }) => names.get(id) ?? names.get(key) ?? key)];
}

function entryOf(kind: Kind, scope: string, live: readonly LiveResource[]): Unmanaged {
  const names = kind.identity.keys.length === 0 ? [] : live.slice(0, MAX_NAMES).map(({ key }) => key);
  return {
    address: addressPrefix(kind, scope).slice(0, -1),
    kind: kind.name,
    resources: live.length,
    ...(names.length === 0 ? {} : { names }),
  };
}

/** The fields of a kind that hold lists, without nested resources and names that only the files use. */
function listFields(kind: Kind, kinds: readonly Kind[]): readonly string[] {
  const schema = resourceSchema(kind);
  const nested = childrenOf(kinds, kind).flatMap(({ parent }) => parent?.field ?? []);
  const apart = [...LIFECYCLE, ...nested, kind.identity.otherNames?.aliases];
  return Object.keys(fieldsIn(schema.part.properties)).filter(
    (name) => !apart.includes(name) && typesOf(partAt(schema, name)).includes("array"),
  );
}

/** The live items of a list that is not declared, or that stay although they are not in it. */
function undeclaredItems(kind: Kind, field: string, own: Json | undefined, live: LiveResource): readonly Unmanaged[] {
  const value = live.fields[field];
  if (!isList(value)) return [];
  const { keyedItems } = kind.fields?.[field] ?? {};
  const keyOf = (item: Json): Json => (isFields(item) && keyedItems !== undefined ? keyedItems.keyOf(item) : item);
  if (own !== undefined && (keyedItems === undefined || !staysUnlisted(live))) return [];
  const listed = new Set(isList(own) ? own.map(keyOf) : []);
  const items = value.map(keyOf).filter((item) => !listed.has(item));
  if (items.length === 0) return [];
  const names = items.slice(0, MAX_NAMES).filter((item) => typeof item === "string");
  return [
    {
      address: live.address,
      kind: kind.name,
      path: `/${field}`,
      items: items.length,
      ...(names.length === 0 ? {} : { names }),
    },
  ];
}

/** New files for kinds that are not in the configuration yet, written from the live state. */

import { type UnrepresentableValue, unrepresentable } from "../../config/edit/representable.ts";
import { documentText } from "../../config/edit/yaml-writer.ts";
import { listPath } from "../../config/resources/lists.ts";
import { escapeSubstitutions } from "../../config/values/substitution.ts";
import { type Fields, isList, type Json, withoutMembers, withValueAt } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import { kinds } from "../../kinds/index.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { type FileFields, newResourceFields } from "./desired-files.ts";

/** A live value that a pull omits, and the reason. */
export interface OmittedValue {
  readonly address: string;
  /** JSON Pointer into the resource; empty for all of it. */
  readonly path: string;
  readonly reason: string;
}

/** The contents of a new file. */
export interface NewFile {
  /** The module of its kinds, which is its name without the extension. */
  readonly module: string;
  readonly text: string;
  readonly lists: readonly NewList[];
}

/** A list in a new file: its path, and the addresses of its resources. */
export interface NewList {
  readonly path: readonly string[];
  readonly addresses: readonly string[];
  /** Addresses of nested resources. */
  readonly inside: readonly string[];
}

/** Returns new files for kinds, one for each module. An empty list is omitted, so that its kind is not managed. */
export function newFiles(
  selectedKinds: readonly Kind[],
  state: ResolvedState,
  fileFields: FileFields,
  omitted: OmittedValue[],
  refused: ReadonlySet<string>,
): readonly NewFile[] {
  return [...groupBy(selectedKinds, (kind) => kind.module)].flatMap(([module, ownKinds]) => {
    const lists: NewList[] = [];
    const ownLists = ownKinds.flatMap((kind) => {
      const value = newKind(kind, state, fileFields, omitted, refused, lists);
      return value === undefined ? [] : [[kind.name, value] as const];
    });
    return ownLists.length === 0 ? [] : [{ module, text: documentText(Object.fromEntries(ownLists)), lists }];
  });
}

/** The content of a kind's key; undefined if nothing of the kind can be managed. Adds its lists to `newLists`. */
function newKind(
  kind: Kind,
  state: ResolvedState,
  fileFields: FileFields,
  omitted: OmittedValue[],
  refused: ReadonlySet<string>,
  newLists: NewList[],
): Json | undefined {
  const known = kind.scopes?.names ?? [];
  const liveScopes = new Set(state.all(kind.name).map(({ scope }) => scope));
  const scopes = [...known.filter((scope) => liveScopes.delete(scope)), ...liveScopes];
  const inner = childrenOf(kinds, kind);
  const lists = scopes.map((scope) => {
    const listed = newList(kind, scope, state, fileFields);
    const entries = listed.map(([live, fields]) => representableFields(live, fields, omitted, refused));
    const nested = listed.flatMap(([{ key }]) => inner.flatMap(({ name }) => state.live(name, key) ?? []));
    return {
      path: pathOf(kind, scope),
      entries,
      addresses: listed.map(([{ address }]) => address),
      inside: nested.map(({ address }) => address),
    };
  });
  // A plan would remove an omitted resource: a kind with a resource that no file can hold is not managed.
  if (lists.some(({ entries }) => entries.includes(undefined))) return undefined;
  const filled = lists.filter(({ entries }) => entries.length > 0);
  newLists.push(...filled);
  return filled.reduce<Json | undefined>(
    (all, { path, entries }) =>
      withValueAt(
        all,
        path.slice(1),
        entries.filter((entry) => entry !== undefined),
      ),
    undefined,
  );
}

/** The keys that lead to a list in its file. A scope may look like a substitution. */
export function pathOf(kind: Kind, scope: string): readonly string[] {
  return listPath(kind, escapeSubstitutions(scope));
}

/** Returns live resources with their fields in a file, including nested resources. */
function newList(
  kind: Kind,
  scope: string,
  state: ResolvedState,
  fileFields: FileFields,
): readonly (readonly [LiveResource, Fields])[] {
  const { exemptions } = state.configuration;
  const live = (state.live(kind.name, scope) ?? []).filter(({ address }) => exemptions?.covers(address) !== true);
  const inner = childrenOf(kinds, kind);
  return live.flatMap((entry) => {
    const isDuplicateKey = live.filter(({ key }) => key === entry.key).length > 1;
    const fields = newResourceFields(entry, fileFields(entry), { isDuplicateKey, nests: inner.length > 0 });
    return withNested(entry, fields, inner, state, fileFields);
  });
}

/** Returns a resource with its nested resources. */
export function withNested(
  entry: LiveResource,
  fields: Fields,
  inner: readonly Kind[],
  state: ResolvedState,
  fileFields: FileFields,
): readonly (readonly [LiveResource, Fields])[] {
  const nested = inner.flatMap((kind) => {
    if (state.live(kind.name, entry.key) === undefined || kind.parent === undefined) return [];
    const list = newList(kind, entry.key, state, fileFields).map(([, own]) => own);
    return [[kind.parent.field, list] as const];
  });
  const isBuiltin = inner.length > 0 && entry.kind.lifecycle.builtins?.matches?.(entry.row) === true;
  if (isBuiltin && nested.every(([, list]) => list.length === 0)) return [];
  return [[entry, { ...fields, ...Object.fromEntries(nested) }]];
}

/** Returns the fields that a file can hold; undefined if it cannot hold the identity. */
export function representableFields(
  { kind, address, keyField }: LiveResource,
  fields: Fields,
  omitted: OmittedValue[],
  refused: ReadonlySet<string> = new Set(),
): Fields | undefined {
  const refusedValues = [...refused].flatMap((name): readonly UnrepresentableValue[] => {
    const [at = "", pointer = ""] = name.split("#");
    return at === address ? [{ pointer, reason: "it references a resource that no file can hold" }] : [];
  });
  const problems = [...unrepresentable(kind, fields), ...refusedValues];
  const drop = new Set<string>();
  let isUnidentified = false;
  for (const { pointer, reason } of problems) {
    const [, name = "", at, inner] = pointer.split("/");
    const list = fields[name];
    const nested = isList(list) && inner !== undefined ? nestedKind(kind, name) : undefined;
    const path = nested === undefined ? `/${name}` : `/${name}/${at}/${inner}`;
    isUnidentified ||=
      nested === undefined ? name === "" || name === keyField : nested.identity.keys.includes(inner ?? "");
    if (drop.has(path)) continue;
    drop.add(path);
    omitted.push({ address, path: name === "" ? "" : path, reason });
  }
  return isUnidentified ? undefined : withoutMembers(fields, drop);
}

function nestedKind(kind: Kind, name: string): Kind | undefined {
  return childrenOf(kinds, kind).find(({ parent }) => parent?.field === name);
}

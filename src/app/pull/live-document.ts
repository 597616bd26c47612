/** The live state as a document: files for kinds that are not in the configuration yet. */

import { declarableFields } from "../../config/edit/declarable.ts";
import { type UnrepresentableValue, unrepresentable } from "../../config/edit/representable.ts";
import { documentText } from "../../config/edit/yaml-writer.ts";
import type { Configuration } from "../../config/resources/configuration.ts";
import { listPath } from "../../config/resources/lists.ts";
import { isLeftAlone } from "../../config/settings/exemptions.ts";
import { escapeSubstitutions } from "../../config/values/substitution.ts";
import { type Fields, fieldsIn, isList, type Json, withoutMembers, withValueAt } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import { kinds } from "../../kinds/index.ts";
import { childrenOf, type Kind } from "../../kinds/model/kind.ts";
import { type LiveResource, staysUnlisted } from "../../kinds/model/resource.ts";
import type { Reader } from "../../service/requests/connection.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { type FileFields, newResourceFields } from "./desired-files.ts";
import { observeKinds, topOf } from "./read-live.ts";
import { resolveWithinLimits } from "./within-limits.ts";

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

/** The live state to write, and how. */
interface LiveContent {
  readonly kinds: readonly Kind[];
  readonly state: ResolvedState;
  readonly fileFields: FileFields;
  /** Parts that the loader refuses, as `address#pointer`, with the reasons. */
  readonly refused: ReadonlyMap<string, string>;
  /** Write an empty list for a kind without resources, so that it is managed. Default: its key is omitted. */
  readonly writesEmptyLists?: boolean;
}

/** New files, and the values that none of them can hold. */
interface LiveFiles {
  readonly files: readonly NewFile[];
  readonly omitted: readonly OmittedValue[];
}

/** Reads a whole service, and writes it as files for a configuration that declares nothing of it. */
export async function liveDocument(reader: Reader, configuration: Configuration): Promise<LiveFiles> {
  const names = topOf(kinds.map(({ name }) => name));
  const top = kinds.filter(({ name }) => names.includes(name));
  const { state, lost } = resolveWithinLimits(configuration, await observeKinds(reader, top, names));
  const fileFields = (resource: LiveResource) => declarableFields(resource, kinds);
  const { files, omitted } = liveFiles({ kinds: top, state, fileFields, refused: new Map() });
  return { files, omitted: [...lost, ...omitted] };
}

/** The comment above an empty list. */
const EMPTY = "# The workspace has none. With this empty list, plan and drift show what somebody adds by hand.\n";

/** Writes the live resources of kinds, one file for each module. */
export function liveFiles({ kinds: selected, ...content }: LiveContent): LiveFiles {
  const modules = [...groupBy(selected, (kind) => kind.module)].map(([module, own]) => {
    const parts = own.map((kind) => ({ kind, ...kindPart(kind, content) }));
    const filled = parts.flatMap(({ kind, value }) => (value === undefined ? [] : [[kind.name, value] as const]));
    const empty =
      content.writesEmptyLists === true
        ? [
            ...emptyKinds(
              own.filter(({ name }) => filled.every(([other]) => other !== name)),
              content.state,
            ),
            ...emptyListsApart(own, content.state),
          ]
        : [];
    const text = [
      ...(filled.length === 0 ? [] : [documentText(Object.fromEntries(filled))]),
      ...empty.map((document) => EMPTY + documentText(document)),
    ].join("\n");
    const file = { module, text, lists: parts.flatMap(({ lists }) => lists) };
    return { files: text === "" ? [] : [file], omitted: parts.flatMap(({ omitted }) => omitted) };
  });
  return { files: modules.flatMap(({ files }) => files), omitted: modules.flatMap(({ omitted }) => omitted) };
}

/** Documents of the kinds without live resources that a file would hold; of several lists, the one that every workspace has. */
function emptyKinds(own: readonly Kind[], state: ResolvedState): readonly Fields[] {
  const { exemptions } = state.configuration;
  const isElsewhere = ({ kind, address, row }: LiveResource): boolean =>
    isLeftAlone(exemptions, address) ||
    (kind.lifecycle.builtins?.matches?.(row) === true && childrenOf(kinds, kind).length > 0);
  return own.flatMap((kind) => {
    const isEmpty = hasMainList(kind) && state.all(kind.name).every(isElsewhere);
    return isEmpty ? [fieldsIn(withValueAt({}, pathOf(kind, ""), []))] : [];
  });
}

/** Whether every workspace has one of the kind's lists. */
function hasMainList({ scopes }: Kind): boolean {
  return scopes === undefined || scopes.patterns.some((pattern) => !pattern.includes("*"));
}

/** Documents of the nested lists that are empty, in built-in resources, which no list of a file has for that. */
function emptyListsApart(own: readonly Kind[], state: ResolvedState): readonly Fields[] {
  const { exemptions } = state.configuration;
  return own.flatMap((kind) =>
    childrenOf(kinds, kind).flatMap((child) => {
      const owners = state
        .all(kind.name)
        .filter((live) => staysUnlisted(live) && !isLeftAlone(exemptions, live.address))
        .filter(({ key }) => child.parent?.apart === true && state.live(child.name, key)?.length === 0);
      const lists = owners.reduce<Json | undefined>(
        (whole, { key }) => withValueAt(whole, pathOf(child, key), []),
        undefined,
      );
      return lists === undefined ? [] : [fieldsIn(lists)];
    }),
  );
}

/** The content of a kind's key, with its lists; without a value if nothing of the kind can be managed. */
function kindPart(
  kind: Kind,
  { state, fileFields, refused, writesEmptyLists }: Omit<LiveContent, "kinds">,
): { readonly value?: Json; readonly lists: readonly NewList[]; readonly omitted: readonly OmittedValue[] } {
  const known = kind.scopes?.names ?? [];
  const liveScopes = new Set(state.all(kind.name).map(({ scope }) => scope));
  const scopes = [...known.filter((scope) => liveScopes.delete(scope)), ...liveScopes];
  const inner = childrenOf(kinds, kind);
  const all = scopes.map((scope) => {
    const listed = newList(kind, scope, state, fileFields);
    const held = listed.map(([live, fields]) => representableFields(live, fields, refusedIn(live, state, refused)));
    const nested = listed.flatMap(([{ key }]) => inner.flatMap(({ name }) => state.live(name, key) ?? []));
    return {
      path: pathOf(kind, scope),
      entries: held.map(({ fields }) => fields),
      addresses: listed.map(([{ address }]) => address),
      inside: nested.map(({ address }) => address),
      omitted: held.flatMap(({ omitted }) => omitted),
    };
  });
  const omitted = all.flatMap((list) => list.omitted);
  // A plan would remove an omitted resource: a kind with a resource that no file can hold is not managed.
  if (all.some(({ entries }) => entries.includes(undefined))) return { lists: [], omitted };
  const lists = all.filter(({ entries }) => entries.length > 0);
  const isMainEmpty = writesEmptyLists === true && hasMainList(kind) && state.live(kind.name, "")?.length === 0;
  const value = lists.reduce<Json | undefined>(
    (whole, { path, entries }) =>
      withValueAt(
        whole,
        path.slice(1),
        entries.filter((entry) => entry !== undefined),
      ),
    isMainEmpty && lists.length > 0 ? withValueAt(undefined, pathOf(kind, "").slice(1), []) : undefined,
  );
  return { ...(value === undefined ? {} : { value }), lists, omitted };
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
  const listed =
    kind.lifecycle.isShownInOrder === true ? inListOrder(kind, scope, state) : state.live(kind.name, scope);
  const live = (listed ?? []).filter(({ address }) => !isLeftAlone(exemptions, address));
  const inner = childrenOf(kinds, kind);
  return live.flatMap((entry) => {
    const isDuplicateKey = live.filter(({ key }) => key === entry.key).length > 1;
    const fields = newResourceFields(entry, fileFields(entry), { isDuplicateKey, nests: inner.length > 0 });
    return withNested(entry, fields, inner, state, fileFields);
  });
}

/** The live resources of a list as the service lists them. */
function inListOrder(kind: Kind, scope: string, state: ResolvedState): readonly LiveResource[] | undefined {
  const places = new Map(state.answeredRows(kind.name).map((row, place) => [row, place]));
  const placeOf = ({ row }: LiveResource): number => places.get(row) ?? places.size;
  return state.live(kind.name, scope)?.toSorted((left, right) => placeOf(left) - placeOf(right));
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

/**
 * The values of a live resource that are left out: those that the loader refuses, and the conditions of a rule, where the service returns those
 * of no rule; without them, it would match every alert.
 */
export function refusedIn(
  { kind, address }: Pick<LiveResource, "kind" | "address">,
  state: ResolvedState,
  refused: ReadonlyMap<string, string>,
): readonly UnrepresentableValue[] {
  const reason = "the service does not return it, and a file without it would mean more";
  const unseen = state.lacksConditions(kind) ? [{ pointer: `/${kind.rule?.conditions}`, reason }] : [];
  const own = [...refused].flatMap(([name, why]) => {
    const [at = "", pointer = ""] = name.split("#");
    return at === address ? [{ pointer, reason: why }] : [];
  });
  return [...unseen, ...own];
}

/**
 * The fields that a file can hold, and those that it cannot. Undefined if it cannot hold the identity, or if the resource would mean more
 * without what is left out: a rule without its conditions, or a grant without its environments.
 */
export function representableFields(
  { kind, address, keyField }: LiveResource,
  fields: Fields,
  refused: readonly UnrepresentableValue[] = [],
): { readonly fields: Fields | undefined; readonly omitted: readonly OmittedValue[] } {
  const omitted = new Map<string, OmittedValue>();
  let isUnheld = false;
  for (const { pointer, reason } of [...refused, ...unrepresentable(kind, fields)]) {
    const [, name = "", at, inner] = pointer.split("/");
    const list = fields[name];
    const nested = isList(list) && inner !== undefined ? nestedKind(kind, name) : undefined;
    const path = nested === undefined ? `/${name}` : `/${name}/${at}/${inner}`;
    isUnheld ||=
      kind.lifecycle.order === "rank" ||
      (nested === undefined
        ? name === "" || name === keyField || isLimit(kind, name)
        : nested.identity.keys.includes(inner ?? "") || isLimit(nested, inner));
    if (!omitted.has(path)) omitted.set(path, { address, path: name === "" ? "" : path, reason });
  }
  const held = isUnheld ? undefined : withoutMembers(fields, new Set(omitted.keys()));
  return { fields: held, omitted: [...omitted.values()] };
}

function isLimit({ fields }: Kind, name: string | undefined): boolean {
  return name !== undefined && fields?.[name]?.limits === true;
}

function nestedKind(kind: Kind, name: string): Kind | undefined {
  return childrenOf(kinds, kind).find(({ parent }) => parent?.field === name);
}

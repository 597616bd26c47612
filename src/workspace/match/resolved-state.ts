/**
 * The live state in the words of the files, beside what is declared: lists of resources, and the ids and keys behind them. It is
 * made once for each round of reading.
 */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { matchesPattern } from "../../config/settings/removal-policy.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { hasOneList, type Kind, leadsTo, mayReference, POSITION, type Rejection } from "../../kinds/model/kind.ts";
import { type IdLookup, Pending, type Reference, type WireFields } from "../../kinds/model/lookup.ts";
import { addressOf, addressPrefix, type ListName, type LiveResource, listName } from "../../kinds/model/resource.ts";
import { inWords } from "./known-values.ts";
import { keysByOrigin } from "./match-origin.ts";
import type { Observation, ObservedList } from "./observation.ts";

/** Resources of one list, declared and live, and the functions of the kind for this list. */
export class ResolvedList {
  readonly kind: Kind;
  readonly scope: string;
  /** Undefined if it was not read. Ordered kinds in the service's order, others by key. */
  readonly live: readonly LiveResource[] | undefined;
  /** In the order of the files. */
  readonly declared: readonly DeclaredResource[];
  /** The references in a resource's fields. */
  readonly referencesOf: (fields: Fields) => readonly Reference[];
  /** The fields to send, in the words of the wire. */
  readonly encode: (fields: Fields) => WireFields;
  /** Adds to declared fields the values that the service would delete, because it replaces a field as a whole. */
  readonly fillForReplace: (declared: Fields, live: Fields, row: Fields) => Fields;
  /** The fields to send so that nothing is referenced at these JSON Pointers any more; undefined if a required value prevents it. */
  readonly withoutReferences: (fields: Fields, pointers: readonly string[]) => Fields | undefined;
  /** The declared fields that the service would refuse; without live fields for a creation. */
  readonly rejectedFields: (declared: Fields, live: Fields | undefined) => readonly Rejection[];
  #liveByKey: ReadonlyMap<string, LiveResource> | undefined;
  #declaredByKey: ReadonlyMap<string, DeclaredResource> | undefined;

  constructor(
    kind: Kind,
    scope: string,
    live: readonly LiveResource[] | undefined,
    declared: readonly DeclaredResource[],
    lookup: IdLookup,
  ) {
    this.kind = kind;
    this.scope = scope;
    this.live = live;
    this.declared = declared;
    const { references = {}, codec = {}, lifecycle } = kind;
    this.referencesOf = once(() => references.of?.(lookup, scope) ?? (() => NO_REFERENCES));
    this.rejectedFields = once(() => lifecycle.rejectFields?.(lookup, scope) ?? (() => []));
    this.encode = once(() => codec.encode?.(lookup, scope) ?? ((fields: Fields) => fields));
    this.fillForReplace = once(() => codec.fillForReplace?.(lookup, scope) ?? ((fields: Fields) => fields));
    this.withoutReferences = once(() => references.without?.(lookup, scope) ?? (() => undefined));
  }

  /** The live resource of a key; of several the first. */
  liveBy(key: string): LiveResource | undefined {
    this.#liveByKey ??= byKey(this.live ?? []);
    return this.#liveByKey.get(key);
  }

  declaredBy(key: string): DeclaredResource | undefined {
    this.#declaredByKey ??= byKey(this.declared);
    return this.#declaredByKey.get(key);
  }
}

/** Everything that is declared, and everything that was read, decoded. */
export class ResolvedState implements IdLookup {
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly configuration: Configuration;
  readonly #observation: Observation;
  readonly #managed: ReadonlySet<string>;
  readonly #lists = new Map<string, ResolvedList>();
  /** Kind → id → key. */
  readonly #keys = new Map<string, Map<string, string>>();
  readonly #read: ReadonlySet<string>;
  /** Rows that have another key in the files than on the wire: the origin of a declared resource tells what they are. */
  readonly #renamed = new Map<Fields, string>();
  /** Rows that the service answered in other words → as it answered them. */
  readonly #answered: ReadonlyMap<Fields, Fields>;
  /** Kind → ids in what was read that belong to no resource that was read: in the files they stand for themselves. */
  readonly #foreign = new Map<string, Set<string>>();
  /** Lists that the row being decoded asks for and that were not read. */
  #unresolved: readonly ListName[] = NO_LISTS;

  constructor(kinds: readonly Kind[], configuration: Configuration, observation: Observation) {
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.configuration = configuration;
    const { lists, answered } = inWords(kinds, observation.lists);
    this.#observation = { ...observation, lists };
    this.#answered = answered;
    this.#managed = new Set(configuration.managed.map(({ kind, scope }) => listName(kind, scope)));
    this.#read = new Set(observation.lists.map(({ kind, scope }) => listName(kind, scope)));
    for (const list of lists) this.#renameByOrigin(list);
    for (const list of lists) this.#indexIds(list);
    const contents = new Map<string, ListContents>();
    const renames = configuration.declared.filter(({ renamedFrom }) => renamedFrom !== undefined);
    for (const list of lists) this.#decode(list, renames, contents);
    for (const resource of configuration.declared) contentsOf(contents, resource).declared.push(resource);
    for (const [name, { kind, scope, live, declared }] of contents) {
      this.#lists.set(name, new ResolvedList(kind, scope, live, declared, this));
    }
  }

  /** A list that was read or holds declared resources. */
  list(kind: string, scope = ""): ResolvedList | undefined {
    return this.#lists.get(listName(kind, scope));
  }

  /** Whether the files manage a list. */
  isManaged(kind: string, scope = ""): boolean {
    return this.#managed.has(listName(kind, scope));
  }

  /** The list of a resource. */
  listOf({ kind, scope }: { readonly kind: Kind; readonly scope: string }): ResolvedList {
    const name = listName(kind.name, scope);
    const list = this.#lists.get(name) ?? new ResolvedList(kind, scope, undefined, [], this);
    this.#lists.set(name, list);
    return list;
  }

  /** The live resources of a list; undefined if it was not read. */
  live(kind: string, scope = ""): readonly LiveResource[] | undefined {
    return this.list(kind, scope)?.live;
  }

  /** The lists of a kind, one for each scope. */
  listsOf(kind: string): readonly ResolvedList[] {
    return [...this.#lists.values()].filter((list) => list.kind.name === kind);
  }

  /** Every live resource of a kind that was read, in all its scopes. */
  all(kind: string): readonly LiveResource[] {
    return this.listsOf(kind).flatMap((list) => list.live ?? []);
  }

  /** The declared resources of a list, in the order of the files. */
  declaredIn(kind: string, scope: string): readonly DeclaredResource[] {
    return this.list(kind, scope)?.declared ?? [];
  }

  declared(kind: string, key: string, scope = ""): DeclaredResource | undefined {
    return this.list(kind, scope)?.declaredBy(key);
  }

  /** Whether references through a list may lead to resources of a kind. */
  mayLeadTo(list: ListName, target: Kind): boolean {
    const between = this.kinds.get(list.kind);
    return between !== undefined && leadsTo(between, target);
  }

  /** Kinds that may reference resources of a list and could not be read: whether they do is unknown. */
  unread(kind: Kind, scope: string): readonly string[] {
    return this.#observation.unread.filter((name) => {
      const other = this.kinds.get(name);
      return other !== undefined && mayReference(other, kind, scope);
    });
  }

  fields(kind: string, key: string, scope = ""): Fields | undefined {
    const list = this.list(kind, scope);
    const live = list?.liveBy(key)?.fields ?? this.#defaults(kind, key);
    const declared = list?.declaredBy(key);
    if (live === undefined || declared === undefined) return live ?? declared?.fields;
    return { ...live, ...declared.fields, ...keyedItemsOfBoth(declared, live) };
  }

  #defaults(kind: string, key: string): Fields | undefined {
    const definitions = this.kinds.get(kind)?.lifecycle.builtins?.definitions ?? {};
    return this.#observation.isDefault === true && Object.hasOwn(definitions, key) ? definitions[key] : undefined;
  }

  declaredFields(kind: string, key: string, scope = ""): Fields | undefined {
    return this.declared(kind, key, scope)?.fields;
  }

  /** Whether a resource is live or declared. */
  has(kind: string, key: string, scope = ""): boolean {
    const list = this.list(kind, scope);
    return list?.liveBy(key) !== undefined || list?.declaredBy(key) !== undefined;
  }

  id(kind: string, key: string, scope = ""): string | Pending {
    const list = this.list(kind, scope);
    const formerKey = list?.declaredBy(key)?.renamedFrom;
    const live = list?.liveBy(key) ?? (formerKey === undefined ? undefined : list?.liveBy(formerKey));
    if (live !== undefined) return String(live.row.id ?? live.id);
    if (list?.declaredBy(key) === undefined && this.#foreign.get(kind)?.has(key) === true) return key;
    const row = this.kinds.get(kind);
    return new Pending(row === undefined ? `${kind}/${key}` : addressOf(row, scope, key), "id");
  }

  key(kind: string, id: string, scope?: string): string | undefined {
    const key = this.#keys.get(kind)?.get(id);
    if (key !== undefined) return key;
    this.#foreign.set(kind, (this.#foreign.get(kind) ?? new Set()).add(id));
    if (scope !== undefined) this.#needs(kind, scope);
    return undefined;
  }

  /** Whether the service returns the conditions of none of its rules. */
  lacksConditions({ name, rule }: Kind): boolean {
    const rules = rule === undefined ? [] : this.all(name);
    return rules.length > 0 && rules.every(({ row }) => row[rule?.conditions ?? ""] === undefined);
  }

  rows(kind: string): readonly Fields[] {
    const row = this.kinds.get(kind);
    if (row === undefined) return [];
    if (hasOneList(row)) this.#needs(kind, "");
    return this.rowsSoFar(kind);
  }

  rowsSoFar(kind: string): readonly Fields[] {
    return this.#observation.lists.flatMap((list) => (list.kind === kind ? list.rows : []));
  }

  /** The rows of a kind as the service answered them. */
  answeredRows(kind: string): readonly Fields[] {
    return this.rowsSoFar(kind).map((row) => this.#answered.get(row) ?? row);
  }

  /** Notes a list that was not read and without which the row being decoded is not understood. */
  #needs(kind: string, scope: string): void {
    if (this.#read.has(listName(kind, scope)) || !this.kinds.has(kind)) return;
    if (this.#unresolved.some((list) => list.kind === kind && list.scope === scope)) return;
    this.#unresolved = [...this.#unresolved, { kind, scope }];
  }

  #renameByOrigin({ kind: name, scope, rows }: ObservedList): void {
    const kind = this.kinds.get(name);
    if (kind?.identity.origin === undefined || isNamedBySlug(this.kinds.values(), name, scope)) return;
    const { declared, naming = declared, settings, sourced = [] } = this.configuration;
    const own = naming.filter((one) => one.kind === kind && one.scope === scope);
    const keyOf = (row: Fields) => keyOfRow(kind, row)?.toString();
    const prefix = addressPrefix(kind, scope);
    const isProtected = (key: string) => settings.protected.some((one) => matchesPattern(one, prefix + key));
    const { takenOver, madeBy } = sourced.find((list) => list.kind === name && list.scope === scope) ?? {};
    const isOwn = (system: string) => madeBy?.includes(system) !== false;
    const ownership = { takenOver, isOwn, isProtected };
    for (const [row, key] of keysByOrigin(kind, rows, keyOf, own, ownership)) this.#renamed.set(row, key);
  }

  #indexIds(list: ObservedList): void {
    const kind = this.kinds.get(list.kind);
    if (kind === undefined) return;
    const keys = this.#keys.get(kind.name) ?? new Map<string, string>();
    for (const row of list.rows) {
      const key = this.#renamed.get(row) ?? keyOfRow(kind, row);
      if (typeof row.id === "string" && key !== undefined) keys.set(row.id, String(key));
    }
    this.#keys.set(kind.name, keys);
  }

  #decode(observed: ObservedList, renames: readonly DeclaredResource[], contents: Map<string, ListContents>): void {
    const kind = this.kinds.get(observed.kind);
    if (kind === undefined) return;
    const scope = this.#scopeInFiles(kind, observed.scope, renames);
    const list = contentsOf(contents, { kind, scope });
    // The list under the former name has been read as well.
    if (observed.rows.length === 0 && list.live !== undefined) return;
    const decode = kind.codec?.decode?.(this, observed.scope) ?? ((row: Fields) => row);
    const { keys, idFields } = kind.identity;
    // The address stays the live one where the files rename the scope.
    const prefix = addressPrefix(kind, observed.scope);
    const resources = inServiceOrder(kind, observed.rows).map((known, index): LiveResource => {
      const row = this.#answered.get(known) ?? known;
      this.#unresolved = NO_LISTS;
      const answered = withFieldNames(kind, decode(known));
      const keyField = keys.find((name) => typeof answered[name] === "string") ?? "";
      const key =
        keys.length === 0 ? String(index + 1) : (this.#renamed.get(known) ?? String(answered[keyField] ?? ""));
      const id = idFields.map((name) => row[name]).find((value) => value !== undefined && value !== null);
      const address = prefix + key;
      const fields = this.#observation.disabled?.has(address) === true ? withSwitchOff(kind, answered) : answered;
      return { kind, scope, key, keyField, address, fields, row, id: String(id ?? key), unresolved: this.#unresolved };
    });
    list.live = kind.lifecycle.order === undefined ? resources.sort(byKeyAndId) : resources;
  }

  /** The scope in the files for a live scope: its new name if the files rename the resource that is the scope. */
  #scopeInFiles({ scopes }: Kind, scope: string, renames: readonly DeclaredResource[]): string {
    if (scopes?.kind === undefined || scope === "") return scope;
    const renaming = renames.find(({ kind, renamedFrom }) => kind.name === scopes.kind && renamedFrom === scope);
    const isTaken =
      renaming !== undefined && this.rows(scopes.kind).some((row) => row[renaming.keyField] === renaming.key);
    return renaming === undefined || isTaken ? scope : renaming.key;
  }
}

const NO_REFERENCES: readonly Reference[] = [];
const NO_LISTS: readonly ListName[] = [];

/** Makes a function when it is first called. */
function once<Arguments extends readonly unknown[], Result>(
  make: () => (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  let made: ((...args: Arguments) => Result) | undefined;
  return (...args) => {
    made ??= make();
    return made(...args);
  };
}

/** The resources of a list, while the lists are filled. */
interface ListContents {
  readonly kind: Kind;
  readonly scope: string;
  live: readonly LiveResource[] | undefined;
  readonly declared: DeclaredResource[];
}

function contentsOf(
  contents: Map<string, ListContents>,
  { kind, scope }: { readonly kind: Kind; readonly scope: string },
): ListContents {
  const name = listName(kind.name, scope);
  const known = contents.get(name) ?? { kind, scope, live: undefined, declared: [] };
  contents.set(name, known);
  return known;
}

function byKey<Resource extends { readonly key: string }>(
  resources: readonly Resource[],
): ReadonlyMap<string, Resource> {
  const map = new Map<string, Resource>();
  for (const resource of resources) if (!map.has(resource.key)) map.set(resource.key, resource);
  return map;
}

/** The row's fields under their names in the files. */
function withFieldNames(kind: Kind, fields: Fields): Fields {
  let renamed: Record<string, Json> | undefined;
  for (const name in kind.fields) {
    const value = fieldValue(kind, fields, name);
    if (value === undefined || value === fields[name]) continue;
    renamed ??= { ...fields };
    renamed[name] = value;
  }
  return renamed ?? fields;
}

/** The fields of a disabled resource; the service may not return that it is. */
function withSwitchOff({ lifecycle: { disable } }: Kind, fields: Fields): Fields {
  return disable === undefined ? fields : { [disable]: false, ...fields };
}

/** The value of a field in a response, by the first of its wire names that is present. */
export function fieldValue(kind: Kind, row: Fields, field: string): Json | undefined {
  const { wireNames } = kind.fields?.[field] ?? {};
  const name = wireNames === undefined ? field : wireNames.find((one) => row[one] !== undefined);
  return name === undefined ? undefined : row[name];
}

/** Whether resources of a kind name those of a list by their slug on the wire, too: their slug stands for nothing else then. */
function isNamedBySlug(kinds: Iterable<Kind>, name: string, scope: string): boolean {
  return [...kinds].some(({ references }) => references?.onlyIn?.[name] === scope);
}

/** The first key field that a row holds. */
export function keyOfRow(kind: Kind, row: Fields): Json | undefined {
  const values = kind.identity.keys.map((name) => fieldValue(kind, row, name));
  return values.find((value) => value !== undefined && value !== null);
}

/** By key, then by id: services list kinds without an order as they please, and a plan must not depend on that. */
function byKeyAndId(left: LiveResource, right: LiveResource): number {
  if (left.key !== right.key) return left.key < right.key ? -1 : 1;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

/** Rows by position or rank; rows of other kinds as they came. */
function inServiceOrder({ lifecycle, identity }: Kind, rows: readonly Fields[]): readonly Fields[] {
  const field =
    lifecycle.order === "position" ? POSITION : lifecycle.order === "rank" ? identity.idFields[0] : undefined;
  if (field === undefined) return rows;
  return [...rows].sort((left, right) => Number(left[field]) - Number(right[field]));
}

/** Keyed lists with the live items that are not declared, since such an item may have to stay. */
function keyedItemsOfBoth(declared: DeclaredResource, live: Fields): Fields {
  const lists = Object.entries(declared.kind.fields ?? {}).flatMap(
    ([field, { keyedItems }]): readonly (readonly [string, Json])[] => {
      const own = declared.fields[field];
      const liveValue = live[field];
      if (keyedItems === undefined || !isList(own) || !isList(liveValue)) return [];
      const listed = new Set(own.filter(isFields).map(keyedItems.keyOf));
      return [[field, [...own, ...liveValue.filter(isFields).filter((item) => !listed.has(keyedItems.keyOf(item)))]]];
    },
  );
  return Object.fromEntries(lists);
}

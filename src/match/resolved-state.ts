/** The live state in the words of the configuration, and the ids and keys behind them. */

import type { Configuration } from "../config/load/configuration.ts";
import { equal, type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Kind } from "../kinds/kind.ts";
import { type IdLookup, Pending } from "../kinds/lookup.ts";
import { addressOf, type Declared, type Live } from "../kinds/resource.ts";
import type { Memory } from "./last-applied.ts";
import type { Collection, Observation } from "./observation.ts";

/** What was read, decoded, beside what is declared. */
export class State implements IdLookup {
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly #tables: Tables;
  readonly #observation: Observation;

  readonly memory: Memory;
  /** Addresses of entries that are not listed but have to stay. */
  readonly kept: ReadonlySet<string>;

  constructor(
    kinds: readonly Kind[],
    configuration: Configuration,
    observation: Observation,
    kept: ReadonlySet<string> = new Set(),
    memory: Memory = { lock: {}, resend: false },
  ) {
    this.kept = kept;
    this.memory = memory;
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#observation = observation;
    const made = MADE.get(observation.collections);
    if (made?.kinds === kinds && made.configuration === configuration) {
      this.#tables = made;
      return;
    }
    this.#tables = emptyTables(kinds, configuration);
    for (const entry of configuration.declared) {
      entriesIn(this.#tables.declared, entry.kind.name, entry.scope).set(entry.key, entry);
    }
    const renames = configuration.declared.filter(({ renamedFrom }) => renamedFrom !== undefined);
    for (const collection of observation.collections) this.#index(collection);
    for (const collection of observation.collections) this.#decode(collection, renames);
    MADE.set(observation.collections, this.#tables);
  }

  /** The entries of a collection: ordered kinds in the service's order, others by key; undefined when it was not read. */
  live(kind: string, scope = ""): readonly Live[] | undefined {
    return this.#tables.live.get(`${kind} ${scope}`);
  }

  /** Every entry that was read of a kind, in all its scopes. */
  all(kind: string): readonly Live[] {
    return this.#observation.collections.flatMap((read) =>
      read.kind === kind ? (this.live(kind, read.scope) ?? []) : [],
    );
  }

  /** Kinds that may mention this one and could not be read: whether they point at an entry of it is unknown. */
  unread(kind: Kind): readonly string[] {
    return this.#observation.unread.filter(
      (name) => this.kinds.get(name)?.references?.dependsOn?.includes(kind.name) === true,
    );
  }

  /** Whether the files still list anything in a ranked scope. */
  stays(kind: Kind, scope: string): boolean {
    return this.declared(kind.name, "1", scope) !== undefined;
  }

  /** Incidents that hold the entry, undefined when they were not counted. */
  held(entry: Live): number | undefined {
    return this.#observation.held.get(String(entry.row.id));
  }

  /** Incidents that hold one of an entry's choices, undefined when they were not read. */
  chosen(entry: Live, field: string, choice: string): number | undefined {
    const counts = this.#observation.chosen?.get(entry.key);
    const rows = entry.row[field];
    const option = isList(rows) ? rows.filter(isFields).find(({ label }) => label === choice) : undefined;
    return counts === undefined ? undefined : (counts.get(choice) ?? counts.get(String(option?.id)) ?? 0);
  }

  declared(kind: string, key: string, scope = ""): Declared | undefined {
    return this.#tables.declared.get(kind)?.get(scope)?.get(key);
  }

  fields(kind: string, key: string, scope = ""): Fields | undefined {
    const live = this.#named(kind, key, scope);
    const declared = this.declared(kind, key, scope);
    if (live === undefined || declared === undefined) return live?.fields ?? declared?.fields;
    const known = this.#tables.united.get(live);
    if (known !== undefined) return known;
    const united = { ...live.fields, ...declared.fields, ...unitedItems(declared, live) };
    this.#tables.united.set(live, united);
    return united;
  }

  /** Whether an entry is live or declared. */
  has(kind: string, key: string, scope = ""): boolean {
    return this.#named(kind, key, scope) !== undefined || this.declared(kind, key, scope) !== undefined;
  }

  declaredFields(kind: string, key: string, scope = ""): Fields | undefined {
    return this.declared(kind, key, scope)?.fields;
  }

  id(kind: string, key: string, scope = ""): string | Pending {
    const live = this.#named(kind, key, scope) ?? this.#renamed(kind, key, scope);
    if (live !== undefined) return String(live.row.id ?? live.id);
    const row = this.kinds.get(kind);
    return new Pending(row === undefined ? `${kind}/${key}` : addressOf(row, scope, key), "id");
  }

  key(kind: string, id: string): string | undefined {
    return this.#tables.keys.get(kind)?.get(id);
  }

  rows(kind: string): readonly Fields[] {
    if (!this.kinds.has(kind)) return [];
    return this.#observation.collections.flatMap((read) => (read.kind === kind ? read.rows : []));
  }

  /** The live entry of a name; of several the first. IdLookup are gathered where somebody asks: of most collections nobody does. */
  #named(kind: string, key: string, scope: string): Live | undefined {
    const known = this.#tables.named.get(kind)?.get(scope);
    if (known !== undefined) return known.get(key);
    const live = this.live(kind, scope);
    if (live === undefined) return undefined;
    const named = entriesIn(this.#tables.named, kind, scope);
    for (const entry of live) if (!named.has(entry.key)) named.set(entry.key, entry);
    return named.get(key);
  }

  #renamed(kind: string, key: string, scope: string): Live | undefined {
    const before = this.declared(kind, key, scope)?.renamedFrom;
    return before === undefined ? undefined : this.#named(kind, before, scope);
  }

  #index(collection: Collection): void {
    const kind = this.kinds.get(collection.kind);
    if (kind === undefined) return;
    const keys = this.#tables.keys.get(kind.name) ?? new Map<string, string>();
    for (const row of collection.rows) {
      const key = first(row, kind.identity.keys, kind);
      if (typeof row.id === "string" && key !== undefined) keys.set(row.id, String(key));
    }
    this.#tables.keys.set(kind.name, keys);
  }

  #decode(collection: Collection, renames: readonly Declared[]): void {
    const kind = this.kinds.get(collection.kind);
    if (kind === undefined) return;
    const scope = this.#declaredScope(kind, collection.scope, renames);
    const rows = inOrder(kind, collection.rows);
    if (rows.length === 0 && this.#tables.live.has(`${kind.name} ${scope}`)) return;
    const fieldsOf = (row: Fields) => renamed(kind, kind.codec?.decode?.(row, this, collection.scope) ?? row);
    const declared = this.#tables.declared.get(kind.name)?.get(scope);
    const read = rows.map((row, index) => entryOf(kind, collection.scope, row, fieldsOf(row), index, declared));
    if (kind.lifecycle.order === undefined) read.sort(byIdentity);
    const entries = scope === collection.scope ? read : read.map((entry) => lyingIn(scope, entry));
    this.#tables.live.set(`${kind.name} ${scope}`, entries);
    this.#tables.named.get(kind.name)?.delete(scope);
  }

  /** The scope that the files use for a live one: another, when the entry that gives the scope its name is being renamed. */
  #declaredScope({ scopes }: Kind, scope: string, renames: readonly Declared[]): string {
    const of = scopes?.kind;
    if (of === undefined || scope === "") return scope;
    const renaming = renames.find((entry) => entry.kind.name === of && entry.renamedFrom === scope);
    const taken = renaming !== undefined && this.rows(of).some((row) => row.name === renaming.key);
    return renaming === undefined || taken ? scope : renaming.key;
  }
}

/** Entries by kind, scope and key. */
type Entries<Entry> = Map<string, Map<string, Map<string, Entry>>>;

/** Those of a collection, which is there from then on. */
function entriesIn<Entry>(entries: Entries<Entry>, kind: string, scope: string): Map<string, Entry> {
  const scopes = entries.get(kind) ?? new Map<string, Map<string, Entry>>();
  const own = scopes.get(scope) ?? new Map<string, Entry>();
  entries.set(kind, scopes.set(scope, own));
  return own;
}

/** A live entry. Its address is made when somebody asks: in a large workspace next to nobody does. */
class Told implements Live {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly keyField: string;
  readonly fields: Fields;
  readonly row: Fields;
  readonly id: string;

  constructor(kind: Kind, scope: string, key: string, keyField: string, fields: Fields, row: Fields, id: string) {
    this.kind = kind;
    this.scope = scope;
    this.key = key;
    this.keyField = keyField;
    this.fields = fields;
    this.row = row;
    this.id = id;
  }

  get address(): string {
    return addressOf(this.kind, this.scope, this.key);
  }
}

/** The live entry of a row; `declared` are those of its collection by their keys. */
function entryOf(
  kind: Kind,
  scope: string,
  row: Fields,
  fields: Fields,
  index: number,
  declared: ReadonlyMap<string, Declared> | undefined,
): Live {
  const keyField = kind.identity.keys.find((name) => typeof fields[name] === "string") ?? "";
  const key = kind.identity.keys.length === 0 ? String(index + 1) : String(fields[keyField] ?? "");
  const stated = fields === row ? undefined : declared?.get(key)?.fields;
  const shared = stated === undefined ? fields : sharing(fields, stated);
  return new Told(kind, scope, key, keyField, shared, row, String(first(row, kind.identity.idFields) ?? key));
}

/** The fields, with the very objects and lists that are stated where both are equal: they are kept once, and found equal at a glance. */
function sharing(fields: Fields, stated: Fields): Fields {
  let all: Record<string, Json> | undefined;
  for (const name in stated) {
    const [found, wanted] = [fields[name], stated[name]];
    if (typeof found !== "object" || wanted === undefined || !equal(found, wanted)) continue;
    all ??= { ...fields };
    all[name] = wanted;
  }
  return all ?? fields;
}

/** The same entry in the scope that the files use; it is addressed as it is. */
function lyingIn(scope: string, { kind, key, keyField, address, fields, row, id }: Live): Live {
  return { kind, scope, key, keyField, address, fields, row, id };
}

/** The fields with those that answers call otherwise under their own names. */
function renamed(kind: Kind, fields: Fields): Fields {
  let all: Record<string, Json> | undefined;
  for (const name in kind.fields) {
    const value = told(kind, fields, name);
    if (value === undefined || value === fields[name]) continue;
    all ??= { ...fields };
    all[name] = value;
  }
  return all ?? fields;
}

/** The first of the fields that is there and not null; under its wire names where the kind is given. */
function first(row: Fields, names: readonly string[], kind?: Kind): Json | undefined {
  for (const name of names) {
    const value = kind === undefined ? row[name] : told(kind, row, name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** What states are made of. Many are made of one reading, and decoding it takes longer than anything else that they do. */
interface Tables {
  readonly kinds: readonly Kind[];
  readonly configuration: Configuration;
  /** Kind → id → key. */
  readonly keys: Map<string, Map<string, string>>;
  readonly live: Map<string, readonly Live[]>;
  /** Of several of one name the first. */
  readonly named: Entries<Live>;
  readonly declared: Entries<Declared>;
  /** What {@link State.fields} made of a live entry and what is declared for it. */
  readonly united: Map<Live, Fields>;
}

const MADE = new WeakMap<Observation["collections"], Tables>();

function emptyTables(kinds: readonly Kind[], configuration: Configuration): Tables {
  return {
    kinds,
    configuration,
    keys: new Map(),
    live: new Map(),
    named: new Map(),
    declared: new Map(),
    united: new Map(),
  };
}

/** The value of a field in an answer, under the first of its wire names that the answer holds. */
function told(kind: Kind, row: Fields, field: string): Json | undefined {
  const names = kind.fields?.[field]?.wireNames;
  if (names === undefined) return row[field];
  for (const name of names) if (row[name] !== undefined) return row[name];
  return undefined;
}

/** Services list a kind without an order as they please, and a plan must not depend on that: by key, twins by what tells them apart. */
function byIdentity(left: Live, right: Live): number {
  if (left.key !== right.key) return left.key < right.key ? -1 : 1;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

/** Rows of an ordered kind by their position, of a ranked one by what addresses them; others as they came. */
function inOrder(kind: Kind, rows: readonly Fields[]): readonly Fields[] {
  const by =
    kind.lifecycle.order === "position"
      ? "position"
      : kind.lifecycle.order === "rank"
        ? kind.identity.idFields[0]
        : undefined;
  if (by === undefined) return rows;
  return [...rows].sort((left, right) => Number(left[by]) - Number(right[by]));
}

/** Lists of named items with the live ones that are not declared: such an item may have to stay. */
function unitedItems(declared: Declared, live: Live): Fields {
  const lists = Object.entries(declared.kind.fields ?? {}).flatMap(
    ([field, { keyedItems: named }]): readonly (readonly [string, Json])[] => {
      const stated = declared.fields[field];
      const found = live.fields[field];
      if (named === undefined || !isList(stated) || !isList(found)) return [];
      const listed = new Set(stated.filter(isFields).map(named.keyOf));
      return [[field, [...stated, ...found.filter(isFields).filter((item) => !listed.has(named.keyOf(item)))]]];
    },
  );
  return Object.fromEntries(lists);
}

/** The live state in the words of the configuration, and the ids and keys behind them. */

import type { Collection, Observation } from "../api/observation.ts";
import type { Configuration } from "../config/configuration.ts";
import { type Fields, isFields, isList, type Json } from "../json.ts";
import { type Kind, type Names, Pending } from "../kinds/kind.ts";
import { addressOf, type Declared, type Live } from "../kinds/resource.ts";
import type { Memory } from "./memory.ts";

/** What was read, decoded, beside what is declared. */
export class State implements Names {
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
      this.#tables.declared.set(naming(entry.kind.name, entry.scope, entry.key), entry);
    }
    for (const collection of observation.collections) this.#index(collection);
    for (const collection of observation.collections) this.#decode(collection, configuration);
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
    return this.#observation.unread.filter((name) => this.kinds.get(name)?.after?.includes(kind.name) === true);
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
    return this.#tables.declared.get(naming(kind, scope, key));
  }

  fields(kind: string, key: string, scope = ""): Fields | undefined {
    const live = this.#tables.byName.get(naming(kind, scope, key));
    const declared = this.declared(kind, key, scope);
    if (live === undefined || declared === undefined) return live?.fields ?? declared?.fields;
    const known = this.#tables.united.get(live);
    if (known !== undefined) return known;
    const united = { ...live.fields, ...declared.fields, ...unitedItems(declared, live) };
    this.#tables.united.set(live, united);
    return united;
  }

  stated(kind: string, key: string, scope = ""): Fields | undefined {
    return this.declared(kind, key, scope)?.fields;
  }

  id(kind: string, key: string, scope = ""): string | Pending {
    const live = this.#tables.byName.get(naming(kind, scope, key)) ?? this.#renamed(kind, key, scope);
    if (live !== undefined) return String(live.row.id ?? live.id);
    const row = this.kinds.get(kind);
    return new Pending(row === undefined ? `${kind}/${key}` : addressOf(row, scope, key), "id");
  }

  key(kind: string, id: string): string | undefined {
    return this.#tables.keys.get(kind)?.get(id);
  }

  rows(kind: string): readonly Fields[] {
    return this.#tables.rows.get(kind) ?? [];
  }

  #renamed(kind: string, key: string, scope: string): Live | undefined {
    const before = this.declared(kind, key, scope)?.renamedFrom;
    return before === undefined ? undefined : this.#tables.byName.get(naming(kind, scope, before));
  }

  #index(collection: Collection): void {
    const kind = this.kinds.get(collection.kind);
    if (kind === undefined) return;
    this.#tables.rows.set(kind.name, [...this.rows(kind.name), ...collection.rows]);
    const keys = this.#tables.keys.get(kind.name) ?? new Map<string, string>();
    for (const row of collection.rows) {
      const key = kind.key
        .map((field) => told(kind, row, field))
        .find((value) => value !== undefined && value !== null);
      if (typeof row.id === "string" && key !== undefined) keys.set(row.id, String(key));
    }
    this.#tables.keys.set(kind.name, keys);
  }

  #decode(collection: Collection, configuration: Configuration): void {
    const kind = this.kinds.get(collection.kind);
    if (kind === undefined) return;
    const read = inOrder(kind, collection.rows).map((row, index) => this.#entry(kind, collection.scope, row, index));
    const entries = kind.order === undefined ? read.toSorted(byIdentity) : read;
    const scope = declaredScope(configuration, kind, collection.scope, this.rows.bind(this));
    if (entries.length === 0 && this.#tables.live.has(`${kind.name} ${scope}`)) return;
    this.#tables.live.set(
      `${kind.name} ${scope}`,
      scope === collection.scope ? entries : entries.map((entry) => ({ ...entry, scope })),
    );
    for (const entry of entries) {
      const name = naming(kind.name, scope, entry.key);
      if (!this.#tables.byName.has(name)) this.#tables.byName.set(name, entry);
    }
  }

  #entry(kind: Kind, scope: string, row: Fields, index: number): Live {
    const decoded = kind.decode?.(row, this, scope) ?? row;
    const renamed = Object.keys(kind.fields ?? {}).flatMap((name): readonly (readonly [string, Json])[] => {
      const value = told(kind, decoded, name);
      return value === undefined || value === decoded[name] ? [] : [[name, value]];
    });
    const fields: Fields = renamed.length === 0 ? decoded : { ...decoded, ...Object.fromEntries(renamed) };
    const keyField = kind.key.find((name) => typeof fields[name] === "string") ?? "";
    const key = kind.key.length === 0 ? String(index + 1) : String(fields[keyField] ?? "");
    const id = kind.address.map((name) => row[name]).find((value) => value !== undefined && value !== null);
    return { kind, scope, key, keyField, address: addressOf(kind, scope, key), fields, row, id: String(id ?? key) };
  }
}

/** What states are made of. Many are made of one reading, and decoding it takes longer than anything else that they do. */
interface Tables {
  readonly kinds: readonly Kind[];
  readonly configuration: Configuration;
  readonly rows: Map<string, readonly Fields[]>;
  readonly keys: Map<string, Map<string, string>>;
  readonly live: Map<string, readonly Live[]>;
  readonly byName: Map<string, Live>;
  readonly declared: Map<string, Declared>;
  /** What {@link State.fields} made of a live entry and what is declared for it. */
  readonly united: Map<Live, Fields>;
}

const MADE = new WeakMap<Observation["collections"], Tables>();

function emptyTables(kinds: readonly Kind[], configuration: Configuration): Tables {
  return {
    kinds,
    configuration,
    rows: new Map(),
    keys: new Map(),
    live: new Map(),
    byName: new Map(),
    declared: new Map(),
    united: new Map(),
  };
}

/** The value of a field in an answer, under the first of its wire names that the answer holds. */
function told(kind: Kind, row: Fields, field: string): Json | undefined {
  const names = kind.fields?.[field]?.read ?? [field];
  return names.map((name) => row[name]).find((value) => value !== undefined);
}

/** Services list a kind without an order as they please, and a plan must not depend on that: by key, twins by what tells them apart. */
function byIdentity(left: Live, right: Live): number {
  if (left.key !== right.key) return left.key < right.key ? -1 : 1;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

/** Rows of an ordered kind by their position, of a ranked one by what addresses them; others as they came. */
function inOrder(kind: Kind, rows: readonly Fields[]): readonly Fields[] {
  const by = kind.order === "position" ? "position" : kind.order === "rank" ? kind.address[0] : undefined;
  if (by === undefined) return rows;
  return [...rows].sort((left, right) => Number(left[by]) - Number(right[by]));
}

/** The scope that the files use for a live one: another, when the entry that gives the scope its name is being renamed. */
function declaredScope(
  configuration: Configuration,
  kind: Kind,
  scope: string,
  rows: (kind: string) => readonly Fields[],
): string {
  const of = kind.layout !== undefined && "patterns" in kind.layout ? kind.layout.scopeOf : undefined;
  if (of === undefined || scope === "") return scope;
  const renaming = configuration.declared.find((entry) => entry.kind.name === of && entry.renamedFrom === scope);
  const taken = rows(of).some((row) => row.name === renaming?.key);
  return renaming === undefined || taken ? scope : renaming.key;
}

/** A text for each entry: how long the scope is says where the key begins. */
function naming(kind: string, scope: string, key: string): string {
  return `${kind} ${scope.length} ${scope}${key}`;
}

/** Lists of named items with the live ones that are not declared: such an item may have to stay. */
function unitedItems(declared: Declared, live: Live): Fields {
  const lists = Object.entries(declared.kind.fields ?? {}).flatMap(
    ([field, { named }]): readonly (readonly [string, Json])[] => {
      const stated = declared.fields[field];
      const found = live.fields[field];
      if (named === undefined || !isList(stated) || !isList(found)) return [];
      const listed = new Set(stated.filter(isFields).map(named.by));
      return [[field, [...stated, ...found.filter(isFields).filter((item) => !listed.has(named.by(item)))]]];
    },
  );
  return Object.fromEntries(lists);
}

/** What analyzers look at: the entries as they will be, declared fields over live ones, where the live state is known. */

import type { Configuration } from "../config/load/configuration.ts";
import type { Location } from "../core/diagnostic.ts";
import type { Fields, Json } from "../core/json.ts";
import type { Kind } from "../kinds/kind.ts";
import type { ResourceLookup } from "../kinds/lookup.ts";
import type { DeclaredResource, LiveResource } from "../kinds/resource.ts";

/** The live state, as far as it was read. */
export interface LiveState {
  /** The entries of a collection, undefined when it was not read. */
  live(kind: string, scope?: string): readonly LiveResource[] | undefined;
}

/** An entry as it will be after an apply. */
export interface Subject {
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly address: string;
  /** All of them are made when somebody asks; for one field of many entries there is `value`. */
  readonly fields: Fields;
  /** Absent for an entry that is only live. */
  readonly declared?: DeclaredResource;
  /** Absent when there is none, or nobody looked. */
  readonly live?: LiveResource;
  /** One of the fields. */
  value(name: string): Json | undefined;
}

/** A collection that the files own, with what will be in it. */
export interface SubjectList {
  readonly kind: string;
  readonly scope: string;
  readonly subjects: readonly Subject[];
}

/** What an analysis is made from. */
export interface Input {
  readonly kinds: readonly Kind[];
  readonly configuration: Configuration;
  /** Undefined when nobody looked at the service. */
  readonly live?: LiveState;
  readonly now: Date;
}

/** The configuration and what is known around it. */
export class View implements ResourceLookup {
  readonly configuration: Configuration;
  readonly now: Date;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #live: LiveState | undefined;
  readonly #declared = new Map<string, Map<string, DeclaredResource[]>>();
  readonly #subjects = new Map<string, Map<string, ReadonlyMap<string, Subject>>>();
  #lists: readonly SubjectList[] | undefined;
  readonly #managed = new Map<string, Set<string>>();

  constructor({ kinds, configuration, live, now }: Input) {
    this.configuration = configuration;
    this.now = now;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#live = live;
    for (const entry of configuration.declared) {
      const { kind, scope } = entry;
      const list = this.#declared.get(kind.name)?.get(scope);
      if (list === undefined) {
        const scopes = this.#declared.get(kind.name) ?? new Map<string, DeclaredResource[]>();
        this.#declared.set(kind.name, scopes.set(scope, [entry]));
      } else list.push(entry);
    }
    for (const { kind, scope } of configuration.managed) {
      this.#managed.set(kind, (this.#managed.get(kind) ?? new Set()).add(scope));
    }
  }

  /** Whether the live entries of a collection are known. */
  sees(kind: string, scope = ""): boolean {
    return this.#live?.live(kind, scope) !== undefined;
  }

  /** Whether a collection is known to have entries now. */
  hasLive(kind: string, scope = ""): boolean {
    return (this.#live?.live(kind, scope) ?? []).length > 0;
  }

  /** Whether every workspace has the entry. */
  isBuiltin(kind: string, key: string): boolean {
    return this.#kinds.get(kind)?.lifecycle.builtins?.keys?.includes(key) === true;
  }

  /** Whether the files own the collection. */
  manages(kind: string, scope = ""): boolean {
    return this.#managed.get(kind)?.has(scope) === true;
  }

  /** The scopes of a kind that the files own, in file order. */
  scopes(kind: string): readonly string[] {
    return this.configuration.managed.filter((list) => list.kind === kind).map(({ scope }) => scope);
  }

  /** Every collection that the files own, with what will be in it. */
  get lists(): readonly SubjectList[] {
    this.#lists ??= this.configuration.managed.map(({ kind, scope }) => ({
      kind,
      scope,
      subjects: this.subjects(kind, scope),
    }));
    return this.#lists;
  }

  /** Where the key stands that names a list of the files. */
  listAt(kind: string, scope = ""): Location | undefined {
    return this.configuration.listAt(kind, scope);
  }

  /** What will be in a collection: what is declared, in its order, then what is live and stays. */
  subjects(kind: string, scope = ""): readonly Subject[] {
    return [...this.#collection(kind, scope).values()];
  }

  /** An entry by its key; of several with one key the first. */
  subject(kind: string, key: string, scope = ""): Subject | undefined {
    return this.#collection(kind, scope).get(key);
  }

  fields(kind: string, key: string, scope = ""): Fields | undefined {
    return this.subject(kind, key, scope)?.fields;
  }

  declaredFields(kind: string, key: string, scope = ""): Fields | undefined {
    return this.subject(kind, key, scope)?.declared?.fields;
  }

  /** Whether entries of the kind that are live and not listed stay as they are. */
  keepsUnlisted(kind: string, scope = ""): boolean {
    const { kinds, default: otherwise } = this.configuration.settings.removal;
    return !this.manages(kind, scope) || (kinds[kind] ?? otherwise) === "keep";
  }

  #collection(kind: string, scope: string): ReadonlyMap<string, Subject> {
    const scopes = this.#subjects.get(kind) ?? new Map<string, ReadonlyMap<string, Subject>>();
    const known = scopes.get(scope);
    if (known !== undefined) return known;
    const found = new Map<string, Subject>();
    for (const subject of this.#collect(kind, scope)) {
      // Pinned entries may share their key.
      found.set(found.has(subject.key) ? `${subject.key}\n${found.size}` : subject.key, subject);
    }
    this.#subjects.set(kind, scopes.set(scope, found));
    return found;
  }

  #collect(kind: string, scope: string): readonly Subject[] {
    const declared = this.#declared.get(kind)?.get(scope) ?? [];
    const live = this.#live?.live(kind, scope) ?? [];
    const handsOver = declared.some(({ fields }) => fields.default === true);
    const byKey = new Map(live.map((one) => [one.key, one]));
    const byId = new Map(declared.some(({ pin }) => pin !== undefined) ? live.map((one) => [one.id, one]) : []);
    const met = new Set<LiveResource>();
    const merged = declared.map((entry): Subject => {
      const found = counterpart(entry, byKey, byId);
      if (found !== undefined) met.add(found);
      return new Stated(entry, found, handsOver);
    });
    // The lists of a ranked kind are replaced as a whole, whatever the policy.
    const ranked = this.#kinds.get(kind)?.lifecycle.order === "rank" && this.manages(kind, scope);
    if (ranked || !this.keepsUnlisted(kind, scope)) return merged;
    const rest = live.filter((one) => !met.has(one));
    return [...merged, ...rest.map((one) => new Unstated(one, handsOver))];
  }
}

/** A declared entry, over the live one that it means. */
class Stated implements Subject {
  readonly declared: DeclaredResource;
  readonly live?: LiveResource;
  readonly #handsOver: boolean;
  #fields: Fields | undefined;

  constructor(declared: DeclaredResource, live: LiveResource | undefined, handsOver: boolean) {
    this.declared = declared;
    if (live !== undefined) this.live = live;
    this.#handsOver = handsOver;
  }

  get kind(): Kind {
    return this.declared.kind;
  }

  get scope(): string {
    return this.declared.scope;
  }

  get key(): string {
    return this.declared.key;
  }

  get address(): string {
    return this.declared.address;
  }

  get fields(): Fields {
    this.#fields ??= mergedFields(this.declared, this.live, this.#handsOver);
    return this.#fields;
  }

  value(name: string): Json | undefined {
    const { fields, kind } = this.declared;
    if (Object.hasOwn(fields, name)) return fields[name];
    if (name === kind.lifecycle.disable) return true;
    return this.live === undefined ? undefined : kept(this.live, this.#handsOver)[name];
  }
}

/** An entry that is only live, and stays. */
class Unstated implements Subject {
  readonly live: LiveResource;
  readonly kind: Kind;
  readonly scope: string;
  readonly key: string;
  readonly fields: Fields;

  constructor(live: LiveResource, handsOver: boolean) {
    this.live = live;
    this.kind = live.kind;
    this.scope = live.scope;
    this.key = live.key;
    this.fields = kept(live, handsOver);
  }

  get address(): string {
    return this.live.address;
  }

  value(name: string): Json | undefined {
    return this.fields[name];
  }
}

/** Whether an entry can be chosen; what is declared is wanted enabled unless it says otherwise. */
export function isEnabled(subject: Subject): boolean {
  const {
    lifecycle: { disable },
  } = subject.kind;
  return disable === undefined || subject.value(disable) !== false;
}

/** The live entry that a declared one means. A rule has none: what stands at its place now says nothing about it. */
function counterpart(
  entry: DeclaredResource,
  byKey: ReadonlyMap<string, LiveResource>,
  byId: ReadonlyMap<string, LiveResource>,
): LiveResource | undefined {
  if (entry.kind.identity.keys.length === 0) return undefined;
  if (entry.pin !== undefined) return byId.get(entry.pin);
  return byKey.get(entry.key) ?? (entry.renamedFrom === undefined ? undefined : byKey.get(entry.renamedFrom));
}

function mergedFields(entry: DeclaredResource, live: LiveResource | undefined, handsOver: boolean): Fields {
  const {
    lifecycle: { disable },
  } = entry.kind;
  const before = live === undefined ? {} : kept(live, handsOver);
  return { ...before, ...(disable === undefined ? {} : { [disable]: true }), ...entry.fields };
}

/** The default moves by itself when another entry is declared to be it. */
function kept(live: LiveResource, handsOver: boolean): Fields {
  return handsOver && live.fields.default === true ? { ...live.fields, default: false } : live.fields;
}

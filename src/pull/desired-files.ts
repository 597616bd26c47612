/**
 * What the files would have to say so that there is nothing to plan: the opposite direction of a plan, by the same
 * comparison. It names no file.
 */

import type { Configuration } from "../config/load/configuration.ts";
import { equal, type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Kind } from "../kinds/kind.ts";
import { optionLabel } from "../kinds/option-label.ts";
import type { Declared, Live } from "../kinds/resource.ts";
import { declaredIn } from "../match/declared.ts";
import { meetings } from "../match/match.ts";
import type { State } from "../match/resolved-state.ts";
import { same, sendable } from "../plan/diff/compare.ts";
import { normalizedText } from "../plan/ranked/rule.ts";
import { policyOf } from "../plan/removal/removal-policy.ts";
import { continued, type Keys } from "./match-unkeyed.ts";
import { closest } from "./preserve-spelling.ts";

/** What is known of a live entry in the words of the files. */
export type Stated = (entry: Live) => Fields;

/** A declared entry that stays, with the fields that become others; undefined: the field goes. */
export interface Kept {
  readonly declared: Declared;
  readonly live: Live;
  readonly fields: ReadonlyMap<string, Json | undefined>;
}

/** A live entry that the files do not list and would have to. */
export interface Added {
  readonly live: Live;
  readonly fields: Fields;
}

/** A list as it would have to be. */
export interface MirroredList {
  readonly kind: Kind;
  readonly scope: string;
  /** In the order in which the list would have to hold them. */
  readonly entries: readonly (Kept | Added)[];
  /** Declared entries that are not live. */
  readonly gone: readonly Declared[];
}

/** Mirrors one list that the files own. Throws the errors of entries that cannot be told from others. */
export function mirrored(
  configuration: Configuration,
  state: State,
  kind: Kind,
  scope: string,
  stated: Stated,
): MirroredList {
  const mirroring = new Mirroring(configuration, state, stated);
  return kind.lifecycle.order === "rank" ? mirroring.ranked(kind, scope) : mirroring.keyed(kind, scope);
}

/** What is known of a live entry besides its fields. */
export interface Freshness {
  /** Another one has the same name, so that it has to be pinned. */
  readonly twin?: boolean;
  /** Entries of another kind lie in it. */
  readonly nests?: boolean;
}

/** What files would state of a live entry that no file mentions yet: nothing that holds anyway. */
export function freshFields(entry: Live, stated: Fields, { twin, nests }: Freshness = {}): Fields {
  const { kind, key, keyField } = entry;
  // Of a built-in entry that others lie in only those are anybody's.
  const isBuiltin = nests === true && kind.lifecycle.builtins?.matches?.(entry.row) === true;
  const told = Object.entries(stated).filter(([name, value]) => !isBuiltin && !isImplied(kind, name, value, stated));
  return {
    ...(keyField === "" ? {} : { [keyField]: key }),
    ...(twin === true && kind.identity.pin !== undefined ? { [kind.identity.pin]: entry.id } : {}),
    ...Object.fromEntries(told),
  };
}

/** Whether leaving a field out says the same as stating it. */
function isImplied(kind: Kind, name: string, value: Json, stated: Fields): boolean {
  const field = kind.fields?.[name];
  if (kind.lifecycle.required?.includes(name) === true || (isBlank(value) && field?.attention === true)) return false;
  if (isBlank(value) || (name === kind.lifecycle.disable && value === true) || (name === "default" && value === false))
    return true;
  const { [name]: _own, ...others } = stated;
  const derived = field?.computedDefault?.(others);
  return derived !== undefined && same(kind, name, value, derived);
}

function isBlank(value: Json): boolean {
  if (value === null || value === "") return true;
  return isList(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
}

/** What live entries mention, looked for once for each state. */
const mentions = new WeakMap<State, ReadonlySet<string>>();

class Mirroring {
  readonly #configuration: Configuration;
  readonly #state: State;
  readonly #stated: Stated;

  constructor(configuration: Configuration, state: State, stated: Stated) {
    this.#configuration = configuration;
    this.#state = state;
    this.#stated = stated;
  }

  keyed(kind: Kind, scope: string): MirroredList {
    const { pairs, unlisted } = meetings(this.#configuration, this.#state, kind.name, scope);
    const live = this.#state.live(kind.name, scope) ?? [];
    const gone = pairs.flatMap(({ declared, live: met }) => (met === undefined ? [declared] : []));
    const kept = pairs.flatMap(({ declared, live: met }): readonly Kept[] =>
      met === undefined ? [] : [{ declared, live: met, fields: this.#changes(declared, met) }],
    );
    const counts = new Map<string, number>();
    for (const { key } of live) counts.set(key, (counts.get(key) ?? 0) + 1);
    const added = unlisted
      .filter((entry) => this.#wouldGo(kind, entry) || this.#isMentioned(kind, entry))
      .map(
        (entry): Added => ({
          live: entry,
          fields: freshFields(entry, this.#stated(entry), { twin: (counts.get(entry.key) ?? 0) > 1 }),
        }),
      );
    const entries = [...kept, ...added];
    const places = new Map(live.map((entry, at) => [entry, at]));
    const place = (entry: Kept | Added): number => places.get(entry.live) ?? -1;
    return {
      kind,
      scope,
      entries:
        kind.lifecycle.order === "position" ? entries.sort((left, right) => place(left) - place(right)) : entries,
      gone,
    };
  }

  /** Whether a plan would take the unlisted entry away. */
  #wouldGo(kind: Kind, entry: Live): boolean {
    const policy = policyOf(this.#configuration.settings, kind);
    const retired = kind.lifecycle.disable !== undefined && entry.fields[kind.lifecycle.disable] === false;
    return (
      kind.lifecycle.permanent !== true &&
      policy !== "keep" &&
      kind.lifecycle.builtins?.matches?.(entry.row) !== true &&
      !retired
    );
  }

  /** Whether another live entry that the files own mentions it: then it has to be listed, retired or not. */
  #isMentioned(kind: Kind, { scope, key, row }: Live): boolean {
    if (kind.lifecycle.builtins?.matches?.(row) === true) return false;
    return this.#mentions().has(JSON.stringify([kind.name, scope, key]));
  }

  #mentions(): ReadonlySet<string> {
    const known = mentions.get(this.#state);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const list of this.#configuration.managed) {
      for (const live of this.#state.live(list.kind, list.scope) ?? []) {
        const told = live.kind.references?.of?.(this.#stated(live), this.#state, live.scope) ?? [];
        for (const { kind, scope, key } of told) found.add(JSON.stringify([kind, scope, key]));
      }
    }
    mentions.set(this.#state, found);
    return found;
  }

  #changes(declared: Declared, live: Live): ReadonlyMap<string, Json | undefined> {
    const { kind } = declared;
    const told = this.#stated(live);
    const fields = new Map<string, Json | undefined>();
    // An entry without a name is its place, and may say the same in another one.
    if (declared.keyField !== "" && declared.key !== live.key) {
      fields.set(declared.keyField, live.key);
      if (declared.renamedFrom !== undefined) fields.set("renamed_from", undefined);
    }
    for (const [name, value] of Object.entries(declared.fields)) {
      if (name === declared.keyField || kind.identity.labels?.includes(name) === true) continue;
      const found = declared.extra.includes(name) ? live.row[name] : told[name];
      // The service tells that there is none, and no file can ask for that: then the files say nothing of it.
      const isNone = found === undefined ? live.fields[name] === null : isFields(found) && isBlank(found);
      if (isNone && !isBlank(value)) fields.set(name, undefined);
      if (found === undefined || fields.has(name)) continue;
      const actual = declared.extra.includes(name) ? found : (live.fields[name] ?? found);
      const means = (candidate: Json) => this.#means(declared, live, name, actual, candidate);
      const nearest = closest(found, value, means);
      const near = kind.fields?.[name]?.optionList === true ? withoutSpentRenames(nearest) : nearest;
      if (equal(near, value)) continue;
      // A mark that only one entry can have is taken away by giving it to another.
      fields.set(name, name === "default" && near === false ? undefined : near);
    }
    const {
      lifecycle: { disable },
    } = kind;
    if (disable !== undefined && declared.fields[disable] === undefined && live.fields[disable] === false) {
      fields.set(disable, false);
    }
    if (declared.fields.default === undefined && told.default === true && this.#isMarked(kind)) {
      fields.set("default", true);
    }
    return fields;
  }

  /** Whether the files give the mark that only one entry can have to one of them. */
  #isMarked(kind: Kind): boolean {
    return this.#configuration.declared.some((entry) => entry.kind === kind && entry.fields.default === true);
  }

  /** Whether a declared value would leave the live one as it is. */
  #means({ kind, scope, fields }: Declared, live: Live, name: string, actual: Json, candidate: Json): boolean {
    const declared = { ...fields, [name]: candidate };
    const full = kind.codec?.fillForReplace?.(declared, live.fields, live.row, this.#state, scope) ?? declared;
    const wanted = sendable(kind, { [name]: full[name] ?? candidate })[name];
    return wanted !== undefined && same(kind, name, actual, wanted);
  }

  /** A list whose entries are their places: those that say the same stay, the others meet in order. */
  ranked(kind: Kind, scope: string): MirroredList {
    const declared = declaredIn(this.#configuration, kind.name, scope);
    const live = this.#state.live(kind.name, scope) ?? [];
    const entries: (Kept | Added)[] = [];
    const met = new Set<Declared>();
    const alike = (entry: Declared, found: Live) => this.#rankedChanges(entry, found).size === 0;
    const pairs = continued(declared, live, this.#keys(kind), alike);
    for (const [found, entry] of pairs) {
      if (entry === undefined) {
        entries.push({ live: found, fields: freshFields(found, this.#stated(found)) });
      } else {
        met.add(entry);
        entries.push({ declared: entry, live: found, fields: this.#rankedChanges(entry, found) });
      }
    }
    return { kind, scope, entries, gone: declared.filter((entry) => !met.has(entry)) };
  }

  /**
   * What a rule means, field by field. A live one may be meant by what the service tells or by what files may state of it; of a
   * field of which neither is known any may be.
   */
  #keys(kind: Kind): Keys<Declared, Live> {
    const names = Object.keys(kind.fields ?? {}).filter((name) => kind.identity.labels?.includes(name) !== true);
    const keyed = kind.codec?.fillForReplace === undefined && kind.identity.keys.length === 0;
    return {
      of: ({ fields }) => {
        const wanted = sendable(kind, fields);
        return names.map((name) => meaningOf(kind, name, wanted[name] ?? null, fields)).join();
      },
      among: (entry) => {
        const told = this.#stated(entry);
        const known = names.map((name) => [entry.fields[name], told[name]].filter((value) => value !== undefined));
        if (!keyed || known.some(({ length }) => length === 0)) return undefined;
        const meanings = names.map((name, at) => [
          ...new Set((known[at] ?? []).map((value) => meaningOf(kind, name, value, told))),
        ]);
        return meanings.reduce<readonly string[]>(
          (keys, ways, at) => keys.flatMap((key) => ways.map((way) => (at === 0 ? way : `${key},${way}`))),
          [""],
        );
      },
    };
  }

  /** The same for an entry that is stated whole: what it leaves out is derived. */
  #rankedChanges(declared: Declared, live: Live): ReadonlyMap<string, Json | undefined> {
    const { kind } = declared;
    const changes = new Map(this.#changes(declared, live));
    const implied = freshFields(live, this.#stated(live));
    for (const [name, value] of Object.entries(implied)) {
      if (declared.fields[name] === undefined && kind.identity.labels?.includes(name) !== true)
        changes.set(name, value);
    }
    return changes;
  }
}

/** A text that two values of a field share when they mean the same; nothing, where leaving the field out says it too. */
function meaningOf(kind: Kind, name: string, value: Json, fields: Fields): string {
  const text = normalizedText(value);
  const blank = ["{}", "[]", "null", '""'].includes(text);
  return blank || isImplied(kind, name, value, fields) ? "" : text;
}

/** Choices without a former label that another choice has now: it can be renamed no more. */
function withoutSpentRenames(choices: Json): Json {
  if (!isList(choices)) return choices;
  const labels = new Set(choices.map(optionLabel));
  return choices.map((choice) =>
    isFields(choice) && typeof choice.renamed_from === "string" && labels.has(choice.renamed_from)
      ? optionLabel(choice)
      : choice,
  );
}

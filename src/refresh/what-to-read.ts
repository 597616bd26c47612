/**
 * What must be read to plan: the managed collections, what they mention, and, only where something would be removed,
 * whatever could point at it. Each collection is asked for once.
 */

import type { Configuration } from "../config/load/configuration.ts";
import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { hasOneList, type Kind, ownerKindOf } from "../kinds/kind.ts";
import type { Declared, Live } from "../kinds/resource.ts";
import { declaredIn } from "../match/declared.ts";
import { concerned, isConcerned } from "../match/match.ts";
import { dangling } from "../match/missing-references.ts";
import type { State } from "../match/resolved-state.ts";
import { doomedChoices, withdrawn } from "../plan/diff/option-list.ts";
import { policyOf } from "../plan/removal/removal-policy.ts";

/** A collection to read; `every` is each scope that exists. */
export type Wanted =
  | { readonly kind: string; readonly scope: string }
  | { readonly kind: string; readonly every: true };

/** An incident count to read: the list's query parameter and the entry's id. */
export interface Count {
  readonly parameter: string;
  readonly id: string;
}

/** What is read first, before anything is known. */
export function managedReads(configuration: Configuration): readonly Wanted[] {
  return configuration.managed.map(({ kind, scope }) => ({ kind, scope }));
}

/** Collections that the declared entries mention; what they mention may become known only as more is read. */
export function mentionedReads(configuration: Configuration, state: State): readonly Wanted[] {
  const wanted = new Collections();
  for (const entry of configuration.declared) {
    if (!isConcerned(configuration, entry)) continue;
    const { parent, references: { of: references } = {} } = entry.kind;
    for (const { kind, scope } of references?.(entry.fields, state, entry.scope) ?? []) wanted.add(kind, scope);
    if (parent !== undefined) wanted.add(parent.kind, "");
  }
  return wanted.list;
}

/** Collections that are mentioned, each once, in the order in which they first were. */
class Collections {
  readonly list: Wanted[] = [];
  readonly #known = new Map<string, Set<string>>();

  add(kind: string, scope: string): void {
    const scopes = this.#known.get(kind) ?? new Set<string>();
    if (scopes.has(scope)) return;
    this.#known.set(kind, scopes.add(scope));
    this.list.push({ kind, scope });
  }
}

/** Scopes whose name is being changed lie under the former one; what a scope falls back to decides how it may change. */
export function scopeReads(configuration: Configuration, state: State): readonly Wanted[] {
  return configuration.managed.flatMap(({ kind, scope }): readonly Wanted[] => {
    const row = state.kinds.get(kind);
    const of = row === undefined ? undefined : ownerKindOf(row);
    if (row?.lifecycle.order !== "rank" || of === undefined || scope === "") return [];
    const former = state.declared(of, scope)?.renamedFrom;
    const renaming = former !== undefined && state.live(of)?.every(({ key }) => key !== scope) === true;
    const live = state.live(kind, scope)?.length ?? 0;
    const declared = declaredIn(configuration, kind, scope).length;
    const emptied =
      live + declared > 1 &&
      Math.min(live, declared) === 0 &&
      state.live(of)?.some(({ key }) => key === scope) === true;
    return [...(renaming ? [{ kind, scope: former }] : []), ...(emptied ? [{ kind, scope: "" }] : [])];
  });
}

/** Collections whose entries could point at something that would be removed, or would go with it. */
export function removalReads(configuration: Configuration, state: State): readonly Wanted[] {
  const managed = new Set(configuration.managed.map(({ kind }) => kind));
  const wanted: Wanted[] = [];
  /** Kinds of which an entry goes for which whole lists are read already. */
  const looked = new Set<Kind>();
  for (const { kind, key } of [...candidates(configuration, state), ...losing(configuration, state)]) {
    for (const other of state.kinds.values()) {
      const along = kind.references?.cascades?.includes(other.name) === true;
      if (!along && other.references?.dependsOn?.includes(kind.name) !== true) continue;
      if (other.endpoint.admin === true && !managed.has(other.name) && !along) continue;
      if (ownerKindOf(other) === kind.name) wanted.push({ kind: other.name, scope: key });
      else if (!looked.has(kind)) {
        wanted.push(hasOneList(other) ? { kind: other.name, scope: "" } : { kind: other.name, every: true as const });
      }
    }
    looked.add(kind);
  }
  return wanted;
}

/** Entries of a nested kind that could hold values of an item, or values that an item offers, that the files no longer list. */
export function itemReads(configuration: Configuration, state: State): readonly Wanted[] {
  return configuration.managed.flatMap(({ kind, scope }) => {
    const named = Object.entries(state.kinds.get(kind)?.fields ?? {}).flatMap(([name, field]) =>
      field.keyedItems === undefined ? [] : [{ name, ...field.keyedItems }],
    );
    if (named.length === 0) return [];
    return concerned(configuration, state, kind, scope).pairs.flatMap(({ declared, live }) => {
      if (live === undefined) return [];
      return named.flatMap(({ name, keyOf, options = "", kind: nested }) => {
        const stated = rowsIn(declared.fields[name]);
        const loses =
          stated !== undefined &&
          rowsIn(live.fields[name])?.some((item) => {
            const other = stated.find((one) => keyOf(one) === keyOf(item));
            return other === undefined || withdrawn(item[options], other[options]).length > 0;
          });
        return loses === true ? [{ kind: nested, scope: live.key }] : [];
      });
    });
  });
}

function rowsIn(value: Json | undefined): readonly Fields[] | undefined {
  return isList(value) ? value.filter(isFields) : undefined;
}

/** Entries some of whose choices the files no longer list, and would therefore be taken away. */
export function choiceReads(
  configuration: Configuration,
  state: State,
): readonly { readonly answers: string; readonly key: string }[] {
  return losing(configuration, state).flatMap(({ kind, key }) =>
    kind.references?.answeredIn === undefined ? [] : [{ answers: kind.references?.answeredIn, key }],
  );
}

function losing(configuration: Configuration, state: State): readonly Live[] {
  return configuration.managed.flatMap(({ kind, scope }) => {
    const fields = Object.entries(state.kinds.get(kind)?.fields ?? {}).filter(([, field]) => field.optionList === true);
    if (fields.length === 0) return [];
    return concerned(configuration, state, kind, scope).pairs.flatMap(({ declared, live }) => {
      if (live === undefined) return [];
      const loses = fields.some(([name]) => {
        const found = live.fields[name];
        const stated = declared.fields[name];
        return Array.isArray(found) && Array.isArray(stated) && doomedChoices(found.map(String), stated).length > 0;
      });
      return loses ? [live] : [];
    });
  });
}

/** Incident counts that decide a removal, or a change that incidents would feel. */
export function counts(configuration: Configuration, state: State): readonly Count[] {
  const removed = candidates(configuration, state).flatMap(({ kind, row }) => counting(kind, row));
  const changed = configuration.managed.flatMap(({ kind, scope }) => {
    const met = concerned(configuration, state, kind, scope);
    return met.pairs.flatMap(({ declared, live }) =>
      live !== undefined &&
      declared.kind.lifecycle.rejectUpdate?.(live.fields, declared.fields, undefined) !== undefined
        ? counting(declared.kind, live.row)
        : [],
    );
  });
  return [...removed, ...changed];
}

/**
 * Collections in which something missing would be acted upon, so that it must be proved missing: what would be created is not
 * there, what is not listed would go, nothing points at what would go, no rule stands between two others.
 */
export function missingReads(configuration: Configuration, state: State): readonly Wanted[] {
  const going = new Set(candidates(configuration, state).map(({ kind, scope }) => `${kind.name} ${scope}`));
  const own = configuration.managed.filter(
    ({ kind, scope }) =>
      state.kinds.get(kind)?.lifecycle.order === "rank" ||
      going.has(`${kind} ${scope}`) ||
      concerned(configuration, state, kind, scope).pairs.some(({ live }) => live === undefined),
  );
  const mentioned = dangling(configuration, state).length > 0 ? mentionedReads(configuration, state) : [];
  return [...own, ...mentioned, ...removalReads(configuration, state), ...itemReads(configuration, state)];
}

/** Whether an entry's own GET must be read, because a declared field is missing in the list's row. */
export function needsDetail(configuration: Configuration): (kind: Kind, row: Fields) => boolean {
  const stated = new Map<Kind, ReadonlyMap<string, Declared>>();
  const statedIn = (kind: Kind): ReadonlyMap<string, Declared> => {
    const own = configuration.declared.filter((entry) => entry.kind === kind && isConcerned(configuration, entry));
    return new Map(own.map((entry) => [entry.key, entry]));
  };
  return (kind, row) => {
    const own = stated.get(kind) ?? statedIn(kind);
    stated.set(kind, own);
    const entry = kind.identity.keys.map((field) => own.get(String(row[field]))).find((found) => found !== undefined);
    if (entry === undefined) return false;
    const hidden = new Set(kind.identity.labels);
    return Object.keys(entry.fields).some((field) => {
      const names = kind.fields?.[field]?.wireNames ?? [field];
      return !hidden.has(field) && names.every((name) => row[name] === undefined);
    });
  };
}

function counting(kind: Kind, row: Fields): readonly Count[] {
  return kind.references?.countedBy === undefined || typeof row.id !== "string"
    ? []
    : [{ parameter: kind.references?.countedBy, id: row.id }];
}

/** Live entries that the files do not list, not retired yet, and whose removal policy looks at what points at them. */
function candidates(
  configuration: Configuration,
  state: State,
): readonly Pick<Live, "kind" | "scope" | "key" | "row">[] {
  return configuration.managed.flatMap(({ kind, scope }) => {
    const row = state.kinds.get(kind);
    if (row === undefined || row.lifecycle.permanent === true || row.lifecycle.order === "rank") return [];
    const policy = policyOf(configuration.settings, row);
    if (policy === "keep" || policy === "disable") return [];
    return concerned(configuration, state, kind, scope).unlisted.filter(
      (live) =>
        row.lifecycle.builtins?.matches?.(live.row) !== true &&
        (row.lifecycle.disable === undefined || live.fields[row.lifecycle.disable] !== false),
    );
  });
}

/** Choices and named values that the files no longer list but that have to stay, because something still holds them. */

import type { Configuration } from "../../config/load/configuration.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Field } from "../../kinds/kind.ts";
import { addressOf, type Declared, type Live } from "../../kinds/resource.ts";
import { wasRefused } from "../../match/last-applied.ts";
import type { State } from "../../match/resolved-state.ts";
import type { Warning } from "../plan.ts";
import { doomedChoices, withdrawn } from "./option-list.ts";

/** The labels of a field's choices that stay, and why, for people. */
export interface Retained {
  readonly labels: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Which choices of a declared entry have to stay although the files do not list them. */
export function retainedChoices(
  configuration: Configuration,
  state: State,
  declared: Declared,
  live: Live,
  field: string,
): Retained {
  const found = live.fields[field];
  const stated = declared.fields[field];
  if (!Array.isArray(found) || !Array.isArray(stated)) return { labels: [], warnings: [] };
  const refused = wasRefused(state.memory, declared.address, field, stated);
  const held = doomedChoices(found.map(String), stated).flatMap((choice) => {
    const known = holders(configuration, state, live, field, choice);
    const why =
      known.length === 0 && refused
        ? ["the service refused to let it go at the last apply (--resend-unreadable tries again)"]
        : known;
    return why.length === 0 ? [] : [{ choice, why }];
  });
  const warnings = held.map(({ choice, why }): Warning => {
    const message = `${declared.address}: "${choice}" is not in the files but stays among the ${field}, because ${why.join(" and ")}`;
    return { code: "W_RETAINED", address: declared.address, message, source: placeOf(declared, field) };
  });
  return { labels: held.map(({ choice }) => choice), warnings };
}

function holders(
  configuration: Configuration,
  state: State,
  live: Live,
  field: string,
  choice: string,
): readonly string[] {
  const incidents = state.chosen(live, field, choice) ?? 0;
  const mentions = mentioning(configuration, state, live, choice);
  return [
    ...(incidents > 0 ? [`${incidents} ${incidents === 1 ? "incident holds" : "incidents hold"} it`] : []),
    ...(mentions.length > 0 ? [`${mentions.join(", ")} ${mentions.length === 1 ? "mentions" : "mention"} it`] : []),
  ];
}

/** Entries that remain after this plan and whose conditions mention the choice. */
function mentioning(configuration: Configuration, state: State, target: Live, choice: string): readonly string[] {
  const managed = new Set(configuration.managed.map(({ kind, scope }) => `${kind} ${scope}`));
  return [...state.kinds.values()]
    .filter((kind) => kind.references?.dependsOn?.includes(target.kind.name) === true)
    .flatMap((kind) =>
      state.all(kind.name).flatMap((entry) => {
        const declared = state.declared(kind.name, entry.key, entry.scope);
        const listed = declared !== undefined || kind.lifecycle.permanent === true || state.kept.has(entry.address);
        const leaves = !listed && managed.has(`${kind.name} ${entry.scope}`);
        const fields = { ...entry.fields, ...declared?.fields };
        const mentions =
          !leaves &&
          (kind.references?.of?.(fields, state, entry.scope) ?? []).some(
            (reference) =>
              reference.option === choice && reference.key === target.key && reference.kind === target.kind.name,
          );
        return mentions ? [addressOf(kind, entry.scope, entry.key)] : [];
      }),
    );
}

/** Items of a named list that have to stay, and those that can go only once the entries that hold them are gone. */
export interface RetainedItems {
  readonly items: readonly Fields[];
  readonly waiting: readonly Fields[];
  readonly warnings: readonly Warning[];
}

/** Which items of a named list have to stay although the files do not list them: entries that remain hold values of them. */
export function retainedItems(
  configuration: Configuration,
  state: State,
  declared: Pick<Declared, "address" | "fields" | "place">,
  live: Live,
  field: string,
  { keyOf, kind, values }: NonNullable<Field["keyedItems"]>,
): RetainedItems {
  const stated = new Set(rows(declared.fields[field]).map(keyOf));
  const doomed = rows(live.fields[field]).filter((item) => !stated.has(keyOf(item)));
  const managed = configuration.managed.some((list) => list.kind === kind && list.scope === live.key);
  const entries = state.live(kind, live.key) ?? [];
  const holders = (item: Fields) => entries.filter((entry) => isHeld(entry.fields[values], keyOf(item)));
  // Managed entries are written anew without the value, or go; of the others nobody may take it.
  const stays = (entry: Live) => !managed || state.kept.has(entry.address);
  const kept = doomed.filter((item) => holders(item).some(stays));
  return {
    items: kept,
    waiting: doomed.filter((item) => !kept.includes(item) && holders(item).length > 0),
    warnings: kept.map((item): Warning => {
      const message = `${declared.address}: "${item.name}" is not in the files but stays among the ${field}, because ${count(holders(item).filter(stays).length)} a value of it`;
      return { code: "W_RETAINED", address: declared.address, message, source: placeOf(declared, field) };
    }),
  };
}

/** The stated items with what they must go on offering, for good and until the entries that hold it hold something else. */
export interface RetainedOffers {
  readonly items: readonly Json[];
  /** Undefined where nothing has to wait. */
  readonly meanwhile: readonly Json[] | undefined;
  readonly warnings: readonly Warning[];
}

/** What the items of a named list have to go on offering although the files do not list it: entries hold it. */
export function retainedOffers(
  configuration: Configuration,
  state: State,
  declared: Pick<Declared, "address" | "fields" | "place">,
  live: Live,
  field: string,
  { keyOf, kind, values, options }: NonNullable<Field["keyedItems"]>,
): RetainedOffers {
  const items = listed(declared.fields[field]);
  const before = new Map(rows(live.fields[field]).map((item) => [keyOf(item), item]));
  const losing = new Map(
    options === undefined
      ? []
      : rows(items).flatMap((item) => {
          const gone = withdrawn(before.get(keyOf(item))?.[options], item[options]);
          return gone.length === 0 ? [] : [[item, gone] as const];
        }),
  );
  if (options === undefined || losing.size === 0) return { items, meanwhile: undefined, warnings: [] };
  const managed = configuration.managed.some((list) => list.kind === kind && list.scope === live.key);
  const valueIn = (fields: Fields | undefined, item: Fields) => {
    const map = fields?.[values];
    return isFields(map) ? map[keyOf(item)] : undefined;
  };
  const holders = (item: Fields, value: Json) =>
    (state.live(kind, live.key) ?? []).filter((entry) => holds(valueIn(entry.fields, item), value));
  // What a managed entry does not state keeps the value that it has.
  const stays = (item: Fields, value: Json) => (entry: Live) => {
    if (!managed || state.kept.has(entry.address)) return true;
    const wish = state.declared(kind, entry.key, live.key);
    return wish !== undefined && holds(valueIn(wish.fields, item) ?? value, value);
  };
  const warnings: Warning[] = [];
  const final = new Map<Json, Fields>();
  const waiting = new Map<Json, Fields>();
  for (const [item, gone] of losing) {
    const offered = listed(item[options]);
    const kept = gone.filter((value) => {
      const held = holders(item, value);
      const staying = held.filter(stays(item, value)).length;
      // Until they hold another one it options what it does, and what is new.
      if (held.length > staying) {
        const all = [...new Set([...listed(before.get(keyOf(item))?.[options]), ...offered])];
        waiting.set(item, { ...item, [options]: all });
      }
      if (staying === 0) return false;
      const message = `${declared.address}: "${value}" is not in the files but stays among the ${options} of "${item.name}", because ${count(staying)} it`;
      warnings.push({ code: "W_RETAINED", address: declared.address, message, source: placeOf(declared, field) });
      return true;
    });
    if (kept.length > 0) final.set(item, { ...item, [options]: [...offered, ...kept] });
  }
  const now = items.map((item) => final.get(item) ?? item);
  const meanwhile = items.map((item) => waiting.get(item) ?? final.get(item) ?? item);
  return { items: now, meanwhile: waiting.size === 0 ? undefined : meanwhile, warnings };
}

function listed(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function holds(value: Json | undefined, one: Json): boolean {
  return value === one || (isList(value) && value.includes(one));
}

/** Where the list stands. Only asked of one that something stays in: to find a place, its file is read once more. */
function placeOf(declared: Pick<Declared, "place">, field: string): NonNullable<Warning["source"]> {
  const { file, line, column } = declared.place(`/${field}`);
  return { file, line, column };
}

function count(entries: number): string {
  return entries === 1 ? "1 entry holds" : `${entries} entries hold`;
}

/** Whether a map holds a value under the name. */
export function isHeld(map: Fields[string] | undefined, name: string): boolean {
  const value = isFields(map) ? map[name] : undefined;
  return value !== undefined && value !== null && value !== "" && !(isList(value) && value.length === 0);
}

function rows(value: Fields[string] | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

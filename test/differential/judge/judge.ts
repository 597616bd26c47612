/**
 * The judge of a run, which knows neither the kinds nor the plan: it compares what the service returned before and
 * after with the document. Each fault is a sentence.
 */

import { type Fields, isFields, type Json } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import { rowsOf, slugOf } from "../cases/choice.ts";
import { type ListName, type Snapshot, SWITCHES } from "../service.ts";
import { notAsDeclared, unreadIn } from "./as-declared.ts";
import { referencesIn, targetsIn } from "./references.ts";
import { text } from "./texts.ts";

/** Members of a row that the service sets by itself, or that follow from other rows. */
const DERIVED = new Set([
  "updated_at",
  "created_at",
  "last_used_at",
  "position",
  "rank",
  "granted_abilities",
  "tokens",
]);
/** Resources that cannot be removed. */
const BUILT_IN = new Set(["incident_lead", "team", "service", "environment", "functionality"]);

/** How a run is judged. */
export interface Judging {
  /** The service returns every field. */
  readonly isFullyReadable: boolean;
  /** The run is whole; after one that was stopped only what it must leave alone counts. */
  readonly isWhole: boolean;
  /** What is not declared may stay where something holds it; else it is a difference in any case. */
  readonly mayStay: boolean;
  /** A request was refused as if something used the resource: the program does not ask again. Default: none was. */
  readonly wasRefused?: boolean;
}

/** The faults of a run for a document. */
export function faultsOf(document: Fields, before: Snapshot, after: Snapshot, judging: Judging): readonly string[] {
  return [
    ...vanished(before, after),
    ...unmanaged(document, before, after),
    ...doubled(document, before, after),
    ...undeclared(document, before, after, judging),
    ...(judging.isWhole ? notAsDeclared(document, before, after, judging) : []),
  ];
}

/** What differs between a document and a workspace. */
export interface Differences {
  /** Must be mended by an apply, and seen by whoever looks for drift. */
  readonly certain: readonly string[];
  /** All of them: some may stay, because something holds them or the service does not return them. */
  readonly possible: readonly string[];
}

/** The differences that a plan has to find, foreseen without one. */
export function foreseen(document: Fields, live: Snapshot, isFullyReadable: boolean, wasRefused = false): Differences {
  const judged = (more: Partial<Judging>) =>
    faultsOf(document, live, live, { isFullyReadable, isWhole: true, mayStay: true, wasRefused, ...more });
  const unread = isFullyReadable ? [] : unreadIn(document);
  return { certain: judged({}), possible: [...judged({ isFullyReadable: true, mayStay: false }), ...unread] };
}

/** No declared resource is there more often than before, and than declared. */
function doubled(document: Fields, before: Snapshot, after: Snapshot): readonly string[] {
  const lower = (name: Json | undefined) => String(name).toLowerCase();
  return [...OPTION_LISTS, ...SINGLE].flatMap((list) => {
    const declared = rowsOf(document[list]);
    return declared.flatMap(({ name, slug }): readonly string[] => {
      const count = (rows: readonly Fields[]) =>
        rows.filter((row) => lower(row.name) === lower(name) || (slug !== undefined && row.slug === slug)).length;
      const now = count(after[list]);
      return now <= Math.max(count(declared), count(before[list]))
        ? []
        : [`${list}/${slug ?? name} is there ${now} times`];
    });
  });
}

const SINGLE = [
  "custom_fields",
  "runbooks",
  "catalog_types",
  "agents",
  "webhooks",
  "api_keys",
  "alert_sources",
] as const;

/** Rule 1: nothing vanishes that something refers to. */
function vanished(before: Snapshot, after: Snapshot): readonly string[] {
  const [old, now] = [targetsIn(before), targetsIn(after)];
  return referencesIn(after)
    .filter(({ to }) => old.has(to) && !now.has(to))
    .map(({ from, to }) => `${from} refers to ${old.get(to)}, which is gone`);
}

/** Rule 2: what the files do not manage is as it was. */
function unmanaged(document: Fields, before: Snapshot, after: Snapshot): readonly string[] {
  const isManaged = (kind: string) => document[kind] !== undefined;
  const faults: string[] = [];
  const same = (what: string, old: Json | undefined, now: Json | undefined) => {
    if (text(old) !== text(now)) faults.push(`${what} is not managed, and changed from ${text(old)} to ${text(now)}`);
  };
  for (const list of [...OPTION_LISTS, "custom_fields", "runbooks", "webhooks", "api_keys"] as const) {
    if (!isManaged(list)) same(list, before[list].map(steady), after[list].map(steady));
  }
  for (const list of OPTION_LISTS) {
    const declared = new Set(rowsOf(document[list]).map(({ slug }) => slug));
    const order = (live: Snapshot) =>
      live[list]
        .filter(
          ({ slug, id }) =>
            !declared.has(slug) &&
            after[list].some((row) => row.id === id) &&
            before[list].some((row) => row.id === id),
        )
        .map(({ slug }) => slug ?? null);
    same(`the order of ${list} without those that are declared`, order(before), order(after));
  }
  if (!isManaged("catalog_types")) {
    same("catalog_types", before.catalog_types.map(steady), after.catalog_types.map(steady));
    same("entries", before.entries.map(steady), after.entries.map(steady));
  }
  if (!isManaged("alert_sources"))
    same("alert_sources", before.alert_sources.map(steady), after.alert_sources.map(steady));
  if (!isManaged("agents")) {
    same("agents", before.agents.map(steady), after.agents.map(steady));
    same("grants", before.grants, after.grants);
  }
  const scopes = isFields(document.routing_rules) ? document.routing_rules : {};
  const scoped = isFields(scopes.sources) ? scopes.sources : {};
  const rules = ({ rules: all }: Snapshot, source: string) =>
    all.filter((row) => row.source === source).map(({ source: _source, ...row }) => row);
  if (scopes.workspace === undefined) same("the rules of the workspace", rules(before, ""), rules(after, ""));
  for (const { id, name } of before.alert_sources) {
    const now = after.alert_sources.find((row) => row.id === id);
    if (now === undefined || scoped[String(now.name)] !== undefined) continue;
    same(`the rules of ${name}`, rules(before, String(name)), rules(after, String(now.name)));
  }
  for (const { form, slug, ...row } of before.form_fields) {
    const declared = rowsOf(isFields(document.forms) ? document.forms[String(form)] : undefined);
    const entry = declared.find((one) => (one.custom_field ?? one.system_field) === slug);
    const now = after.form_fields.find((one) => one.form === form && one.slug === slug);
    for (const name of ["visible", "required", "conditions"]) {
      if (entry?.[name] === undefined) same(`forms/${form}/${slug} ${name}`, row[name], now?.[name]);
    }
  }
  // Words of other resources follow those; ids do not.
  const incidents = (live: Snapshot): Json =>
    live.incidents.map(({ severity, status, type, custom_fields: _values, ...row }) => ({
      ...row,
      severity: idOf(severity),
      status: idOf(status),
      type: idOf(type),
    }));
  same("the incidents", incidents(before), incidents(after));
  return faults;
}

function idOf(value: Json | undefined): Json {
  return isFields(value) ? (value.id ?? null) : null;
}

/** A row without what is derived. */
function steady(row: Fields): Fields {
  const kept = Object.entries(row).filter(([name]) => !DERIVED.has(name));
  const values = kept.map(([name, value]): [string, Json] => {
    // The choices of a catalog field are the entries of its type; the name of a target is the target's.
    if (name === "options" && row.option_source === "catalog") return [name, null];
    if (name === "references")
      return [name, rowsOf(value).map(({ key, target_entry_id }) => [key ?? null, target_entry_id ?? null])];
    return [name, value];
  });
  return Object.fromEntries(values);
}

/** The declared resource of a row: by its pin, its slug, its name or its former name. */
function declaring(declared: readonly Fields[], row: Fields, rows: readonly Fields[]): Fields | undefined {
  if (row.slug !== undefined && declared.some(({ slug }) => slug !== undefined))
    return declared.find(({ slug }) => slug === row.slug);
  const pinned = declared.find(
    (one) => (one.id !== undefined && one.id === row.id) || (one.prefix !== undefined && one.prefix === row.prefix),
  );
  if (pinned !== undefined) return pinned;
  const free = declared.filter(({ id, prefix }) => id === undefined && prefix === undefined);
  const isPinned = (one: Fields) =>
    declared.some(
      ({ id, prefix }) => (id !== undefined && id === one.id) || (prefix !== undefined && prefix === one.prefix),
    );
  const hasName = (name: Json | undefined) => rows.some((one) => one.name === name && !isPinned(one));
  return (
    free.find(({ name }) => name === row.name) ??
    free.find((one) => one.renamed_from === row.name && !hasName(one.name))
  );
}

/** The rest of rule 2, and the removal of rule 5: rows of managed lists that are not declared, and fields that are not. */
function undeclared(document: Fields, before: Snapshot, after: Snapshot, judging: Judging): readonly string[] {
  const { isFullyReadable, isWhole, mayStay } = judging;
  const faults: string[] = [];
  const held = new Set(mayStay ? referencesIn(after).flatMap(({ to, isOwn }) => (isOwn === true ? [] : to)) : []);
  // Which incidents hold a resource the service does not return in every case.
  const mayBeHeld = mayStay && (!isFullyReadable || before.incidents.length > 0 || judging.wasRefused === true);
  const kinds: readonly ListName[] = [
    ...OPTION_LISTS,
    "custom_fields",
    "runbooks",
    "catalog_types",
    "alert_sources",
    "webhooks",
    "api_keys",
    "agents",
  ];
  for (const list of kinds) {
    if (document[list] === undefined) continue;
    const declared = rowsOf(document[list]);
    for (const old of before[list]) {
      const entry = declaring(declared, old, before[list]);
      const now = after[list].find(({ id }) => id === old.id);
      const what = `${list}/${old.slug !== undefined && list !== "alert_sources" ? old.slug : old.name}`;
      if (entry === undefined) faults.push(...removalFaults(list, what, old, now));
      else if (now === undefined) faults.push(`${what} is declared, and gone`);
      else faults.push(...silentFaults(list, what, entry, old, now, declared));
    }
  }
  for (const type of before.catalog_types) {
    if (document.catalog_types === undefined) continue;
    const entry = rowsOf(document.catalog_types).find(({ slug }) => slug === type.slug);
    const stays = after.catalog_types.some(({ id }) => id === type.id);
    if (!stays) continue;
    for (const old of before.entries.filter((row) => row.type === type.slug)) {
      const what = `catalog_types/${type.slug}/entries/${old.slug}`;
      const now = after.entries.find(({ id }) => id === old.id);
      const one = rowsOf(entry?.entries).find(({ slug }) => slug === old.slug);
      const isOwned = entry?.entries !== undefined;
      if (one === undefined && isOwned) {
        if (now === undefined || !isWhole || mayBeHeld) continue;
        const isHeld = held.has(String(old.id)) || (type.slug === "environment" && held.has(`environment ${old.slug}`));
        if (!isHeld) faults.push(`${what} is not declared, not used, and still there`);
      } else if (now === undefined) faults.push(`${what} is ${isOwned ? "declared" : "not managed"}, and gone`);
      else faults.push(...entryFaults(what, entry, one, old, now));
    }
  }
  return faults;

  function removalFaults(list: ListName, what: string, old: Fields, now: Fields | undefined): readonly string[] {
    const isSwitch = SWITCHES[list];
    if (now === undefined) return BUILT_IN.has(String(old.slug)) ? [`${what} is built in, and gone`] : [];
    const isBuiltIn = BUILT_IN.has(String(old.slug));
    const isOff = isSwitch !== undefined && now[isSwitch] === false;
    const rest = (row: Fields) => {
      const { is_default: _default, attribute_definitions: _definitions, ...kept } = steady(row);
      return text(Object.fromEntries(Object.entries(kept).filter(([name]) => name !== isSwitch)));
    };
    const changed =
      rest(old) === rest(now) ? [] : [`${what} is not declared, and changed from ${rest(old)} to ${rest(now)}`];
    if (isOff || isBuiltIn || !isWhole) return changed;
    if (isSwitch !== undefined) return [...changed, `${what} is not declared, and still enabled`];
    const keys = [String(old.id), `custom_field ${old.slug}`, `catalog_type ${old.slug}`];
    const isHeld =
      keys.some((key) => held.has(key)) ||
      rowsOf(old.options).some(({ id }) => held.has(String(id))) ||
      (list === "catalog_types" &&
        after.entries.some((entry) => entry.type === old.slug && held.has(String(entry.id))));
    return isHeld || mayBeHeld ? changed : [...changed, `${what} is not declared, not used, and still there`];
  }
}

/** Which members of a row a declared field accounts for. */
const ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  default: ["is_default"],
  attributes: ["attribute_definitions"],
  catalog_type: ["catalog_type", "catalog_type_id"],
};

/** Fields of a declared resource that it does not state are as they were. */
function silentFaults(
  list: ListName,
  what: string,
  entry: Fields,
  old: Fields,
  now: Fields,
  declared: readonly Fields[],
): readonly string[] {
  const stated = new Set(Object.keys(entry).flatMap((name) => [name, ...(ACCOUNTS[name] ?? [])]));
  // Not stated means enabled.
  for (const name of ["enabled", "active"]) stated.add(name);
  if (declared.some((one) => one.default === true)) stated.add("is_default");
  // A type is made of a name only where it is declared; attributes of built-in types are the service's.
  const [was, is] = [steady(old), steady(now)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !stated.has(name));
  const isSource = list === "custom_fields";
  return names
    .filter((name) => !(isSource && name === "option_source" && stated.has("field_type")))
    .filter((name) => text(was[name]) !== text(is[name]))
    .map((name) => `${what} does not state ${name}, which changed from ${text(was[name])} to ${text(is[name])}`);
}

/** An entry that stays: its name and the values that it does not state. */
function entryFaults(
  what: string,
  type: Fields | undefined,
  entry: Fields | undefined,
  old: Fields,
  now: Fields,
): readonly string[] {
  const stated = isFields(entry?.attributes) ? entry.attributes : {};
  const isKept = (key: string) =>
    type?.attributes === undefined || rowsOf(type.attributes).some(({ name }) => slugOf(String(name), true) === key);
  const values = (row: Fields): Fields => {
    const scalars = Object.entries(isFields(row.attributes) ? row.attributes : {}).filter(
      ([, value]) => value !== null,
    );
    const targets = rowsOf(row.references).map(({ key, target_entry_id }): [string, Json] => [
      String(key),
      target_entry_id ?? null,
    ]);
    return Object.fromEntries([...scalars, ...targets].filter(([key]) => stated[key] === undefined && isKept(key)));
  };
  const name =
    entry === undefined && text(old.name) !== text(now.name) ? [`${what} is not managed, and its name changed`] : [];
  const same = text(values(old)) === text(values(now));
  return same ? name : [...name, `${what} does not state ${text(values(old))}, which changed to ${text(values(now))}`];
}

/** Conditions of forms and runbooks: what they mention, and how a live one reads in the words of the configuration. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { asSet, sorted } from "./equality.ts";
import type { Equality } from "./kind.ts";
import type { IdLookup, Reference, ResourceLookup } from "./lookup.ts";

const LISTS: Readonly<Record<string, string>> = { severity: "severities", incident_type: "incident_types" };

/** What the conditions in `fields.conditions` mention: severities, types, custom fields and their choices. */
export function conditionReferences(fields: Fields, known: ResourceLookup): readonly Reference[] {
  return rows(fields.conditions).flatMap((condition, index) => {
    const at = `/conditions/${index}`;
    const values = texts(condition.values);
    const list = LISTS[String(condition.condition_field)];
    if (list !== undefined) {
      return values.map((key, place) => ({ at: `${at}/values/${place}`, kind: list, scope: "", key }));
    }
    if (typeof condition.custom_field !== "string") return [];
    const field = { at: `${at}/custom_field`, kind: "custom_fields", scope: "", key: condition.custom_field };
    return [
      field,
      ...values.map((value, place) => choice(condition.custom_field as string, value, known, `${at}/values/${place}`)),
    ];
  });
}

function choice(field: string, value: string, known: ResourceLookup, at: string): Reference {
  const catalog = known.fields("custom_fields", field)?.catalog_type;
  return typeof catalog === "string"
    ? { at, kind: "catalog_entries", scope: catalog, key: value }
    : { at, kind: "custom_fields", scope: "", key: field, option: value };
}

/** Live conditions with slugs and labels instead of ids; the field of a custom-field condition is found by its option. */
export function decodeConditions(conditions: Json, names: IdLookup): Json {
  return rows(conditions).map((condition) => {
    const { condition_field = null, operator = null } = condition;
    const values = texts(condition.values);
    const list = LISTS[String(condition_field)];
    if (list !== undefined) {
      return { condition_field, operator, values: values.map((value) => names.key(list, value) ?? value) };
    }
    const options = values.map((value) => optionsOf(names).get(value));
    const field = typeof condition.custom_field === "string" ? condition.custom_field : owner(options, values, names);
    // A catalog entry that is offered as an option has a label too, and is mentioned by its slug.
    const labels = values.map((value, place) => names.key("catalog_entries", value) ?? options[place]?.label ?? value);
    return { condition_field, ...(field === undefined ? {} : { custom_field: field }), operator, values: labels };
  });
}

/** Conditions are joined by "and": their order carries nothing, nor does that of their values; an untold field may be any. */
export const asConditions: Equality = (live, declared) => {
  const left = rows(live);
  const right = rows(declared);
  return left.length === right.length && right.every((wanted) => left.some((found) => meets(found, wanted)));
};

/** Conditions in an order of ours, and the values of each. */
export function inOrder(conditions: Json): Json {
  if (!isList(conditions)) return conditions;
  return sorted(
    conditions.map((condition) =>
      isFields(condition) && isList(condition.values) ? { ...condition, values: sorted(condition.values) } : condition,
    ),
  );
}

function meets(live: Fields, declared: Fields): boolean {
  return (
    live.condition_field === declared.condition_field &&
    live.operator === declared.operator &&
    meetsField(live, declared) &&
    asSet(sorted(live.values ?? []), sorted(declared.values ?? []))
  );
}

/** Whether both are about one custom field. Only a condition on a custom field has one that may be left untold. */
function meetsField(live: Fields, { condition_field, custom_field = null }: Fields): boolean {
  if (typeof live.custom_field === "string") return live.custom_field === custom_field;
  return condition_field === "custom_field" || custom_field === null;
}

interface Option {
  /** Undefined when several fields offer it: entries of one catalog type. */
  readonly field: string | undefined;
  readonly label: string;
}

const indexes = new WeakMap<IdLookup, ReadonlyMap<string, Option>>();

/** Every option of every custom field that was read, by id. */
function optionsOf(names: IdLookup): ReadonlyMap<string, Option> {
  const found = indexes.get(names);
  if (found !== undefined) return found;
  const index = new Map<string, Option>();
  for (const row of names.rows("custom_fields")) {
    for (const option of rows(row.options)) {
      if (typeof option.id !== "string") continue;
      const field = index.has(option.id) ? undefined : String(row.slug);
      index.set(option.id, { field, label: String(option.label) });
    }
  }
  indexes.set(names, index);
  return index;
}

const slugIndexes = new WeakMap<IdLookup, ReadonlyMap<Json, Json | undefined>>();

/** The slug of every catalog entry that was read, by id. */
function slugsOf(names: IdLookup): ReadonlyMap<Json, Json | undefined> {
  const found = slugIndexes.get(names);
  if (found !== undefined) return found;
  const index = new Map(names.rows("catalog_entries").map(({ id = null, slug }) => [id, slug]));
  slugIndexes.set(names, index);
  return index;
}

/** The one custom field that all values belong to, by option id or else by label or, of a catalog entry, by slug. */
function owner(
  options: readonly (Option | undefined)[],
  values: readonly string[],
  names: IdLookup,
): string | undefined {
  const byId = options.find((option) => option !== undefined);
  if (byId !== undefined) return byId.field;
  const slugs = slugsOf(names);
  const holders = names.rows("custom_fields").filter((row) => {
    const options = rows(row.options);
    const known = new Set(options.flatMap(({ id, label }) => [label, slugs.get(id ?? null)]));
    return values.length > 0 && values.every((value) => known.has(value));
  });
  return holders.length === 1 ? String(holders[0]?.slug) : undefined;
}

function rows(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

function texts(value: Json | undefined): readonly string[] {
  return isList(value) ? value.map(String) : [];
}

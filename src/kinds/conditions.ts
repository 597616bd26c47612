/** Conditions of forms and runbooks: their references, and live ones in the words of the files. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import { equalSets, sortAsSet } from "./equality.ts";
import type { Equality } from "./kind.ts";
import type { IdLookup, Reference, ResourceLookup } from "./lookup.ts";

/** Condition field → the kind that its values are keys of. */
const VALUE_KINDS: Readonly<Record<string, string>> = { severity: "severities", incident_type: "incident_types" };

/** The references in the conditions of a resource: severities, types, custom fields and their options. */
export function conditionReferences(conditions: Json | undefined, lookup: ResourceLookup): readonly Reference[] {
  return objectsIn(conditions).flatMap((condition, index) => {
    const at = `/conditions/${index}`;
    const values = textsIn(condition.values);
    const kind = VALUE_KINDS[String(condition.condition_field)];
    if (kind !== undefined) {
      return values.map((key, place) => ({ at: `${at}/values/${place}`, kind, scope: "", key }));
    }
    const field = condition.custom_field;
    if (typeof field !== "string") return [];
    return [
      { at: `${at}/custom_field`, kind: "custom_fields", scope: "", key: field },
      ...values.map((value, place) => optionReference(field, value, lookup, `${at}/values/${place}`)),
    ];
  });
}

/** A value of a custom field: an option of its own, or a catalog entry. */
function optionReference(field: string, value: string, lookup: ResourceLookup, at: string): Reference {
  const type = lookup.fields("custom_fields", field)?.catalog_type;
  return typeof type === "string"
    ? { at, kind: "catalog_entries", scope: type, key: value }
    : { at, kind: "custom_fields", scope: "", key: field, option: value };
}

/** Returns the function that gives live conditions with slugs and labels instead of ids. */
export function conditionDecoder(lookup: IdLookup): (conditions: Json) => Json {
  let known: ReadonlyMap<string, Option> | undefined;
  return (conditions) =>
    objectsIn(conditions).map((condition) => {
      const { condition_field = null, operator = null } = condition;
      const values = textsIn(condition.values);
      const kind = VALUE_KINDS[String(condition_field)];
      if (kind !== undefined) {
        return { condition_field, operator, values: values.map((value) => lookup.key(kind, value) ?? value) };
      }
      known ??= optionsById(lookup);
      const options = values.map((value) => known?.get(value));
      const field =
        typeof condition.custom_field === "string" ? condition.custom_field : fieldOf(options, values, lookup);
      // A catalog entry that is offered as an option has a label too; the files reference it by its slug.
      const labels = values.map(
        (value, place) => lookup.key("catalog_entries", value) ?? options[place]?.label ?? value,
      );
      return { condition_field, ...(field === undefined ? {} : { custom_field: field }), operator, values: labels };
    });
}

/** Conditions are joined by "and": their order carries nothing, nor does that of their values. A field that is not returned may be any. */
export const equalConditions: Equality = (live, declared) => {
  const left = objectsIn(live);
  const right = objectsIn(declared);
  return left.length === right.length && right.every((wanted) => left.some((found) => isSameCondition(found, wanted)));
};

/** Conditions in a canonical order, and the values of each. */
export function sortConditions(conditions: Json): Json {
  if (!isList(conditions)) return conditions;
  return sortAsSet(
    conditions.map((condition) =>
      isFields(condition) && isList(condition.values)
        ? { ...condition, values: sortAsSet(condition.values) }
        : condition,
    ),
  );
}

function isSameCondition(live: Fields, declared: Fields): boolean {
  return (
    live.condition_field === declared.condition_field &&
    live.operator === declared.operator &&
    isSameField(live, declared) &&
    equalSets(sortAsSet(live.values ?? []), sortAsSet(declared.values ?? []))
  );
}

/** Whether both are about one custom field. Only for a condition on a custom field may the service omit which one. */
function isSameField(live: Fields, { condition_field, custom_field = null }: Fields): boolean {
  if (typeof live.custom_field === "string") return live.custom_field === custom_field;
  return condition_field === "custom_field" || custom_field === null;
}

/** An option of a custom field. */
interface Option {
  /** Undefined when several fields offer it: entries of one catalog type. */
  readonly field: string | undefined;
  readonly label: string;
}

/** Every option of every custom field that was read, by id. */
function optionsById(lookup: IdLookup): ReadonlyMap<string, Option> {
  const options = new Map<string, Option>();
  for (const row of lookup.rows("custom_fields")) {
    for (const option of objectsIn(row.options)) {
      if (typeof option.id !== "string") continue;
      const field = options.has(option.id) ? undefined : String(row.slug);
      options.set(option.id, { field, label: String(option.label) });
    }
  }
  return options;
}

/** The one custom field that all values belong to, by option id or else by label or, for a catalog entry, by slug. */
function fieldOf(
  options: readonly (Option | undefined)[],
  values: readonly string[],
  lookup: IdLookup,
): string | undefined {
  const byId = options.find((option) => option !== undefined);
  if (byId !== undefined) return byId.field;
  const fields = lookup.rows("custom_fields").filter((row) => {
    const names = objectsIn(row.options).flatMap(({ id, label }) => [
      label,
      lookup.key("catalog_entries", String(id ?? "")),
    ]);
    return values.length > 0 && values.every((value) => names.includes(value));
  });
  return fields.length === 1 ? String(fields[0]?.slug) : undefined;
}

function objectsIn(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

function textsIn(value: Json | undefined): readonly string[] {
  return isList(value) ? value.map(String) : [];
}

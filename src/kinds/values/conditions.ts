/** Conditions of forms and runbooks: their references, and live ones in the words of the files. */

import { defined, type Fields, isFields, isList, type Json, listIn, objectsIn } from "../../core/json.ts";
import type { Equality, Rejection } from "../model/kind.ts";
import type { IdLookup, KeyedFields, Reference, ResourceLookup } from "../model/lookup.ts";
import { equalSets, sortAsSet } from "./equality.ts";

/** Condition field → the kind that its values are keys of. */
const VALUE_KINDS: Readonly<Record<string, string>> = { severity: "severities", incident_type: "incident_types" };

/**
 * The references in the conditions of a resource: severities, types, custom fields and their options. Where the service does not return
 * which custom field a condition reads, it refers to each that it may read.
 */
export function conditionReferences(conditions: Json | undefined, lookup: ResourceLookup): readonly Reference[] {
  return objectsIn(conditions).flatMap((condition, index) => {
    const at = `/conditions/${index}`;
    const values = listIn(condition.values).map(String);
    const kind = VALUE_KINDS[String(condition.condition_field)];
    if (kind !== undefined) {
      return values.map((key, place) => ({ at: `${at}/values/${place}`, kind, scope: "", key, needsEnabled: true }));
    }
    const { condition_field, custom_field: field } = condition;
    if (typeof field === "string") return fieldReferences(field, values, lookup, at);
    if (condition_field !== "custom_field") return [];
    const possible = possibleFields(values, lookup);
    return merged(possible.map(({ key }) => fieldReferences(key, values, lookup, at)));
  });
}

/** The references of a condition on a custom field: to the field, and to the values. */
function fieldReferences(
  field: string,
  values: readonly string[],
  lookup: ResourceLookup,
  at: string,
): readonly Reference[] {
  return [
    { at: `${at}/custom_field`, kind: "custom_fields", scope: "", key: field },
    ...(hasOptions(field, lookup)
      ? values.map((value, place) => optionReference(field, value, lookup, `${at}/values/${place}`))
      : []),
  ];
}

/** The references that are in any of several lists. One that is not in all of them is only possible. */
function merged(lists: readonly (readonly Reference[])[]): readonly Reference[] {
  const counts = new Map<string, { readonly reference: Reference; readonly count: number }>();
  for (const reference of lists.flat()) {
    const text = JSON.stringify(reference);
    counts.set(text, { reference, count: (counts.get(text)?.count ?? 0) + 1 });
  }
  return [...counts.values()].map(({ reference, count }) =>
    count === lists.length ? reference : { ...reference, isPossible: true },
  );
}

/** The live custom fields that a condition on these values may read: those that offer all of them, else any, else every field with options. */
function possibleFields(values: readonly string[], lookup: ResourceLookup): readonly KeyedFields[] {
  const selectable = (lookup.live("custom_fields") ?? []).filter(({ key }) => hasOptions(key, lookup));
  const offering = (field: KeyedFields) => values.filter((value) => mayOffer(field, value, lookup)).length;
  const counts = new Map(selectable.map((field) => [field, offering(field)]));
  const all = selectable.filter((field) => counts.get(field) === values.length);
  if (all.length > 0) return all;
  const some = selectable.filter((field) => counts.get(field) !== 0);
  return some.length > 0 ? some : selectable;
}

/** Whether a value is among those of a live custom field, or they were not read. */
function mayOffer({ fields }: KeyedFields, value: string, lookup: ResourceLookup): boolean {
  const { catalog_type: type, options } = fields;
  if (typeof type !== "string") return !isList(options) || options.includes(value);
  return (
    lookup.live("catalog_entries", type) === undefined || lookup.fields("catalog_entries", value, type) !== undefined
  );
}

/** Types of custom fields that conditions cannot read. */
export const WITHOUT_OPTIONS: ReadonlySet<string> = new Set(["text", "number", "link"]);

/**
 * Conditions that the service would refuse: their custom field offers nothing to choose, or they are live ones whose field it does not
 * return, so that they cannot be sent again.
 */
export function rejectedConditions(conditions: Json | undefined, lookup: ResourceLookup): readonly Rejection[] {
  return objectsIn(conditions).flatMap(({ condition_field, custom_field: field, values }, index) => {
    if (condition_field === "custom_field" && typeof field !== "string") {
      const quoted = listIn(values).map((value) => JSON.stringify(value));
      const message = `the service does not return which custom field the condition on ${quoted.join(", ")} reads`;
      return [{ field: `conditions/${index}/custom_field`, code: "E_CONDITION", message }];
    }
    if (typeof field !== "string" || hasOptions(field, lookup)) return [];
    const type = lookup.fields("custom_fields", field)?.field_type;
    const message = `a condition cannot read custom_fields/${field}, a field of type ${type}`;
    const help = "Conditions read selects and catalog references only.";
    return [{ field: `conditions/${index}/custom_field`, code: "E_CONDITION", message, help }];
  });
}

function hasOptions(field: string, lookup: ResourceLookup): boolean {
  return !WITHOUT_OPTIONS.has(String(lookup.fields("custom_fields", field)?.field_type));
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
  let known: CustomFields | undefined;
  return (conditions) =>
    objectsIn(conditions).map((condition) => {
      const { condition_field = null, operator = null } = condition;
      const values = listIn(condition.values).map(String);
      const kind = VALUE_KINDS[String(condition_field)];
      if (kind !== undefined) {
        return { condition_field, operator, values: values.map((value) => lookup.key(kind, value, "") ?? value) };
      }
      const rows = lookup.rows("custom_fields");
      known ??= customFieldsIn(rows, lookup);
      const { options, catalogTypes } = known;
      const field =
        typeof condition.custom_field === "string"
          ? condition.custom_field
          : fieldOf(
              values.map((value) => options.get(value)),
              values,
              rows,
              lookup,
            );
      const labels = values.map((value) => {
        const option = options.get(value);
        // A catalog entry that is offered as an option has a label too; the files reference it by its slug.
        const type = catalogTypes.get(field ?? "") ?? option?.catalogType;
        return lookup.key("catalog_entries", value, type) ?? option?.label ?? value;
      });
      return { condition_field, ...defined({ custom_field: field }), operator, values: labels };
    });
}

/** Compares conditions, without regard to their order or that of their values. A field that is not returned equals any value. */
export const equalConditions: Equality = (live, declared) => {
  const right = objectsIn(declared);
  // Those that may be about any field are left for last.
  const free = objectsIn(live).toSorted((one, other) => Number(!one.custom_field) - Number(!other.custom_field));
  if (free.length !== right.length) return false;
  return right.every((condition) => {
    const at = free.findIndex((one) => isSameCondition(one, condition));
    return at >= 0 && free.splice(at, 1).length === 1;
  });
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
  /** The type of the entry, for one of the catalog. */
  readonly catalogType: string | undefined;
}

/** The custom fields that were read. */
interface CustomFields {
  /** Options by id. */
  readonly options: ReadonlyMap<string, Option>;
  /** Custom field → the catalog type whose entries are its values. */
  readonly catalogTypes: ReadonlyMap<string, string>;
}

function customFieldsIn(rows: readonly Fields[], lookup: IdLookup): CustomFields {
  const options = new Map<string, Option>();
  const catalogTypes = new Map<string, string>();
  for (const row of rows) {
    const catalogType = catalogTypeOf(row, lookup);
    if (catalogType !== undefined) catalogTypes.set(String(row.slug), catalogType);
    for (const option of objectsIn(row.options)) {
      if (typeof option.id !== "string") continue;
      const field = options.has(option.id) ? undefined : String(row.slug);
      options.set(option.id, { field, label: String(option.label), catalogType });
    }
  }
  return { options, catalogTypes };
}

/** The catalog type whose entries are the values of a custom field. */
function catalogTypeOf({ catalog_type: slug, catalog_type_id: id }: Fields, lookup: IdLookup): string | undefined {
  if (typeof slug === "string" && slug !== "") return slug;
  return typeof id === "string" && id !== "" ? lookup.key("catalog_types", id, "") : undefined;
}

/** The one custom field that all values belong to, by option id or else by label or, for a catalog entry, by slug. */
function fieldOf(
  options: readonly (Option | undefined)[],
  values: readonly string[],
  rows: readonly Fields[],
  lookup: IdLookup,
): string | undefined {
  const byId = options.find((option) => option !== undefined);
  if (byId !== undefined) return byId.field;
  const fields = rows.filter((row) => {
    const type = catalogTypeOf(row, lookup);
    const options = objectsIn(row.options).map(({ id, label }) => ({
      label,
      slug: lookup.key("catalog_entries", String(id ?? ""), type),
    }));
    // The service may return slugs, which are known only of entries that were read.
    if (type !== undefined && options.some(({ slug }) => slug === undefined)) return true;
    const names = options.flatMap(({ label, slug }) => [label, slug]);
    return values.length > 0 && values.every((value) => names.includes(value));
  });
  return fields.length === 1 ? String(fields[0]?.slug) : undefined;
}

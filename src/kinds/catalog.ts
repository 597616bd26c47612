/** The catalog: types with attributes, and the entries of a type. */

import { equal, type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { Kind, Known, Names, Reference, Wire } from "./kind.ts";
import { asColor, asRows, asText } from "./same.ts";
import { wordSlug } from "./slug.ts";

const ATTRIBUTE: readonly string[] = ["name", "attribute_type", "required", "role", "reference_type", "options"];

export const catalogTypes: Kind = {
  name: "catalog_types",
  title: "catalog type",
  room: "catalog",
  source: "Configuration resources",
  key: ["slug"],
  collection: { path: "/catalog/types" },
  member: { path: "/catalog/types/{id}" },
  address: ["slug"],
  list: "types",
  item: "catalog_type",
  slug: "word",
  required: ["name"],
  inRow: { attributes: ["attribute_definitions", "attributes"] },
  builtin: (row) => row.kind === "system",
  builtins: ["team", "service", "environment", "functionality"],
  cascades: ["catalog_entries"],
  after: ["catalog_types"],
  fields: {
    description: { same: asText },
    icon: {},
    color: { same: asColor },
    attributes: {
      same: asRows(ATTRIBUTE),
      named: {
        by: slugOf,
        kind: "catalog_entries",
        values: "attributes",
        offers: "options",
        relaxed: (attribute) => ({ ...attribute, required: false }),
      },
    },
  },
  references: (fields) =>
    attributes(fields.attributes).flatMap((attribute, index) =>
      typeof attribute.reference_type === "string"
        ? [
            {
              at: `/attributes/${index}/reference_type`,
              kind: "catalog_types",
              scope: "",
              key: attribute.reference_type,
            },
          ]
        : [],
    ),
  decode: (row, names) => {
    const definitions = row.attribute_definitions ?? row.attributes;
    if (definitions === undefined) return row;
    return { ...row, attributes: attributes(definitions).map((definition) => decodeAttribute(definition, names)) };
  },
  complete: (declared, live, row) =>
    declared.attributes === undefined
      ? declared
      : { ...declared, attributes: completed(attributes(declared.attributes), attributes(live.attributes), row) },
  released: (fields, at) => ({
    attributes: attributes(fields.attributes).filter(
      (_one, index) => !at.includes(`/attributes/${index}/reference_type`),
    ),
  }),
  caution: (live, declared) => {
    const known = new Map(attributes(live.attributes).map((attribute) => [slugOf(attribute), attribute]));
    for (const attribute of attributes(declared.attributes)) {
      const before = known.get(slugOf(attribute));
      const changed = ["attribute_type", "reference_type"].find(
        (name) => before?.[name] !== undefined && before[name] !== attribute[name],
      );
      if (changed === undefined) continue;
      const message = `the service never changes the ${changed} of an attribute, and "${attribute.name}" has ${before?.[changed]}; add one of another name instead`;
      return { field: "attributes", message };
    }
    return undefined;
  },
};

export const catalogEntries: Kind = {
  name: "catalog_entries",
  title: "catalog entry",
  room: "catalog",
  source: "Configuration resources",
  layout: { within: "catalog_types", field: "entries" },
  key: ["slug"],
  collection: { path: "/catalog/types/{scope}/entries" },
  member: { path: "/catalog/entries/{id}" },
  address: ["id"],
  list: "entries",
  item: "entry",
  paginated: true,
  slug: "word",
  required: ["name"],
  after: ["catalog_types", "catalog_entries"],
  inRow: { attributes: ["attributes", "references"] },
  fields: { attributes: { resent: true } },
  references: (fields, known, scope) => {
    const values = fields.attributes;
    const pointing = isFields(values) ? targetsIn(known, scope) : undefined;
    if (!isFields(values) || pointing === undefined || pointing.size === 0) return NO_MENTIONS;
    let found: Reference[] | undefined;
    for (const name in values) {
      const type = pointing.get(name);
      if (type === undefined) continue;
      const more = mentions(`/attributes/${name}`, type, values[name] ?? null);
      if (found === undefined) found = [...more];
      else found.push(...more);
    }
    return found ?? NO_MENTIONS;
  },
  decode: (row, names) => {
    const pointing = attributes(row.references);
    if (pointing.length === 0 && isFields(row.attributes)) return row;
    return { ...row, attributes: toldOf(isFields(row.attributes) ? row.attributes : {}, pointing, names) };
  },
  encode: (fields, names, scope) => {
    if (!isFields(fields.attributes)) return fields;
    const sent = Object.entries(fields.attributes).map(([name, value]): [string, Wire] => {
      const type = referenceType(names, scope, name);
      return [name, type === undefined ? value : targets(value, type, names)];
    });
    return { ...fields, attributes: Object.fromEntries(sent) };
  },
  complete: (declared, live, _row, known, scope) => {
    if (declared.attributes !== undefined && declared.attributes === live.attributes) return declared;
    if (!isFields(declared.attributes) || !isFields(live.attributes))
      return withoutDropped(declared, live, known, scope);
    const values = kept(live.attributes, known, scope);
    return equal(values, declared.attributes)
      ? declared
      : { ...declared, attributes: { ...values, ...declared.attributes } };
  },
  released: ({ attributes: values }, at, known, scope) => {
    const names = at.map((pointer) => pointer.split("/")[2] ?? "");
    const needed = attributes(known.fields("catalog_types", scope)?.attributes).some(
      (attribute) => attribute.required === true && names.includes(slugOf(attribute)),
    );
    if (needed || !isFields(values)) return undefined;
    return { attributes: { ...values, ...Object.fromEntries(names.map((name) => [name, null])) } };
  },
};

const NO_MENTIONS: readonly Reference[] = [];

/** Live values by attribute, without those whose attribute the files take away from the type. */
function kept(values: Fields, known: Known, scope: string): Fields {
  const stated = known.stated("catalog_types", scope)?.attributes;
  if (!isList(stated) || catalogTypes.builtins?.includes(scope) === true) return values;
  const names = STATED.get(stated) ?? new Set(attributes(stated).map(slugOf));
  STATED.set(stated, names);
  if (Object.keys(values).every((name) => names.has(name))) return values;
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
      if (names.has(name)) return [[name, value]];
      // A value goes by being left out; a reference may only go by being said.
      return referenceType(known, scope, name) === undefined ? [] : [[name, null]];
    }),
  );
}

/** The slugs of a list of attributes, made once for all entries of its type. */
const STATED = new WeakMap<readonly Json[], ReadonlySet<string>>();

/** An entry that states no attributes still loses the values of an attribute that goes. */
function withoutDropped(declared: Fields, live: Fields, known: Known, scope: string): Fields {
  if (declared.attributes !== undefined || !isFields(live.attributes)) return declared;
  const values = kept(live.attributes, known, scope);
  return equal(values, live.attributes) ? declared : { ...declared, attributes: values };
}

function attributes(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

function slugOf(attribute: Fields): string {
  return wordSlug(String(attribute.name));
}

function decodeAttribute(definition: Fields, names: Names): Fields {
  const id = definition.reference_type_id;
  const type =
    definition.reference_type ?? (typeof id === "string" ? (names.key("catalog_types", id) ?? id) : undefined);
  return picked({ ...definition, ...(type === undefined ? {} : { reference_type: type }) });
}

/** The list to send: what an attribute leaves out keeps its live value, and a built-in type keeps what is unlisted. */
function completed(declared: readonly Fields[], live: readonly Fields[], row: Fields): readonly Fields[] {
  const known = new Map(live.map((attribute) => [slugOf(attribute), attribute]));
  const listed = new Set(declared.map(slugOf));
  const kept = catalogTypes.builtin?.(row) === true ? live.filter((attribute) => !listed.has(slugOf(attribute))) : [];
  return [...declared.map((attribute) => ({ ...known.get(slugOf(attribute)), ...attribute })), ...kept].map(picked);
}

/** What the service takes of an attribute. */
function picked(attribute: Fields): Fields {
  const told = ATTRIBUTE.flatMap((name): readonly (readonly [string, Json])[] => {
    const value = attribute[name];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(told);
}

/** The type that a reference attribute of the type `scope` points into. */
function referenceType(known: Known, scope: string, name: string): string | undefined {
  return targetsIn(known, scope)?.get(name);
}

type Targets = ReadonlyMap<string, string>;

/** The targets of each type, made once: they are asked for with every entry. */
const TARGETS = new WeakMap<Fields, Targets>();

function targetsIn(known: Known, scope: string): Targets | undefined {
  const type = known.fields("catalog_types", scope);
  if (type === undefined) return undefined;
  const targets = TARGETS.get(type) ?? targetsOf(type);
  TARGETS.set(type, targets);
  return targets;
}

/** By reference attribute; of two attributes of one slug the first counts. */
function targetsOf(type: Fields): Targets {
  const all = new Map<string, string | undefined>();
  for (const attribute of attributes(type.attributes).toReversed()) {
    const { attribute_type, reference_type } = attribute;
    const target = attribute_type === "reference" && typeof reference_type === "string" ? reference_type : undefined;
    all.set(slugOf(attribute), target);
  }
  return new Map([...all].flatMap(([name, target]) => (target === undefined ? [] : [[name, target] as const])));
}

function mentions(at: string, scope: string, value: Json): readonly Reference[] {
  if (isList(value)) return value.flatMap((item, index) => mentions(`${at}/${index}`, scope, item));
  return typeof value === "string" && value !== "" ? [{ at, kind: "catalog_entries", scope, key: value }] : NO_MENTIONS;
}

function targets(value: Json, type: string, names: Names): Wire {
  if (isList(value)) return value.map((item) => targets(item, type, names));
  return typeof value === "string" && value !== "" ? names.id("catalog_entries", value, type) : value;
}

/**
 * The attributes of a live entry: its values, and of references the slug of the target, several as a list. Put in one by one,
 * since of objects that two are spread into V8 describes each by itself: for many entries more than all that they hold.
 */
function toldOf(values: Fields, references: readonly Fields[], names: Names): Fields {
  const found: Record<string, Json> = {};
  for (const name of Object.keys(values)) found[name] = values[name] ?? null;
  const several = references.length > 1 ? new Set<string>() : undefined;
  for (const reference of references) {
    const name = String(reference.key);
    const id = String(reference.target_entry_id);
    const target = names.key("catalog_entries", id) ?? id;
    const before = several?.has(name) === true ? found[name] : undefined;
    found[name] = before === undefined ? target : isList(before) ? [...before, target] : [before, target];
    several?.add(name);
  }
  return found;
}

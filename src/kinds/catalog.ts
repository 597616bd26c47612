/** The catalog: types with attributes, and the entries of a type. */

import { equal, type Fields, isFields, isList, type Json } from "../core/json.ts";
import { asColor, asRows, asText } from "./equality.ts";
import type { Kind } from "./kind.ts";
import type { IdLookup, Reference, ResourceLookup, Wire } from "./lookup.ts";
import { wordSlug } from "./slug.ts";

const ATTRIBUTE: readonly string[] = ["name", "attribute_type", "required", "role", "reference_type", "options"];

export const catalogTypes: Kind = {
  name: "catalog_types",
  title: "catalog type",
  module: "catalog",
  source: "Configuration resources",
  identity: { keys: ["slug"], idFields: ["slug"], slug: "word" },
  endpoint: {
    list: { path: "/catalog/types" },
    member: { path: "/catalog/types/{id}" },
    envelope: { list: "types", item: "catalog_type" },
  },
  lifecycle: {
    required: ["name"],
    rejectUpdate: (live, declared) => {
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
    builtins: { keys: ["team", "service", "environment", "functionality"], matches: (row) => row.kind === "system" },
  },
  references: {
    cascades: ["catalog_entries"],
    dependsOn: ["catalog_types"],
    of: (fields) =>
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
    without: (fields, at) => ({
      attributes: attributes(fields.attributes).filter(
        (_one, index) => !at.includes(`/attributes/${index}/reference_type`),
      ),
    }),
  },
  codec: {
    responseFields: { attributes: ["attribute_definitions", "attributes"] },
    decode: (row, names) => {
      const definitions = row.attribute_definitions ?? row.attributes;
      if (definitions === undefined) return row;
      return { ...row, attributes: attributes(definitions).map((definition) => decodeAttribute(definition, names)) };
    },
    fillForReplace: (declared, live, row) =>
      declared.attributes === undefined
        ? declared
        : { ...declared, attributes: completed(attributes(declared.attributes), attributes(live.attributes), row) },
  },
  fields: {
    description: { equals: asText },
    icon: {},
    color: { equals: asColor },
    attributes: {
      equals: asRows(ATTRIBUTE),
      keyedItems: {
        keyOf: slugOf,
        kind: "catalog_entries",
        values: "attributes",
        options: "options",
        optional: (attribute) => ({ ...attribute, required: false }),
      },
    },
  },
};

export const catalogEntries: Kind = {
  name: "catalog_entries",
  title: "catalog entry",
  module: "catalog",
  source: "Configuration resources",
  parent: { kind: "catalog_types", field: "entries" },
  identity: { keys: ["slug"], idFields: ["id"], slug: "word" },
  endpoint: {
    list: { path: "/catalog/types/{scope}/entries" },
    member: { path: "/catalog/entries/{id}" },
    envelope: { list: "entries", item: "entry" },
    paginated: true,
  },
  lifecycle: { required: ["name"] },
  references: {
    dependsOn: ["catalog_types", "catalog_entries"],
    of: (fields, known, scope) => {
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
    without: ({ attributes: values }, at, known, scope) => {
      const names = at.map((pointer) => pointer.split("/")[2] ?? "");
      const needed = attributes(known.fields("catalog_types", scope)?.attributes).some(
        (attribute) => attribute.required === true && names.includes(slugOf(attribute)),
      );
      if (needed || !isFields(values)) return undefined;
      return { attributes: { ...values, ...Object.fromEntries(names.map((name) => [name, null])) } };
    },
  },
  codec: {
    responseFields: { attributes: ["attributes", "references"] },
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
    fillForReplace: (declared, live, _row, known, scope) => {
      if (declared.attributes !== undefined && declared.attributes === live.attributes) return declared;
      if (!isFields(declared.attributes) || !isFields(live.attributes))
        return withoutDropped(declared, live, known, scope);
      const values = kept(live.attributes, known, scope);
      return equal(values, declared.attributes)
        ? declared
        : { ...declared, attributes: { ...values, ...declared.attributes } };
    },
  },
  fields: { attributes: { alwaysSend: true } },
};

const NO_MENTIONS: readonly Reference[] = [];

/** Live values by attribute, without those whose attribute the files take away from the type. */
function kept(values: Fields, known: ResourceLookup, scope: string): Fields {
  const stated = known.declaredFields("catalog_types", scope)?.attributes;
  if (!isList(stated) || catalogTypes.lifecycle.builtins?.keys?.includes(scope) === true) return values;
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
function withoutDropped(declared: Fields, live: Fields, known: ResourceLookup, scope: string): Fields {
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

function decodeAttribute(definition: Fields, names: IdLookup): Fields {
  const id = definition.reference_type_id;
  const type =
    definition.reference_type ?? (typeof id === "string" ? (names.key("catalog_types", id) ?? id) : undefined);
  return picked({ ...definition, ...(type === undefined ? {} : { reference_type: type }) });
}

/** The list to send: what an attribute leaves out keeps its live value, and a built-in type keeps what is unlisted. */
function completed(declared: readonly Fields[], live: readonly Fields[], row: Fields): readonly Fields[] {
  const known = new Map(live.map((attribute) => [slugOf(attribute), attribute]));
  const listed = new Set(declared.map(slugOf));
  const kept =
    catalogTypes.lifecycle.builtins?.matches?.(row) === true
      ? live.filter((attribute) => !listed.has(slugOf(attribute)))
      : [];
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
function referenceType(known: ResourceLookup, scope: string, name: string): string | undefined {
  return targetsIn(known, scope)?.get(name);
}

type Targets = ReadonlyMap<string, string>;

/** The targets of each type, made once: they are asked for with every entry. */
const TARGETS = new WeakMap<Fields, Targets>();

function targetsIn(known: ResourceLookup, scope: string): Targets | undefined {
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

function targets(value: Json, type: string, names: IdLookup): Wire {
  if (isList(value)) return value.map((item) => targets(item, type, names));
  return typeof value === "string" && value !== "" ? names.id("catalog_entries", value, type) : value;
}

/**
 * The attributes of a live entry: its values, and of references the slug of the target, several as a list. Put in one by one,
 * since of objects that two are spread into V8 describes each by itself: for many entries more than all that they hold.
 */
function toldOf(values: Fields, references: readonly Fields[], names: IdLookup): Fields {
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

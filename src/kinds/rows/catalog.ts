/** The catalog: types with attributes, and the entries of a type. */

import {
  bare,
  defined,
  equal,
  type Fields,
  fieldsIn,
  isFields,
  isList,
  type Json,
  objectsIn,
} from "../../core/json.ts";
import { defineKind } from "../model/define-kind.ts";
import type { Kind, Rejection } from "../model/kind.ts";
import type { IdLookup, Reference, ResourceLookup, Wire } from "../model/lookup.ts";
import { equalColors, equalRowsOf, equalSingles, equalTexts, isBlank } from "../values/equality.ts";
import { booleanOf, isSameName } from "../values/sameness.ts";
import { wordSlug } from "../values/slug.ts";
import { BUILT_IN_TYPES, rejectedAttributes } from "./catalog-attributes.ts";
import { attributesBySlug, invalidValues, isAttributeType, missingValues } from "./catalog-values.ts";

/** Members of an attribute that the service takes. */
const ATTRIBUTE_MEMBERS: readonly string[] = [
  "name",
  "attribute_type",
  "required",
  "role",
  "reference_type",
  "options",
];

export const catalogTypes: Kind = defineKind({
  name: "catalog_types",
  title: "catalog type",
  module: "catalog",
  identity: { keys: ["slug"], displayName: "name", idFields: ["slug"], slug: "word" },
  endpoint: {
    list: { path: "/catalog/types" },
    member: { path: "/catalog/types/{id}" },
    envelope: { list: "types" },
    permission: "catalog",
  },
  lifecycle: {
    required: ["name"],
    rejectFields: () => rejectedAttributes,
    rejectUpdate: (live, declared) => {
      const bySlug = new Map(objectsIn(live.attributes).map((attribute) => [slugOf(attribute), attribute]));
      for (const [index, attribute] of objectsIn(declared.attributes).entries()) {
        const before = bySlug.get(slugOf(attribute));
        const changed = ["attribute_type", "reference_type"].find(
          (name) => before?.[name] !== undefined && before[name] !== attribute[name],
        );
        if (changed === undefined) continue;
        const message = `the ${changed} of attribute "${attribute.name}" is ${before?.[changed]} and cannot change; add an attribute with another name`;
        return { field: `attributes/${index}/${changed}`, code: "E_IMMUTABLE", message };
      }
      return undefined;
    },
    builtins: {
      keys: Object.keys(BUILT_IN_TYPES),
      definitions: BUILT_IN_TYPES,
      matches: ({ kind }) => typeof kind === "string" && isSameName(kind, "system"),
    },
  },
  references: {
    cascades: ["catalog_entries"],
    dependsOn: ["catalog_types"],
    of: () => (fields) =>
      objectsIn(fields.attributes).flatMap(({ reference_type: key }, index) =>
        typeof key === "string"
          ? [{ at: `/attributes/${index}/reference_type`, kind: "catalog_types", scope: "", key }]
          : [],
      ),
    without: () => (fields, pointers) => ({
      attributes: objectsIn(fields.attributes).filter(
        (_attribute, index) => !pointers.includes(`/attributes/${index}/reference_type`),
      ),
    }),
  },
  codec: {
    responseFields: { attributes: ["attribute_definitions", "attributes"] },
    decode: (lookup) => (row) => {
      const definitions = row.attribute_definitions ?? row.attributes;
      if (definitions === undefined) return row;
      const attributes = settable(definitions).map((definition) => decodeAttribute(definition, lookup));
      return { ...row, attributes };
    },
    fillForReplace: () => (declared, live, row) => {
      if (declared.attributes === undefined) return declared;
      const attributes = completeAttributes(objectsIn(declared.attributes), objectsIn(live.attributes), row);
      return { ...declared, attributes };
    },
  },
  fields: {
    description: { equals: equalTexts },
    icon: {},
    color: { equals: equalColors },
    attributes: {
      equals: equalRowsOf(ATTRIBUTE_MEMBERS),
      keyedItems: {
        keyOf: slugOf,
        names: ["name", "slug"],
        kind: "catalog_entries",
        values: "attributes",
        options: "options",
        optional: (attribute) => ({ ...attribute, required: false }),
        fixed: { name: "attribute_type", isKnown: isAttributeType },
      },
    },
  },
});

export const catalogEntries: Kind = defineKind({
  name: "catalog_entries",
  title: "catalog entry",
  module: "catalog",
  parent: { kind: "catalog_types", field: "entries", from: "entries_from", apart: true },
  identity: {
    keys: ["slug"],
    displayName: "name",
    idFields: ["id"],
    slug: "word",
    otherNames: { aliases: "aliases", fields: ["external_id", "name"] },
    origin: { system: "source", id: "external_id" },
  },
  endpoint: {
    list: { path: "/catalog/types/{scope}/entries" },
    member: { path: "/catalog/entries/{id}" },
    envelope: { list: "entries", item: "entry" },
    paginated: true,
    permission: "catalog",
  },
  lifecycle: { required: ["name"], rejectFields: refusedValues },
  references: {
    countsItself: true,
    dependsOn: ["catalog_types", "catalog_entries"],
    of: (lookup, scope) => {
      const types = referenceTypesOf(lookup, scope) ?? new Map<string, string>();
      return ({ attributes: values }) => {
        if (types.size === 0 || !isFields(values)) return NO_REFERENCES;
        const references: Reference[] = [];
        for (const name in values) {
          const type = types.get(name);
          if (type !== undefined)
            references.push(...entryReferences(`/attributes/${name}`, type, values[name] ?? null));
        }
        return references;
      };
    },
    without: (lookup, scope) => {
      const attributes = objectsIn(lookup.fields("catalog_types", scope)?.attributes);
      const required = new Set(attributes.filter((attribute) => attribute.required === true).map(slugOf));
      return ({ attributes: values }, pointers) => {
        const names = pointers.map((pointer) => pointer.split("/")[2] ?? "");
        if (!isFields(values) || names.some((name) => required.has(name))) return undefined;
        return { attributes: { ...values, ...Object.fromEntries(names.map((name) => [name, null])) } };
      };
    },
  },
  codec: {
    responseFields: { attributes: ["attributes", "references"] },
    decode: (lookup, scope) => {
      let types: ReferenceTypes | undefined;
      const withoutComputed = settableValues(lookup.rowsSoFar("catalog_types"), scope);
      return (row) => {
        const references = objectsIn(row.references);
        const values = fieldsIn(row.attributes);
        if (references.length === 0 && isFields(row.attributes)) {
          const own = withoutComputed(values);
          return own === values ? row : { ...row, attributes: own };
        }
        types ??= liveReferenceTypes(lookup, scope);
        return { ...row, attributes: withoutComputed(decodeValues(values, references, lookup, types)) };
      };
    },
    encode: (lookup, scope) => {
      const types = referenceTypesOf(lookup, scope);
      return (fields) => {
        if (!isFields(fields.attributes)) return fields;
        const attributes = Object.entries(fields.attributes).flatMap(([name, value]): [string, Wire][] => {
          const type = types?.get(name);
          // A value is removed by omitting it, a reference only by sending null.
          if (type !== undefined) return [[name, isBlank(value) ? null : entryIds(value, type, lookup)]];
          return isBlank(value) ? [] : [[name, value]];
        });
        return { ...fields, attributes: Object.fromEntries(attributes) };
      };
    },
    fillForReplace: (lookup, scope) => {
      const withoutRemoved = removedAttributes(lookup, scope);
      return (declared, live) => {
        if (!isFields(live.attributes)) return declared;
        const values = withoutRemoved(live.attributes);
        if (declared.attributes === undefined) {
          // An entry that declares no attributes still loses the values of attributes that go.
          return equal(values, live.attributes) ? declared : { ...declared, attributes: values };
        }
        if (!isFields(declared.attributes) || equal(values, declared.attributes)) return declared;
        return { ...declared, attributes: { ...values, ...declared.attributes } };
      };
    },
  },
  fields: { attributes: { alwaysSend: true, equals: equalSingles, notes: builtInAttributes, removableMembers: true } },
});

/** The attributes of each built-in type, as sentences. */
function builtInAttributes(): readonly string[] {
  return Object.entries(BUILT_IN_TYPES).map(
    ([type, { attributes = [] }]) =>
      `In a new workspace, the built-in type ${type} has ${objectsIn(attributes).map(slugOf).join(", ")}.`,
  );
}

const NO_REFERENCES: readonly Reference[] = [];

/** The key of an attribute in the entries' values. */
function slugOf(attribute: Fields): string {
  return wordSlug(String(attribute.name));
}

/** The attributes of a live type, in the words of the wire; undefined if they are not known. */
function definitionsOf(types: readonly Fields[], scope: string): Json | undefined {
  const row = types.find(({ slug }) => slug === scope);
  return row?.attribute_definitions ?? row?.attributes;
}

/** The attributes that take values: the service computes the others. */
function settable(definitions: Json | undefined): readonly Fields[] {
  return objectsIn(definitions).filter(({ read_only }) => booleanOf(read_only ?? false) !== true);
}

/**
 * Returns the function that gives, of live values, those of attributes that the live type lists and does not compute, booleans as such.
 */
function settableValues(types: readonly Fields[], scope: string): (values: Fields) => Fields {
  const definitions = definitionsOf(types, scope);
  if (definitions === undefined) return (values) => values;
  const attributes = settable(definitions).flatMap((one) =>
    [slugOf(one), one.slug, one.key].map((name) => [name, one.attribute_type] as const),
  );
  const typeOf = new Map(attributes);
  const read = (name: string, value: Json): Json => (typeOf.get(name) === "boolean" ? booleanOf(value) : value);
  const isRead = (values: Fields): boolean => {
    for (const name in values) if (!typeOf.has(name) || read(name, values[name] ?? null) !== values[name]) return false;
    return true;
  };
  return (values) => {
    if (isRead(values)) return values;
    const members = Object.entries(values).filter(([name]) => typeOf.has(name));
    return Object.fromEntries(members.map(([name, value]) => [name, read(name, value)]));
  };
}

function decodeAttribute(definition: Fields, lookup: IdLookup): Fields {
  const id = definition.reference_type_id;
  const type =
    definition.reference_type ?? (typeof id === "string" ? (lookup.key("catalog_types", id, "") ?? id) : undefined);
  return writableAttribute({ ...definition, ...defined({ reference_type: type }) });
}

/** The list to send: members that an attribute leaves out keep their live values, and a built-in type keeps its own attributes. */
function completeAttributes(declared: readonly Fields[], live: readonly Fields[], row: Fields): readonly Fields[] {
  const bySlug = new Map(live.map((attribute) => [slugOf(attribute), attribute]));
  const listed = new Set(declared.map(slugOf));
  const builtIn =
    catalogTypes.lifecycle.builtins?.matches(row) === true
      ? live.filter((attribute) => !listed.has(slugOf(attribute)))
      : [];
  return [...declared.map((attribute) => ({ ...bySlug.get(slugOf(attribute)), ...attribute })), ...builtIn].map(
    writableAttribute,
  );
}

/** The members that the service takes of an attribute. */
function writableAttribute(attribute: Fields): Fields {
  const members = ATTRIBUTE_MEMBERS.flatMap((name): readonly (readonly [string, Json])[] => {
    const value = attribute[name];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

/** Reference attribute → the type that it refers to; of two attributes of one slug the first counts. */
type ReferenceTypes = ReadonlyMap<string, string>;

/** The reference attributes of the type `scope`; undefined if nobody knows the type. */
function referenceTypesOf(lookup: ResourceLookup, scope: string): ReferenceTypes | undefined {
  const type = lookup.fields("catalog_types", scope);
  return type === undefined ? undefined : referenceTypesIn(objectsIn(type.attributes));
}

/** The reference attributes of the live type `scope`. */
function liveReferenceTypes(lookup: IdLookup, scope: string): ReferenceTypes {
  const definitions = objectsIn(definitionsOf(lookup.rows("catalog_types"), scope));
  return referenceTypesIn(definitions.map((definition) => decodeAttribute(definition, lookup)));
}

function referenceTypesIn(attributes: readonly Fields[]): ReferenceTypes {
  const types = new Map<string, string | undefined>();
  for (const attribute of attributes) {
    const { attribute_type, reference_type } = attribute;
    const target = attribute_type === "reference" && typeof reference_type === "string" ? reference_type : undefined;
    const slug = slugOf(attribute);
    if (!types.has(slug)) types.set(slug, target);
  }
  return new Map([...types].flatMap(([slug, target]) => (target === undefined ? [] : [[slug, target] as const])));
}

function entryReferences(at: string, scope: string, value: Json): readonly Reference[] {
  if (isList(value)) return value.flatMap((item, index) => entryReferences(`${at}/${index}`, scope, item));
  return typeof value === "string" && value !== ""
    ? [{ at, kind: "catalog_entries", scope, key: value }]
    : NO_REFERENCES;
}

/** Ids for slugs in the value of a reference attribute. */
function entryIds(value: Json, type: string, lookup: IdLookup): Wire {
  if (isList(value)) return value.map((item) => entryIds(item, type, lookup));
  return typeof value === "string" && value !== "" ? lookup.id("catalog_entries", value, type) : value;
}

/**
 * The attributes of a live entry: its values and, for references, the target's slug, several as a list. Values are assigned one by one:
 * V8 gives each object that is spread and then extended a hidden class of its own, which takes more memory than its values.
 */
function decodeValues(values: Fields, references: readonly Fields[], lookup: IdLookup, types: ReferenceTypes): Fields {
  const decoded = bare();
  for (const name in values) decoded[name] = values[name] ?? null;
  const seen = new Set<string>();
  for (const reference of references) {
    const name = String(reference.key);
    const id = String(reference.target_entry_id);
    const slug = lookup.key("catalog_entries", id, types.get(name)) ?? id;
    const before = seen.has(name) ? decoded[name] : undefined;
    decoded[name] = before === undefined ? slug : isList(before) ? [...before, slug] : [before, slug];
    seen.add(name);
  }
  return decoded;
}

/** Values that the attributes of the type `scope` do not allow, as far as the service returns its attributes. */
function refusedValues(
  lookup: IdLookup,
  scope: string,
): (declared: Fields, live: Fields | undefined) => readonly Rejection[] {
  const type = lookup.fields("catalog_types", scope);
  const isBuiltIn = catalogTypes.lifecycle.builtins?.keys.includes(scope) === true;
  const row = lookup.rows("catalog_types").find(({ slug }) => slug === scope);
  if (type === undefined || (isBuiltIn && (row?.attribute_definitions ?? row?.attributes) === undefined))
    return () => [];
  if (type.attributes === undefined) return () => [];
  const definitions = settable(row?.attribute_definitions ?? row?.attributes);
  const complete = (list: Json) => attributesBySlug(completeAttributes(objectsIn(list), definitions, row ?? {}));
  const attributes = complete(type.attributes);
  // An attribute that the configuration takes away is not required any more.
  const declared = isBuiltIn ? undefined : lookup.declaredFields("catalog_types", scope)?.attributes;
  const staying = declared === undefined ? attributes : complete(declared);
  return (declaredFields, live) => {
    const all = declaredFields.attributes ?? live?.attributes;
    const values = fieldsIn(all);
    const problems = [...invalidValues(scope, attributes, values), ...missingValues(staying, values)];
    return problems.map(({ name, ...problem }) => ({ field: `attributes/${name}`, ...problem }));
  };
}

/** Returns the function that removes, from live values, those of attributes that the files take away from the type. */
function removedAttributes(lookup: ResourceLookup, scope: string): (values: Fields) => Fields {
  const declared = lookup.declaredFields("catalog_types", scope)?.attributes;
  if (!isList(declared) || catalogTypes.lifecycle.builtins?.keys.includes(scope) === true) return (values) => values;
  const slugs = new Set(objectsIn(declared).map(slugOf));
  const types = referenceTypesOf(lookup, scope);
  return (values) => {
    if (Object.keys(values).every((name) => slugs.has(name))) return values;
    const left = Object.entries(values).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
      if (slugs.has(name)) return [[name, value]];
      // A value is removed by omitting it, a reference only by sending null.
      return types?.has(name) === true ? [[name, null]] : [];
    });
    return Object.fromEntries(left);
  };
}

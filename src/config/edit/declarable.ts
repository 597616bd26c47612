/** The fields of a live resource that a file can declare, without those that only the service sets. */

import { type Fields, fieldsIn, isFields, isList, type Json, listIn } from "../../core/json.ts";
import { childrenOf, type Kind, LIFECYCLE } from "../../kinds/model/kind.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { partAt, resourceSchema, type SchemaPart, typesOf } from "../schema/schema.ts";

/**
 * Returns the fields of a live resource that a file can declare, with the identity, and without nested resources and the pin. A
 * field is null only if a file can have null there.
 */
export function declarableFields({ kind, fields }: LiveResource, kinds: readonly Kind[]): Fields {
  const schema = resourceSchema(kind);
  const { properties } = schema.part;
  const nested = childrenOf(kinds, kind).flatMap(({ parent }) => parent?.field ?? []);
  const apart = new Set([...LIFECYCLE, ...nested, ...(kind.identity.pin === undefined ? [] : [kind.identity.pin])]);
  const names = Object.keys(fieldsIn(properties)).filter((name) => !apart.has(name));
  return Object.fromEntries(
    names.flatMap((name): readonly (readonly [string, Json])[] => {
      const value = fields[name];
      const place = partAt(schema, name);
      if (value === undefined) return [];
      const { equals, removableMembers } = kind.fields?.[name] ?? {};
      // The service reports null for an empty text, and for a member without a value.
      if (value === null && equals?.(null, "") === true) return [[name, ""]];
      if (removableMembers === true && isFields(value)) return [[name, ordered(withoutNulls(value), place)]];
      return value !== null || (place !== undefined && mayBeNull(place)) ? [[name, ordered(value, place)]] : [];
    }),
  );
}

function withoutNulls(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** A value with only the members that a file can have. */
function ordered(value: Json, place: SchemaPart | undefined): Json {
  if (isList(value)) return inEnumOrder(value, place).map((item, index) => ordered(item, partAt(place, String(index))));
  if (!isFields(value) || place === undefined) return value;
  const open = place.part.additionalProperties !== false;
  return Object.fromEntries(
    inOrder(value, place).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
      const part = partAt(place, name);
      if (part === undefined) return open ? [[name, member]] : [];
      if (member === null && !mayBeNull(part)) return [];
      return [[name, ordered(member, part)]];
    }),
  );
}

/** The items of a set in the order in which the schema lists what they may be. */
function inEnumOrder(value: readonly Json[], place: SchemaPart | undefined): readonly Json[] {
  const order = listIn(partAt(place, "0")?.part.enum);
  if (place?.part.uniqueItems !== true || order.length === 0) return value;
  return value.toSorted((left, right) => order.indexOf(left) - order.indexOf(right));
}

/** The members in the order of the schema. */
function inOrder(value: Fields, { part }: SchemaPart): readonly (readonly [string, Json])[] {
  const order = Object.keys(fieldsIn(part.properties));
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(value).sort(([left], [right]) => place(left) - place(right));
}

function mayBeNull(part: SchemaPart): boolean {
  const types = typesOf(part);
  return types.length === 0 || types.includes("null");
}

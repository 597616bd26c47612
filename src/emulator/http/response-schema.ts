/**
 * Schemas of responses. A presenter returns the type of its schema, and the OpenAPI document shows the schema, so that neither can
 * say something else than the other.
 */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Dialects } from "../dialects.ts";
import type { SchemaValue, ValueSchema } from "./value-schema.ts";

/** Schemas of the properties of an object. */
export interface Properties {
  readonly [name: string]: ValueSchema;
}

/** The schema of an object in responses. `Optional` names the properties that an object can lack. */
export interface ObjectSchema<Members extends Properties, Optional extends keyof Members = never> extends ValueSchema {
  readonly title: string;
  readonly type: "object";
  readonly properties: Members;
  readonly required: readonly Exclude<keyof Members & string, Optional>[];
  readonly additionalProperties: false;
}

/** The schema of a value or null. */
export interface NullableSchema<S extends ValueSchema> extends ValueSchema {
  readonly anyOf: readonly [S, { readonly type: "null" }];
}

export interface ListSchema<Item extends ValueSchema> extends ValueSchema {
  readonly type: "array";
  readonly items: Item;
}

/** The names of properties that some objects lack. */
interface Absences<Name extends string, Optional extends Name> {
  /** Properties that an object can lack in every dialect. */
  readonly optional?: readonly Optional[];
  /** Properties that only responses of the dialect `readable=full` have. */
  readonly fullOnly?: readonly Name[];
}

/** An id. */
export const uuid: { readonly type: "string"; readonly format: "uuid" } = { type: "string", format: "uuid" };

/** A time in ISO 8601, UTC. */
export const timestamp: { readonly type: "string"; readonly format: "date-time" } = {
  type: "string",
  format: "date-time",
};

/** A time, or null. */
export const optionalTimestamp: { readonly type: readonly ["string", "null"]; readonly format: "date-time" } = {
  type: ["string", "null"],
  format: "date-time",
};

/** The schema of an object under its name in the document. It has all properties, except optional ones, and no others. */
export function objectSchema<const Members extends Properties, const Optional extends keyof Members & string = never>(
  title: string,
  properties: Members,
  { optional = [], fullOnly }: Absences<keyof Members & string, Optional> = {},
): ObjectSchema<Members, Optional> {
  const isRequired = (name: string): name is Exclude<keyof Members & string, Optional> => {
    return !optional.some((other) => other === name);
  };
  return {
    title,
    type: "object",
    properties,
    required: Object.keys(properties).filter(isRequired),
    additionalProperties: false,
    ...(fullOnly === undefined ? {} : { fullOnly }),
  };
}

/** The schema of a value or null. */
export function nullable<const S extends ValueSchema>(schema: S): NullableSchema<S> {
  return { anyOf: [schema, { type: "null" }] };
}

export function listOf<const Item extends ValueSchema>(items: Item): ListSchema<Item> {
  return { type: "array", items };
}

/** `NoInfer` of TypeScript 5.4 and later, for the older ones that can use the library. */
type Uninferred<Value> = [Value][Value extends unknown ? 0 : never];

/** The properties of the value that the schema names, in the schema's order. */
export function present<Members extends Properties, Optional extends keyof Members>(
  schema: ObjectSchema<Members, Optional>,
  value: Uninferred<SchemaValue<ObjectSchema<Members, Optional>>>,
): SchemaValue<ObjectSchema<Members, Optional>> {
  const all = value as Fields;
  const result: Record<string, Json> = {};
  for (const name of Object.keys(schema.properties)) {
    const member = all[name];
    if (member !== undefined) result[name] = member;
  }
  return result as SchemaValue<ObjectSchema<Members, Optional>>;
}

/** The response of a dialect: without properties that it lacks, and under its name if the dialect wraps it. */
export function bodyInDialect(schema: ValueSchema, body: Fields, dialects: Dialects, member?: string): Fields {
  const readable = dialects.readable === "full" ? body : withoutFullOnly(schema, body);
  return member !== undefined && dialects.envelope === "wrapped" ? { [member]: readable } : readable;
}

export function schemaInDialect(schema: ValueSchema, dialects: Dialects, member?: string): ValueSchema {
  const readable = dialects.readable === "full" ? schema : readableSchema(schema);
  if (member === undefined || dialects.envelope === "bare") return readable;
  return objectSchema(`${readable.title}Envelope`, { [member]: readable });
}

function withoutFullOnly(schema: ValueSchema, value: Fields): Fields;
function withoutFullOnly(schema: ValueSchema, value: Json): Json;
function withoutFullOnly(schema: ValueSchema, value: Json): Json {
  const [choice] = schema.anyOf ?? [];
  if (choice !== undefined) return value === null ? null : withoutFullOnly(choice, value);
  if (isList(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => withoutFullOnly(items, item));
  }
  if (!isFields(value)) return value;
  const { properties = {}, fullOnly = [] } = schema;
  const members = Object.entries(value).filter(([name]) => !fullOnly.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutFullOnly(properties[name] ?? {}, member)]));
}

/** The schema without the properties that `withoutFullOnly` removes. */
function readableSchema(schema: ValueSchema): ValueSchema {
  const { anyOf, items, properties, required, fullOnly = [], ...rest } = schema;
  const members = Object.entries(properties ?? {}).filter(([name]) => !fullOnly.includes(name));
  return {
    ...rest,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(readableSchema) }),
    ...(items === undefined ? {} : { items: readableSchema(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(members.map(([name, member]) => [name, readableSchema(member)])) }),
    ...(required === undefined ? {} : { required: required.filter((name) => !fullOnly.includes(name)) }),
  };
}

/** Schemas: JSON Schema constants that give the type of a value and appear in the OpenAPI document. */

import type { Fields, Json } from "../../core/json.ts";

/** The JSON types of a schema. */
export type JsonTypeName = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

/** The part of JSON Schema (draft 2020-12, as OpenAPI 3.1 has it) that the interface needs. */
export interface ValueSchema {
  /** The name of the schema in the OpenAPI document, which then has it once. */
  readonly title?: string;
  /** One type or several; absent means any JSON value. */
  readonly type?: JsonTypeName | readonly JsonTypeName[];
  readonly description?: string;
  /** The first one is part of the examples of requests and responses. */
  readonly examples?: readonly Json[];
  readonly enum?: readonly Json[];
  readonly items?: ValueSchema;
  readonly properties?: { readonly [name: string]: ValueSchema };
  readonly required?: readonly string[];
  /** The schema of properties that `properties` does not name, or false if there are none. */
  readonly additionalProperties?: ValueSchema | false;
  /** Properties that only responses of the dialect `readable=full` have. The document never shows this keyword. */
  readonly fullOnly?: readonly string[];
  /** The value has one of these schemas. For responses only. */
  readonly anyOf?: readonly ValueSchema[];
  /** The value has exactly one of these schemas, besides the schema that lists them. */
  readonly oneOf?: readonly ValueSchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  /** The schema of at least one item. */
  readonly contains?: ValueSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A regular expression, unanchored as in JSON Schema. */
  readonly pattern?: string;
  readonly format?: "uuid" | "date-time" | "uri" | "email" | "ruby-regex";
  /** The service's own words for a value of a request that the schema refuses. The document never shows this keyword. */
  readonly refusal?: Refusal;
}

/**
 * The error for a value that a schema refuses; undefined for the usual one. The value of a missing required member is undefined. Of a
 * schema with `oneOf`, it is called for a value that has none of the alternatives.
 */
type Refusal = (value: Json | undefined, field: string) => Error | undefined;

/** The pattern of texts that are not blank. */
export const notBlank = "\\S";

/** The schema of a text that is not blank. */
export const nonBlankText: { readonly type: "string"; readonly pattern: string } = {
  type: "string",
  pattern: notBlank,
};

export function typesOf({ type, anyOf, oneOf }: ValueSchema): readonly JsonTypeName[] {
  if (type !== undefined) return typeof type === "string" ? [type] : type;
  return [...new Set((anyOf ?? oneOf ?? []).flatMap(typesOf))];
}

/** The schema of a request body, which is always an object. */
export interface BodySchema extends ValueSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: ValueSchema };
}

/** The TypeScript type of the values that a schema describes. */
export type SchemaValue<S extends ValueSchema> = S extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly anyOf: readonly (infer Choice extends ValueSchema)[] }
    ? SchemaValue<Choice>
    : S extends { readonly type?: never; readonly oneOf: readonly (infer Choice extends ValueSchema)[] }
      ? SchemaValue<Choice>
      : S["type"] extends JsonTypeName
        ? Typed<S, S["type"]>
        : S["type"] extends readonly (infer Name)[]
          ? Name extends JsonTypeName
            ? Typed<S, Name>
            : never
          : Json;

type Typed<S extends ValueSchema, Name extends JsonTypeName> = Name extends "string"
  ? string
  : Name extends "integer" | "number"
    ? number
    : Name extends "boolean"
      ? boolean
      : Name extends "null"
        ? null
        : Name extends "array"
          ? readonly (S extends { readonly items: infer Item extends ValueSchema } ? SchemaValue<Item> : Json)[]
          : S extends { readonly properties: infer Members extends { readonly [name: string]: ValueSchema } }
            ? ObjectOf<Members, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
            : S extends { readonly additionalProperties: infer Member extends ValueSchema }
              ? { readonly [name: string]: SchemaValue<Member> }
              : Fields;

type ObjectOf<Members extends { readonly [name: string]: ValueSchema }, Required> = {
  readonly [Name in keyof Members as Name extends Required ? Name : never]: SchemaValue<Members[Name]>;
} & {
  readonly [Name in keyof Members as Name extends Required ? never : Name]?: SchemaValue<Members[Name]>;
};

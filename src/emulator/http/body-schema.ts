/** Shapes of request bodies: JSON Schema constants that check a body, type it, and describe it in the OpenAPI document. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { parseUrl } from "../../core/url.ts";
import { badRequest, type FieldError, invalid } from "./http-error.ts";

/** The JSON types a shape may name. */
export type TypeName = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

/** The part of JSON Schema (draft 2020-12, as OpenAPI 3.1 has it) that bodies of the interface need. */
export interface Shape {
  /** One type or several; absent means any JSON value. */
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly items?: Shape;
  readonly properties?: { readonly [name: string]: Shape };
  readonly required?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A regular expression, unanchored as in JSON Schema. */
  readonly pattern?: string;
  readonly format?: "uuid" | "date-time" | "uri" | "email";
}

/** A shape of an object: the body of a request. */
export interface BodyShape extends Shape {
  readonly type: "object";
  readonly properties: { readonly [name: string]: Shape };
}

/** The TypeScript type of the values of a shape. */
export type ValueOf<S extends Shape> = S extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : S["type"] extends TypeName
    ? Typed<S, S["type"]>
    : S["type"] extends readonly (infer Name)[]
      ? Name extends TypeName
        ? Typed<S, Name>
        : never
      : Json;

type Typed<S extends Shape, Name extends TypeName> = Name extends "string"
  ? string
  : Name extends "integer" | "number"
    ? number
    : Name extends "boolean"
      ? boolean
      : Name extends "null"
        ? null
        : Name extends "array"
          ? readonly (S extends { readonly items: infer Item extends Shape } ? ValueOf<Item> : Json)[]
          : S extends { readonly properties: infer Members extends { readonly [name: string]: Shape } }
            ? ObjectOf<Members, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
            : Fields;

type ObjectOf<Members extends { readonly [name: string]: Shape }, Required> = {
  readonly [Name in keyof Members as Name extends Required ? Name : never]: ValueOf<Members[Name]>;
} & {
  readonly [Name in keyof Members as Name extends Required ? never : Name]?: ValueOf<Members[Name]>;
};

/**
 * Checks a body against its shape and returns it typed. Throws 400 naming the first required parameter that is missing at
 * the top, and 422 with one error per field for everything else. Members the shape does not name are let through unread.
 */
export function readBody<const S extends BodyShape>(shape: S, body: Fields): ValueOf<S> {
  const missing = shape.required?.find((name) => !Object.hasOwn(body, name));
  if (missing !== undefined) throw badRequest(`param is missing or the value is empty: ${missing}`);
  const errors = check(shape, body, "");
  if (errors.length > 0) throw invalid(...errors);
  return body as unknown as ValueOf<S>;
}

function check(shape: Shape, value: Json, field: string): FieldError[] {
  const names = typeof shape.type === "string" ? [shape.type] : (shape.type ?? []);
  if (names.length > 0 && !names.some((name) => isOfType(name, value))) {
    return [{ field, message: `must be ${names.map((name) => nouns[name]).join(" or ")}` }];
  }
  if (shape.enum !== undefined && !shape.enum.includes(value)) {
    return [{ field, message: `must be one of ${shape.enum.map(String).join(", ")}` }];
  }
  if (typeof value === "string") return checkString(shape, value, field);
  if (typeof value === "number") return checkNumber(shape, value, field);
  if (isList(value)) return checkList(shape, value, field);
  return isFields(value) ? checkMembers(shape, value, field) : [];
}

const nouns: { readonly [Name in TypeName]: string } = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

function isOfType(name: TypeName, value: Json): boolean {
  if (name === "null") return value === null;
  if (name === "array") return isList(value);
  if (name === "object") return isFields(value);
  if (name === "integer") return Number.isInteger(value);
  return typeof value === name;
}

function checkString({ minLength, maxLength, pattern, format }: Shape, value: string, field: string): FieldError[] {
  if (minLength !== undefined && value.trim().length < minLength) {
    const message = minLength === 1 ? "can't be blank" : `is too short (minimum is ${minLength} characters)`;
    return [{ field, message }];
  }
  if (maxLength !== undefined && value.length > maxLength) {
    return [{ field, message: `is too long (maximum is ${maxLength} characters)` }];
  }
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) return [{ field, message: "is invalid" }];
  return format !== undefined && !formats[format](value) ? [{ field, message: `is not a valid ${format}` }] : [];
}

const formats: { readonly [Name in NonNullable<Shape["format"]>]: (text: string) => boolean } = {
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)),
  uri: (text) => parseUrl(text) !== undefined,
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
};

function checkNumber({ minimum, maximum }: Shape, value: number, field: string): FieldError[] {
  if (minimum !== undefined && value < minimum) return [{ field, message: `must be at least ${minimum}` }];
  return maximum !== undefined && value > maximum ? [{ field, message: `must be at most ${maximum}` }] : [];
}

function checkList({ minItems, maxItems, items }: Shape, value: readonly Json[], field: string): FieldError[] {
  if (minItems !== undefined && value.length < minItems) {
    return [{ field, message: minItems === 1 ? "can't be empty" : `needs at least ${minItems} items` }];
  }
  if (maxItems !== undefined && value.length > maxItems) {
    return [{ field, message: `takes at most ${maxItems} items` }];
  }
  return items === undefined ? [] : value.flatMap((item, index) => check(items, item, `${field}[${index}]`));
}

function checkMembers({ properties = {}, required = [] }: Shape, value: Fields, field: string): FieldError[] {
  const path = (name: string): string => (field === "" ? name : `${field}.${name}`);
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ field: path(name), message: "is missing" }));
  const failing = Object.entries(properties).flatMap(([name, shape]) => {
    return Object.hasOwn(value, name) ? check(shape, value[name] ?? null, path(name)) : [];
  });
  return [...missing, ...failing];
}

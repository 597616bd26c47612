/** The validation of request bodies with their schemas. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { parseUrl } from "../../core/url.ts";
import { badRequest, type InvalidField, validationError } from "./http-error.ts";
import type { BodySchema, JsonTypeName, SchemaValue, ValueSchema } from "./value-schema.ts";

/**
 * The body with the schema's type. Throws 400 with the name of the first missing required parameter, and 422 with one
 * error for each other invalid field. Properties that the schema does not name are ignored.
 */
export function validateBody<const S extends BodySchema>(schema: S, body: Fields): SchemaValue<S> {
  const missing = schema.required?.find((name) => !Object.hasOwn(body, name));
  if (missing !== undefined) throw badRequest(`param is missing or the value is empty: ${missing}`);
  const errors = check(schema, body, "");
  if (errors.length > 0) throw validationError(...errors);
  return body as unknown as SchemaValue<S>;
}

function check(schema: ValueSchema, value: Json, field: string): InvalidField[] {
  const names = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (names.length > 0 && !names.some((name) => isOfType(name, value))) {
    return [{ field, message: `must be ${names.map((name) => nouns[name]).join(" or ")}` }];
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return [{ field, message: `must be one of ${schema.enum.map(String).join(", ")}` }];
  }
  if (typeof value === "string") return checkString(schema, value, field);
  if (typeof value === "number") return checkNumber(schema, value, field);
  if (isList(value)) return checkList(schema, value, field);
  return isFields(value) ? checkMembers(schema, value, field) : [];
}

const nouns: { readonly [Name in JsonTypeName]: string } = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

function isOfType(name: JsonTypeName, value: Json): boolean {
  if (name === "null") return value === null;
  if (name === "array") return isList(value);
  if (name === "object") return isFields(value);
  if (name === "integer") return Number.isInteger(value);
  return typeof value === name;
}

function checkString(
  { minLength, maxLength, pattern, format }: ValueSchema,
  value: string,
  field: string,
): InvalidField[] {
  // Lengths count characters, as JSON Schema says, and not UTF-16 units.
  if (minLength !== undefined && [...value.trim()].length < minLength) {
    const message = minLength === 1 ? "can't be blank" : `is too short (minimum is ${minLength} characters)`;
    return [{ field, message }];
  }
  if (maxLength !== undefined && [...value].length > maxLength) {
    return [{ field, message: `is too long (maximum is ${maxLength} characters)` }];
  }
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) return [{ field, message: "is invalid" }];
  return format !== undefined && !formats[format](value) ? [{ field, message: `is not a valid ${format}` }] : [];
}

const formats: { readonly [Name in NonNullable<ValueSchema["format"]>]: (text: string) => boolean } = {
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)),
  uri: (text) => parseUrl(text) !== undefined,
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
};

function checkNumber({ minimum, maximum }: ValueSchema, value: number, field: string): InvalidField[] {
  if (minimum !== undefined && value < minimum) return [{ field, message: `must be at least ${minimum}` }];
  return maximum !== undefined && value > maximum ? [{ field, message: `must be at most ${maximum}` }] : [];
}

function checkList({ minItems, maxItems, items }: ValueSchema, value: readonly Json[], field: string): InvalidField[] {
  if (minItems !== undefined && value.length < minItems) {
    return [{ field, message: minItems === 1 ? "can't be empty" : `needs at least ${minItems} items` }];
  }
  if (maxItems !== undefined && value.length > maxItems) {
    return [{ field, message: `takes at most ${maxItems} items` }];
  }
  return items === undefined ? [] : value.flatMap((item, index) => check(items, item, `${field}[${index}]`));
}

function checkMembers({ properties = {}, required = [] }: ValueSchema, value: Fields, field: string): InvalidField[] {
  const path = (name: string): string => (field === "" ? name : `${field}.${name}`);
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ field: path(name), message: "is missing" }));
  const failing = Object.entries(properties).flatMap(([name, schema]) => {
    return Object.hasOwn(value, name) ? check(schema, value[name] ?? null, path(name)) : [];
  });
  return [...missing, ...failing];
}

/** Throws 400 for a query parameter that is not in the list. */
export function refuseUnknownQuery(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw badRequest(`The query parameter ${unknown} is unknown; ${allowedText(known)}`);
}

/** Throws 422 with an error for each member of the body that the schema does not name. Without a schema no body is allowed. */
export function refuseUnknownMembers(schema: ValueSchema | undefined, body: Fields): void {
  const errors = unknownMembers(schema ?? { type: "object", properties: {} }, body, "");
  if (errors.length > 0) throw validationError(...errors);
}

/** The errors of a value and its parts. An object without `properties` in its schema may have any members. */
function unknownMembers({ properties, items }: ValueSchema, value: Json, field: string): readonly InvalidField[] {
  if (isList(value)) {
    return items === undefined ? [] : value.flatMap((item, index) => unknownMembers(items, item, `${field}[${index}]`));
  }
  if (!isFields(value) || properties === undefined) return [];
  const known = Object.keys(properties);
  return Object.entries(value).flatMap(([name, member]) => {
    const path = field === "" ? name : `${field}.${name}`;
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema !== undefined) return unknownMembers(schema, member, path);
    return [{ field: path, message: `is unknown; ${allowedText(known)}` }];
  });
}

function allowedText(names: readonly string[]): string {
  return names.length === 0 ? "none is allowed" : `allowed: ${names.join(", ")}`;
}

/** The schema, with no other members than the named ones in any object that names its members. */
export function closedSchema(schema: ValueSchema): Fields {
  return closed(JSON.parse(JSON.stringify(schema)));
}

function closed(schema: Fields): Fields {
  const members = Object.entries(schema).map(([name, value]): [string, Fields[string]] => {
    if (name === "items") return [name, closed(value as Fields)];
    if (name !== "properties") return [name, value];
    const properties = Object.entries(value as Fields).map(([key, each]) => [key, closed(each as Fields)]);
    return [name, Object.fromEntries(properties)];
  });
  return {
    ...Object.fromEntries(members),
    ...(schema.properties === undefined ? {} : { additionalProperties: false }),
  };
}

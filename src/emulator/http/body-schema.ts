/** The validation of request bodies with their schemas. */

import { canonical, type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { parseUrl } from "../../core/url.ts";
import { badRequest, HttpError, type InvalidField, validationError } from "./http-error.ts";
import { regularExpression } from "./regular-expression.ts";
import { type BodySchema, type JsonTypeName, notBlank, type SchemaValue, type ValueSchema } from "./value-schema.ts";

/**
 * The body with the schema's type. Throws 400 with the name of the first missing required parameter, and 422 with one
 * error for each other invalid field. Properties that the schema does not name are ignored.
 */
export function validateBody<const S extends BodySchema>(schema: S, body: Fields): SchemaValue<S> {
  const missing = schema.required?.find((name) => !Object.hasOwn(body, name));
  if (missing !== undefined) {
    const own = schema.properties[missing]?.refusal?.(undefined, missing);
    throw own ?? badRequest(`param is missing or the value is empty: ${missing}`);
  }
  const errors = check(schema, body, "");
  if (errors.length > 0) throw validationError(...errors);
  return body as SchemaValue<S>;
}

export function isValid(schema: ValueSchema, value: Json): boolean {
  if (checkValue(schema, value, "").length > 0) return false;
  return schema.oneOf === undefined || schema.oneOf.some((alternative) => isValid(alternative, value));
}

/** The errors of a value. Throws an error of the schema's own words that is about no field. */
function check(schema: ValueSchema, value: Json, field: string): readonly InvalidField[] {
  const errors = checkValue(schema, value, field);
  if (schema.oneOf === undefined) return inOwnWords(schema, value, field, errors);
  if (errors.length > 0) return errors;
  return inOwnWords(schema, value, field, checkAlternatives(schema.oneOf, value, field));
}

function inOwnWords(
  { refusal }: ValueSchema,
  value: Json,
  field: string,
  errors: readonly InvalidField[],
): readonly InvalidField[] {
  const own = errors.length === 0 ? undefined : refusal?.(value, field);
  if (own === undefined) return errors;
  if (own instanceof HttpError && own.errors !== undefined) return own.errors;
  throw own;
}

/** The errors in the alternative with the fewest; none if the value has one of them. */
function checkAlternatives(alternatives: readonly ValueSchema[], value: Json, field: string): readonly InvalidField[] {
  const all = alternatives.map((alternative) => check(alternative, value, field));
  return all.reduce((fewest, errors) => (errors.length < fewest.length ? errors : fewest));
}

/** The errors of a value, alternatives aside. */
function checkValue(schema: ValueSchema, value: Json, field: string): readonly InvalidField[] {
  const { type, enum: choices } = schema;
  if (choices !== undefined && !choices.includes(value)) {
    const words = choices.filter((choice) => choice !== null && choice !== "");
    return [{ field, message: words.length === 0 ? "must be left out" : `must be one of ${words.join(", ")}` }];
  }
  const names = typeof type === "string" ? [type] : (type ?? []);
  if (names.length > 0 && !names.some((name) => isOfType(name, value))) {
    const isBlank = value === null && schema.pattern === notBlank;
    return [
      { field, message: isBlank ? "can't be blank" : `must be ${names.map((name) => nouns[name]).join(" or ")}` },
    ];
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
  if (pattern === notBlank && value.trim() === "") return [{ field, message: "can't be blank" }];
  if (minLength !== undefined && [...value].length < minLength) {
    const message = minLength === 1 ? "can't be empty" : `is too short (minimum is ${minLength} characters)`;
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
  "ruby-regex": (text) => regularExpression(text) !== undefined,
};

function checkNumber({ minimum, maximum }: ValueSchema, value: number, field: string): InvalidField[] {
  if (minimum !== undefined && value < minimum) return [{ field, message: `must be at least ${minimum}` }];
  return maximum !== undefined && value > maximum ? [{ field, message: `must be at most ${maximum}` }] : [];
}

function checkList(
  { minItems, maxItems, uniqueItems, contains, items }: ValueSchema,
  value: readonly Json[],
  field: string,
): InvalidField[] {
  if (minItems !== undefined && value.length < minItems) {
    return [{ field, message: minItems === 1 ? "can't be empty" : `needs at least ${minItems} items` }];
  }
  if (maxItems !== undefined && value.length > maxItems) {
    return [{ field, message: `takes at most ${maxItems} items` }];
  }
  if (contains !== undefined && !value.some((item) => isValid(contains, item))) {
    return [{ field, message: "can't be empty" }];
  }
  const texts = value.map(canonical);
  const repeated = uniqueItems === true ? texts.find((text, index) => texts.indexOf(text) !== index) : undefined;
  if (repeated !== undefined) return [{ field, message: `${repeated} is there twice` }];
  return items === undefined ? [] : value.flatMap((item, index) => check(items, item, `${field}[${index}]`));
}

function checkMembers(
  { properties = {}, required = [], additionalProperties = {} }: ValueSchema,
  value: Fields,
  field: string,
): InvalidField[] {
  const path = (name: string): string => (field === "" ? name : `${field}.${name}`);
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ field: path(name), message: "is missing" }));
  const failing = Object.entries(value).flatMap(([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return schema === undefined ? [] : checkMember(schema, member, path(name), Object.keys(properties));
  });
  return [...missing, ...failing];
}

/** The errors of a member. The schema false is that of a member which the object cannot have. */
function checkMember(
  schema: ValueSchema | false,
  value: Json,
  field: string,
  known: readonly string[],
): readonly InvalidField[] {
  return schema === false ? [unknownMember(field, known)] : check(schema, value, field);
}

function unknownMember(field: string, known: readonly string[]): InvalidField {
  return { field, message: `is unknown; ${allowedText(known)}` };
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
    return [unknownMember(path, known)];
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

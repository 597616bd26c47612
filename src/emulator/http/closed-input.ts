/** The refusal of query parameters and members of bodies that a control endpoint does not take, so that no typing error is ignored. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import { badRequest, type InvalidField, validationError } from "./http-error.ts";
import type { ValueSchema } from "./value-schema.ts";

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

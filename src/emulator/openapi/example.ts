/** Examples, made from schemas. */

import { fieldsIn, type Json } from "../../core/json.ts";
import type { ValueSchema } from "../http/value-schema.ts";

const stringExamples: { readonly [Format in NonNullable<ValueSchema["format"]>]: string } = {
  uuid: "0f8c3a52-6c1d-4f0e-9b7a-2d5e8c4b1a90",
  "date-time": "2026-03-01T12:00:00.000Z",
  uri: "https://example.com",
  email: "ada@example.com",
  "ruby-regex": "^db-",
};

/**
 * A value that the schema describes: its first example, or one made of its parts. An object has the properties that are required or
 * have an example.
 */
export function exampleOf(schema: ValueSchema): Json {
  const { examples, enum: choices, type } = schema;
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  const [first = examples?.[0]] = choices ?? [];
  if (examples?.[0] !== undefined) return examples[0];
  if (first !== undefined) return first;
  if (alternative !== undefined && type === undefined) return exampleOf(alternative);
  const name = typeof type === "string" ? type : type?.[0];
  if (name === "string") return schema.format === undefined ? "text" : stringExamples[schema.format];
  if (name === "integer" || name === "number") return schema.minimum ?? 1;
  if (name === "boolean") return true;
  if (name === "array") return schema.items === undefined ? [] : [exampleOf(schema.items)];
  if (name === "null") return null;
  const members = Object.entries(schema.properties ?? {}).filter(([member, { examples: own }]) => {
    return own !== undefined || schema.required?.includes(member) === true;
  });
  const stated = Object.fromEntries(members.map(([member, part]) => [member, exampleOf(part)]));
  return alternative === undefined ? stated : { ...fieldsIn(exampleOf(alternative)), ...stated };
}

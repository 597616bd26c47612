/** The table and the schemas of a resource, derived from its fields. */

import { objectSchema } from "../http/response-schema.ts";
import type { BodySchema, ValueSchema } from "../http/value-schema.ts";
import {
  boolean,
  type Column,
  enumText,
  integer,
  json,
  key,
  optionalInteger,
  optionalText,
  type Table,
  table,
  text,
  uniqueText,
} from "../store/table.ts";
import { type RequestKind, type ResourceField, type ResourceFields, type RowOf, typesOf } from "./field.ts";

/** The schema of a resource in responses. */
export type ResourceSchema = ValueSchema & {
  readonly title: string;
  readonly type: "object";
  readonly properties: { readonly [name: string]: ValueSchema };
};

/** The table of a resource. `rules` are additional SQL constraints. */
export function tableOf<const F extends ResourceFields>(
  name: string,
  fields: F,
  ...rules: readonly string[]
): Table<RowOf<F>> {
  const stored = Object.entries(fields).filter(([, { only }]) => only !== "response");
  const columns = Object.fromEntries(stored.map(([column, field]) => [column, columnOf(column, field)]));
  // RowOf names the same fields, with the types of the same schemas.
  return table(name, columns as unknown as Table<RowOf<F>>["columns"], ...rules);
}

function columnOf(name: string, { value, unique }: ResourceField): Column<unknown> {
  if (name === "id") return key;
  if (unique === true) return uniqueText;
  if (value.enum !== undefined) return enumText<string>();
  const types = typesOf(value);
  const isNullable = types.includes("null");
  if (types[0] === "string") return isNullable ? optionalText : text;
  if (types[0] === "integer") return isNullable ? optionalInteger : integer;
  return types[0] === "boolean" ? boolean : json();
}

/** The schema of a resource in responses. */
export function responseSchema(title: string, fields: ResourceFields): ResourceSchema {
  const shown = Object.entries(fields).filter(([, { only }]) => only !== "row");
  const namesWith = (flag: "optional" | "fullOnly"): readonly string[] =>
    shown.filter(([, field]) => field[flag] === true).map(([name]) => name);
  const properties = Object.fromEntries(shown.map(([name, { value }]) => [name, value]));
  const fullOnly = namesWith("fullOnly");
  return objectSchema(title, properties, {
    optional: namesWith("optional"),
    ...(fullOnly.length === 0 ? {} : { fullOnly }),
  });
}

/** The schema of a request body. */
export function bodySchema(fields: ResourceFields, kind: RequestKind): BodySchema {
  const sent = Object.entries(fields).filter(([, { input, sentIn = kind }]) => input !== undefined && sentIn === kind);
  const properties = Object.fromEntries(sent.map(([name, field]) => [field.inputName ?? name, inputSchema(field)]));
  const required = sent.filter(([, field]) => field.required === true).map(([name]) => name);
  return { type: "object", properties, ...(kind === "create" && required.length > 0 ? { required } : {}) };
}

function inputSchema({ value, input = {} }: ResourceField): ValueSchema {
  if (typeof input !== "string") return input;
  const { items, examples } = value;
  return {
    type: [...typesOf(value).filter((type) => type !== "null"), "null"],
    description: input,
    ...(items === undefined ? {} : { items }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** The table and the schemas of a resource, derived from its fields. */

import type { Json } from "../../core/json.ts";
import { objectSchema } from "../http/response-schema.ts";
import { type BodySchema, notBlank, typesOf, type ValueSchema } from "../http/value-schema.ts";
import { rowTable, type Table } from "../store/table.ts";
import {
  type ComputedProperties,
  type RequestKind,
  type ResourceField,
  type ResourceFields,
  type RowOf,
  type StoredField,
  storedFields,
} from "./field.ts";

/** Rules between the members of a request body. */
export type BodyRules = Pick<ValueSchema, "oneOf" | "refusal">;

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
  const stored = storedFields(fields);
  const unique = stored.flatMap(([column, field]) => (field.unique === true ? [`UNIQUE (${column})`] : []));
  const columns = Object.fromEntries(stored.map(([column, { value }]) => [column, value]));
  // RowOf names the same fields, with the types of the same schemas.
  return rowTable(name, { id: fields.id.value, ...columns }, ...unique, ...rules) as Table<RowOf<F>>;
}

export function responseSchema(title: string, fields: ResourceFields, computed: ComputedProperties): ResourceSchema {
  const shown = storedFields(fields).filter(([, { hidden }]) => hidden !== true);
  const properties = Object.entries<ComputedProperties[string]>({ ...Object.fromEntries(shown), ...computed });
  const namesWith = (flag: "optional" | "fullOnly"): readonly string[] =>
    properties.filter(([, property]) => property[flag] === true).map(([name]) => name);
  const fullOnly = namesWith("fullOnly");
  return objectSchema(title, Object.fromEntries(properties.map(([name, { value }]) => [name, value])), {
    optional: namesWith("optional"),
    ...(fullOnly.length === 0 ? {} : { fullOnly }),
  });
}

/** The schema of a request body. `rules` are those between its members. */
export function bodySchema(fields: ResourceFields, kind: RequestKind, rules: BodyRules = {}): BodySchema {
  const sent = Object.entries(fields).filter(([, field]) => field.input !== undefined && isSentIn(field, kind));
  const properties = sent.map(([name, field]) => [inputName(name, field), inputSchema(field, kind)]);
  const required = kind === "create" ? sent.filter(([, field]) => field.required === true).map(([name]) => name) : [];
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...rules,
  };
}

/** Whether a request can set the field. */
export function isSentIn({ sentIn }: ResourceField, kind: RequestKind): boolean {
  return sentIn === kind || sentIn === "all" || (sentIn === undefined && kind !== "delete");
}

/** The name of a field in request bodies. */
export function inputName(name: string, field: ResourceField): string {
  return "inputName" in field ? (field.inputName ?? name) : name;
}

function inputSchema(field: ResourceField, kind: RequestKind): ValueSchema {
  if (kind === "create" && field.creationInput !== undefined) return field.creationInput;
  const schema = "value" in field ? readSchema(field) : field.input;
  return kind === "create" && field.required === true ? withoutBlank(schema) : schema;
}

/** The schema of what a field's reading takes. */
function readSchema({ value, input, reading }: StoredField): ValueSchema {
  const schema = typeof input === "object" ? input : { ...orNull(value), description: input ?? "" };
  if (reading === "name") return { ...schema, pattern: notBlank };
  return reading === "choice" ? { ...schema, enum: [...(value.enum ?? []), "", null] } : schema;
}

function orNull({ items, examples, ...value }: ValueSchema): ValueSchema {
  return {
    type: [...typesOf(value).filter((type) => type !== "null"), "null"],
    ...(items === undefined ? {} : { items }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** The schema of a text that a creation cannot lack: neither null nor blank. */
function withoutBlank(schema: ValueSchema): ValueSchema {
  if (!typesOf(schema).includes("null")) return schema;
  const { enum: choices, pattern = notBlank, ...others } = schema;
  const isChoice = (choice: Json): boolean => choice !== null && choice !== "";
  return { ...others, type: "string", ...(choices === undefined ? { pattern } : { enum: choices.filter(isChoice) }) };
}

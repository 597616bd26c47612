/** The table and the schemas of a resource, derived from its fields. */

import { objectSchema } from "../http/response-schema.ts";
import { type BodySchema, typesOf, type ValueSchema } from "../http/value-schema.ts";
import { rowTable, type Table } from "../store/table.ts";
import {
  type ComputedProperties,
  type RequestKind,
  type ResourceField,
  type ResourceFields,
  type RowOf,
  storedFields,
} from "./field.ts";

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
  return rowTable(name, { id: fields.id.value, ...columns }, ...unique, ...rules) as unknown as Table<RowOf<F>>;
}

/** The schema of a resource in responses. */
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

/** The schema of a request body. */
export function bodySchema(fields: ResourceFields, kind: RequestKind): BodySchema {
  const sent = Object.entries(fields).filter(([, field]) => field.input !== undefined && isSentIn(field, kind));
  const properties = sent.map(([name, field]) => [inputName(name, field), inputSchema(field)]);
  const required = sent.filter(([, field]) => field.required === true).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(kind === "create" && required.length > 0 ? { required } : {}),
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

function inputSchema(field: ResourceField): ValueSchema {
  if (typeof field.input !== "string") return field.input ?? {};
  if (!("value" in field)) return {};
  const { items, examples } = field.value;
  return {
    type: [...typesOf(field.value).filter((type) => type !== "null"), "null"],
    description: field.input,
    ...(items === undefined ? {} : { items }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/**
 * Fields of a resource. Each is stated once: its column, its property in responses, its member of request bodies and its
 * value in a replica derive from it.
 */

import type { Json } from "../../core/json.ts";
import type { JsonTypeName, SchemaValue, ValueSchema } from "../http/value-schema.ts";

/** One field of a resource. */
export interface ResourceField {
  /** The schema of the value, in rows and in responses. */
  readonly value: ValueSchema;
  /** The schema in request bodies, or its description where the type is the value's or null. Absent if no request sets it. */
  readonly input?: ValueSchema | string;
  /** The name in request bodies, if it differs. */
  readonly inputName?: string;
  /** The requests that can set it; both if absent. */
  readonly sentIn?: RequestKind;
  /** The reading of its input. By default null is ignored, and another value is stored as sent. */
  readonly reading?: Reading;
  /** Whether a creation without it is refused. */
  readonly required?: true;
  /** `row` for a value that no response has, `response` for one that is computed and has no column. */
  readonly only?: "row" | "response";
  /** Whether a response can lack it. */
  readonly optional?: true;
  /** Whether only responses of the dialect `readable=full` have it. */
  readonly fullOnly?: true;
  /** Whether no two rows have the same value. */
  readonly unique?: true;
  /** The value of a new row without another one. If absent: null, the current time, "", 0, false, or an empty list or object. */
  readonly initial?: Json | (() => Json);
  /** The names under which services return it, most usual first; its own if absent, none for `only: "row"`. */
  readonly liveNames?: readonly string[];
}

/** A request that writes a resource. */
export type RequestKind = "create" | "update";

/**
 * The reading of an input: `name` is trimmed and never blank, `clearable` text is null if blank, `nullable` is stored as sent,
 * null too, and `none` is not stored by itself.
 */
export type Reading = "name" | "clearable" | "nullable" | "none";

/** The fields of a resource, in the order of its responses. */
export interface ResourceFields {
  readonly id: ResourceField;
  readonly [name: string]: ResourceField;
}

/** The type of a row. */
export type RowOf<F extends ResourceFields> = {
  readonly [Name in keyof F as F[Name] extends { readonly only: "response" } ? never : Name]: SchemaValue<
    F[Name]["value"]
  >;
} & { readonly id: string };

/** The properties of a response that are no columns, and those that differ from their column. */
export type ComputedOf<F extends ResourceFields> = {
  readonly [Name in keyof F as F[Name] extends { readonly only: "response" } ? Name : never]:
    | SchemaValue<F[Name]["value"]>
    | (F[Name] extends { readonly optional: true } ? undefined : never);
} & {
  readonly [Name in keyof F as F[Name] extends { readonly optional: true } ? Name : never]?:
    | SchemaValue<F[Name]["value"]>
    | undefined;
};

/** The type of a request body: every member can be absent, since a body is of a creation or of an update. */
export type BodyOf<F extends ResourceFields> = {
  readonly [Name in keyof F as F[Name] extends { readonly input: ValueSchema | string }
    ? F[Name] extends { readonly inputName: infer Other extends string }
      ? Other
      : Name
    : never]?: InputOf<F[Name]>;
};

/** The type of a field's input. */
export type InputOf<F extends ResourceField> = F["input"] extends ValueSchema
  ? SchemaValue<F["input"]>
  : SchemaValue<F["value"]> | null;

/** The JSON types of a schema. */
export function typesOf({ type, anyOf }: ValueSchema): readonly JsonTypeName[] {
  if (anyOf !== undefined) return anyOf.flatMap(typesOf);
  return typeof type === "string" ? [type] : (type ?? []);
}

/** The value of a new row without another one. */
export function initialValue({ value, initial }: ResourceField, now: string): Json {
  if (initial !== undefined) return typeof initial === "function" ? initial() : initial;
  const types = typesOf(value);
  if (value.format === "date-time" && !types.includes("null")) return now;
  return types.includes("null") ? null : emptyValues[types[0] ?? "null"];
}

const emptyValues: { readonly [Name in JsonTypeName]: Json } = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
  object: {},
  null: null,
};

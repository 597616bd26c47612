/**
 * Fields of a resource. Each is stated once: its column, its property in responses, its member of request bodies and its
 * value in a replica derive from it.
 */

import type { Json } from "../../core/json.ts";
import { type JsonTypeName, type SchemaValue, typesOf, type ValueSchema } from "../http/value-schema.ts";

/** A field of a resource: a column, or a member of request bodies whose parts are stored elsewhere. */
export type ResourceField = StoredField | SentField;

/** A field with a column. */
export interface StoredField {
  /** The schema of the value, in rows and in responses. */
  readonly value: ValueSchema;
  /** Whether no response has it. */
  readonly hidden?: true;
  /** Whether only responses of the dialect `readable=full` have it. */
  readonly fullOnly?: true;
  /** Whether no two rows have the same value: a request that would give it to a second one is refused. */
  readonly unique?: true;
  /** The value of a new row without another one. If absent: null, the current time, "", 0, false, or an empty list or object. */
  readonly initial?: Json | (() => Json);
  /** The names under which services return it, most usual first; its own if absent, none if hidden. */
  readonly liveNames?: readonly string[];
  /** The schema in request bodies, or its description where the type is the value's or null. Absent if no request sets it. */
  readonly input?: ValueSchema | string;
  /** The schema in bodies of creations, if it differs by more than that a required field is neither null nor blank. */
  readonly creationInput?: ValueSchema;
  /** The name in request bodies, if it differs. */
  readonly inputName?: string;
  /** The requests that can have it; creations and updates if absent. */
  readonly sentIn?: RequestKind | "all";
  /** Whether a creation without it is refused. */
  readonly required?: true;
  /** The reading of its input. By default null is ignored, and another value is stored as sent. */
  readonly reading?: Reading;
}

/** A member of request bodies only. */
export interface SentField extends Pick<StoredField, "sentIn" | "required" | "creationInput"> {
  readonly input: ValueSchema;
}

/** A request that writes a resource. */
export type RequestKind = "create" | "update" | "delete";

/**
 * The reading of an input: `name` is trimmed and never blank, `clearable` text is null if blank, `choice` is one of the value's
 * words and ignored if blank, `nullable` is stored as sent, null too, and `none` is not stored by itself.
 */
export type Reading = "name" | "clearable" | "choice" | "nullable" | "none";

/** The fields of a resource, in the order of its responses. */
export interface ResourceFields {
  readonly id: StoredField;
  readonly [name: string]: ResourceField;
}

/** The type of a row. */
export type RowOf<F extends ResourceFields> = {
  readonly [Name in keyof F as F[Name] extends StoredField ? Name : never]: F[Name] extends StoredField
    ? SchemaValue<F[Name]["value"]>
    : never;
} & { readonly id: string };

/** Properties of a response that are made from more than the row's fields. */
export interface ComputedProperties {
  readonly [name: string]: {
    readonly value: ValueSchema;
    /** Whether a response can lack it. */
    readonly optional?: true;
    readonly fullOnly?: true;
  };
}

/** The values of computed properties. */
export type ComputedOf<C extends ComputedProperties> = {
  readonly [Name in keyof C]:
    | SchemaValue<C[Name]["value"]>
    | (C[Name] extends { readonly optional: true } ? undefined : never);
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
  : F extends StoredField
    ? SchemaValue<F["value"]> | null
    : never;

/** The fields with a column. */
export function storedFields(fields: ResourceFields): readonly (readonly [name: string, field: StoredField])[] {
  return Object.entries(fields).flatMap(([name, field]) => ("value" in field ? [[name, field] as const] : []));
}

/** The value of a new row without another one. */
export function initialValue({ value, initial }: StoredField, now: string): Json {
  if (initial !== undefined) return typeof initial === "function" ? initial() : initial;
  const types = typesOf(value);
  if (types.includes("null")) return null;
  return value.format === "date-time" ? now : emptyValues[types[0] ?? "null"];
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

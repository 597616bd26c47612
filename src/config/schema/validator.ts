/** Holds a value against a schema, with the validators that the build has compiled: the only file that knows them. */

import { validators } from "#validators";
import { type Fields, isFields, type Json } from "../../core/json.ts";

/** A rule of a schema that a value breaks. */
export interface Violation {
  /** JSON Pointer to the value. */
  readonly pointer: string;
  /** The schema keyword that is broken. */
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The part of the schema that holds the keyword. */
  readonly schema: Fields;
  /** The value is a text of nothing but blanks. */
  readonly blank: boolean;
  /** The key, when the rule is about the key and not about what it holds. */
  readonly key?: string;
}

/** The same, as a validator tells it. */
interface BrokenRule {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: unknown;
  readonly data?: unknown;
  readonly propertyName?: string;
}

/** Whether a value breaks no rule of a schema; `errors` holds what the last call found. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly BrokenRule[] | null;
}

/**
 * Every rule of a schema that the value breaks; what only repeats another (branches of a choice, a failed `if`) is left out.
 * The schema is named as in `checkedSchemas`. Throws when there is none of the name.
 */
export function violations(schema: string, value: Json): readonly Violation[] {
  const validate = Object.hasOwn(validators, schema) ? validators[schema] : undefined;
  if (validate === undefined) throw new Error(`no validator is compiled for ${schema}`);
  return violationsBy(validate, value);
}

/** The same by a given validator. */
export function violationsBy(validate: Validator, value: Json): readonly Violation[] {
  return validate(value) ? [] : (validate.errors ?? []).flatMap(violation);
}

/** Keywords whose failure is told by the rules inside them. */
const FRAMES: ReadonlySet<string> = new Set(["if", "propertyNames"]);

function violation(error: BrokenRule): readonly Violation[] {
  if (FRAMES.has(error.keyword) || /\/(?:oneOf|anyOf)\/\d+\//.test(error.schemaPath)) return [];
  return [
    {
      pointer: error.instancePath,
      keyword: error.keyword,
      params: error.params,
      schema: isFields(error.parentSchema as Json) ? (error.parentSchema as Fields) : {},
      blank: typeof error.data === "string" && error.data.trim() === "",
      ...(error.propertyName === undefined ? {} : { key: error.propertyName }),
    },
  ];
}

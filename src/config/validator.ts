/** Holds a value against a schema: the only file that knows the validator. */

import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { type Fields, isFields, type Json } from "../json.ts";

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

const compiled = new WeakMap<Fields, ValidateFunction>();

/** Every rule that the value breaks; what only repeats another (branches of a choice, a failed `if`) is left out. */
export function violations(schema: Fields, value: Json): readonly Violation[] {
  const validate = validatorOf(schema);
  return validate(value) ? [] : (validate.errors ?? []).flatMap(violation);
}

function validatorOf(schema: Fields): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ allErrors: true, verbose: true, messages: false, strictTypes: false });
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** Keywords whose failure is told by the rules inside them. */
const FRAMES: ReadonlySet<string> = new Set(["if", "propertyNames"]);

function violation(error: ErrorObject): readonly Violation[] {
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

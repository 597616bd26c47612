/** Checks values against schemas, with the validators that the build compiles: the only file that imports them. */

import { validators } from "#validators";
import { defined, fieldsIn, type Json } from "../../core/json.ts";
import { type Violation, withoutConsequences } from "./violation.ts";

/** A violation as Ajv reports it. */
interface ValidatorError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: unknown;
  readonly data?: unknown;
  readonly propertyName?: string;
}

/** Returns whether a value is valid; `errors` has the violations of the last call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ValidatorError[] | null;
}

/**
 * Returns the violations of a schema, named as in `checkedSchemas`, without those that repeat another (branches of a choice, a
 * failed `if`) or follow from another.
 */
export function violations(schema: string, value: Json): readonly Violation[] {
  const validate = Object.hasOwn(validators, schema) ? validators[schema] : undefined;
  if (validate === undefined) throw new Error(`no validator is compiled for ${schema}`);
  return violationsBy(validate, value);
}

/** Returns the violations of a validator. */
export function violationsBy(validate: Validator, value: Json): readonly Violation[] {
  return validate(value) ? [] : withoutConsequences((validate.errors ?? []).flatMap(violation));
}

/** Keywords whose inner rules report the violation. */
const FRAMES: ReadonlySet<string> = new Set(["if", "propertyNames"]);

function violation(error: ValidatorError): readonly Violation[] {
  if (FRAMES.has(error.keyword) || /\/(?:oneOf|anyOf)\/\d+\//.test(error.schemaPath)) return [];
  return [
    {
      pointer: error.instancePath,
      keyword: error.keyword,
      params: error.params,
      schema: fieldsIn(error.parentSchema as Json),
      isBlank: typeof error.data === "string" && error.data.trim() === "",
      ...defined({ key: error.propertyName }),
    },
  ];
}

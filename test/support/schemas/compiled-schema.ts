/** Validators compiled during a test, with the options of the build. */

import { Ajv2020 } from "ajv/dist/2020.js";
import type { Validator } from "../../../src/config/schema/validator.ts";
import type { Fields } from "../../../src/core/json.ts";

const OPTIONS = { allErrors: true, verbose: true, messages: false, strictTypes: false } as const;

const known = new WeakMap<Fields, Validator>();

/** The validator of a schema, compiled once for each object. */
export function compiled(schema: Fields): Validator {
  const made = known.get(schema) ?? new Ajv2020({ ...OPTIONS, keywords: ["patternErrorMessage"] }).compile(schema);
  known.set(schema, made);
  return made;
}

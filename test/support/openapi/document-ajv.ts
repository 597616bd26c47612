/** Validators of the schemas in an OpenAPI document. */

import { Ajv2020 } from "ajv/dist/2020.js";
import type { Fields } from "../../../src/core/json.ts";
import { regularExpression } from "../../../src/emulator/http/regular-expression.ts";

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(text),
  uri: (text) => URL.canParse(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  // No format of JSON Schema: a client that does not know it accepts any text.
  "ruby-regex": (text) => regularExpression(text) !== undefined,
};

/** An ajv that compiles a schema of the document when it is first asked for, by `openapi#` and a JSON pointer. */
export function documentAjv(document: Fields): Ajv2020 {
  const ajv = new Ajv2020({ formats, strict: false, validateSchema: false });
  return ajv.addSchema(document, "openapi");
}

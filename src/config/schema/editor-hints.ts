/** Hints for editors in the schemas that the program ships: defaults, and messages for patterns. They are made of facts that stand elsewhere. */

import { type Fields, isFields, isList, type Json } from "../../core/json.ts";

/** Keywords whose values are data and not schemas. */
const DATA: ReadonlySet<string> = new Set(["enum", "const", "examples", "default", "required"]);

/** Keywords whose members are schemas by names of their own. */
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs"]);

/** The schema with an id, and with a default and the message of a pattern wherever it states them for people. */
export function withHints(schema: Fields, name: string): Fields {
  const { $schema = null, $id: _, ...rest } = schema;
  const hinted = addHints(rest);
  return { $schema, $id: `urn:incidentctl:schema:${name}:1`, ...(isFields(hinted) ? hinted : {}) };
}

function addHints(schema: Json): Json {
  if (isList(schema)) return schema.map(addHints);
  if (!isFields(schema)) return schema;
  const members = Object.entries(schema).map(([name, value]): readonly [string, Json] => {
    if (NAMED.has(name) && isFields(value)) return [name, eachMember(value)];
    return [name, DATA.has(name) ? value : addHints(value)];
  });
  return { ...Object.fromEntries(members), ...defaultOf(schema), ...patternMessage(schema) };
}

function eachMember(schemas: Fields): Fields {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, addHints(schema)]));
}

/** The default that a description states, such as "Default: true." */
function defaultOf({ description }: Fields): Fields {
  const text = typeof description === "string" ? /\bDefault: ([\w,]+)[,.](?: |$)/.exec(description)?.[1] : undefined;
  if (text === undefined) return {};
  const isNumber = /^\d[\d,]*$/.test(text);
  return { default: isNumber ? Number(text.replaceAll(",", "")) : text === "true" || (text !== "false" && text) };
}

/** The message of a rule, "E_CODE: message", for the pattern beside it. */
function patternMessage({ pattern, $comment }: Fields): Fields {
  const message = typeof $comment === "string" ? /^E_[A-Z_]+: (.+)$/s.exec($comment)?.[1] : undefined;
  return typeof pattern !== "string" || message === undefined ? {} : { patternErrorMessage: message };
}

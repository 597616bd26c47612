/** Hints for editors in the schemas that the program ships: suggestions, defaults, and messages for patterns. They are made of facts that stand elsewhere. */

import { type Fields, fieldsIn, isFields, isList, type Json } from "../../core/json.ts";
import { childrenOf, type Field, type Kind } from "../../kinds/model/kind.ts";
import { ruleOf } from "./schema-rule.ts";

/** Keywords whose values are data and not schemas. */
const DATA: ReadonlySet<string> = new Set(["enum", "const", "examples", "default", "required"]);

/** Keywords whose members are schemas by names of their own. */
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs"]);

/** The schema with an id, and with a default and the message of a pattern wherever it states them for people. */
export function withHints(schema: Fields, name: string): Fields {
  const { $schema = null, $id: _, ...rest } = schema;
  const hinted = addHints(rest);
  return { $schema, $id: `urn:incidentctl:schema:${name}:1`, ...fieldsIn(hinted) };
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

/** The sentence of a rule, for the pattern beside it. */
function patternMessage(schema: Fields): Fields {
  const rule = ruleOf(schema);
  return typeof schema.pattern !== "string" || rule === undefined ? {} : { patternErrorMessage: rule.sentence };
}

/** The schema of a kind's resources with the known values of their fields as suggestions. A service may accept other values. */
export function withSuggestions(kind: Kind, schema: Fields, kinds: readonly Kind[]): Fields {
  let suggested = suggestIn(kind, schema, kinds);
  for (const child of childrenOf(kinds, kind)) {
    const path = pathOf(suggested, child.parent?.field ?? "");
    suggested = change(suggested, path, (part) => suggestIn(child, part, kinds));
  }
  return suggested;
}

/** The way to the schema of nested resources: a definition, or the items of the field. */
function pathOf({ properties }: Fields, field: string): readonly string[] {
  const list = isFields(properties) ? properties[field] : undefined;
  const items = isFields(list) ? list.items : undefined;
  const reference = isFields(items) ? items.$ref : undefined;
  return typeof reference === "string" ? reference.split("/").slice(1) : ["properties", field, "items"];
}

function suggestIn({ fields = {} }: Kind, schema: Fields, kinds: readonly Kind[]): Fields {
  return Object.entries(fields).reduce(
    (part, [name, field]) => change(part, ["properties", name], (value) => suggest(field, value, kinds)),
    schema,
  );
}

function suggest(field: Field, schema: Fields, kinds: readonly Kind[]): Fields {
  const { knownValues, notes } = field;
  const known = knownValues?.(kinds) ?? [];
  const sentences = notes?.() ?? [];
  const described =
    sentences.length === 0 ? schema : { ...schema, description: [schema.description, ...sentences].join(" ") };
  if (known.length === 0) return described;
  const { items, additionalProperties } = described;
  if (isFields(items)) return { ...described, items: { ...items, examples: known } };
  if (!isFields(additionalProperties)) return { ...described, examples: known };
  return { ...described, properties: Object.fromEntries(known.map((name) => [name, additionalProperties])) };
}

/** The schema with another part at a path, if it has one there. */
function change(schema: Fields, [step, ...rest]: readonly string[], to: (part: Fields) => Fields): Fields {
  if (step === undefined) return to(schema);
  const below = schema[step];
  return isFields(below) ? { ...schema, [step]: change(below, rest, to) } : schema;
}

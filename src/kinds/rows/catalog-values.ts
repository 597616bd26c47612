/** Values of catalog entries, checked against the attributes of their type as the service checks them. */

import { type Fields, isList, type Json, objectsIn, textsIn } from "../../core/json.ts";
import { allowed } from "../../core/suggest.ts";
import { wordSlug } from "../values/slug.ts";

/** A value that the service would refuse. */
export interface ValueProblem {
  /** The slug of the attribute. */
  readonly name: string;
  readonly code: "E_REF" | "E_TYPE" | "E_ENUM" | "E_REQUIRED";
  readonly message: string;
  readonly help?: string;
}

/** Whether this program knows a type of attributes. */
export function isAttributeType(type: Json): boolean {
  return Object.hasOwn(VALUE_TYPES, String(type));
}

/** The attributes of a type by slug; of two with one slug the first. */
export function attributesBySlug(attributes: Json | undefined): ReadonlyMap<string, Fields> {
  const bySlug = new Map<string, Fields>();
  for (const attribute of objectsIn(attributes)) {
    const slug = wordSlug(String(attribute.name));
    if (!bySlug.has(slug)) bySlug.set(slug, attribute);
  }
  return bySlug;
}

/**
 * Values that do not fit their attributes, and values of attributes that the type does not have, unless `allowsUnknown`. Null
 * stands for no value.
 */
export function invalidValues(
  type: string,
  attributes: ReadonlyMap<string, Fields>,
  values: Fields,
  allowsUnknown = false,
): readonly ValueProblem[] {
  const problems: ValueProblem[] = [];
  for (const name of Object.keys(values)) {
    const value = values[name] ?? null;
    if (value === null) continue;
    const attribute = attributes.get(name);
    if (attribute === undefined && allowsUnknown) continue;
    const problem = attribute === undefined ? unknownValue(type, name, attributes) : unfitValue(name, value, attribute);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

function unknownValue(type: string, name: string, attributes: ReadonlyMap<string, Fields>): ValueProblem {
  const message = `the catalog type ${type} has no attribute "${name}"`;
  return { name, code: "E_REF", message, help: allowed(name, [...attributes.keys()]) };
}

/** Required attributes without a value. */
export function missingValues(attributes: ReadonlyMap<string, Fields>, values: Fields): ValueProblem[] {
  const problems: ValueProblem[] = [];
  for (const [name, { required }] of attributes) {
    if (required !== true || !isBlank(values[name])) continue;
    problems.push({ name, code: "E_REQUIRED", message: `the attribute "${name}" is required and has no value` });
  }
  return problems;
}

function unfitValue(name: string, value: Json, attribute: Fields): ValueProblem | undefined {
  const type = String(attribute.attribute_type);
  const expected = VALUE_TYPES[type];
  if (expected !== undefined && !expected.fits(value)) {
    const message = `the attribute "${name}" of type ${type} must be ${expected.name}`;
    const help = type === "list" ? listHelp(value) : undefined;
    return { name, code: "E_TYPE", message, ...(help === undefined ? {} : { help }) };
  }
  if (type !== "select" || typeof value !== "string") return undefined;
  const choices = textsIn(attribute.options);
  if (choices.length === 0 || choices.includes(value)) return undefined;
  const help = allowed(value, choices);
  return { name, code: "E_ENUM", message: `the attribute "${name}" cannot be "${value}"`, help };
}

/** The help for a text in place of a list. In `entries_from` an expression makes the list. */
function listHelp(value: Json): string | undefined {
  if (typeof value !== "string") return undefined;
  const separator = separatorIn(value);
  const expression = separator === undefined ? "[tags]" : `$split(tags, '${separator}')`;
  return `Write a list: [ ]. In entries_from an expression makes one, such as ${expression}.`;
}

/** The character between the names in a text; undefined if it seems to be one name. */
export function separatorIn(text: string): string | undefined {
  return /[|,;]/.exec(text)?.[0];
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || (isList(value) && value.length === 0);
}

/** The values of an attribute type. */
interface ValueType {
  readonly name: string;
  fits(value: Json): boolean;
}

const TEXT: ValueType = { name: "a text", fits: (value) => typeof value === "string" };
const TEXTS: ValueType = {
  name: "a list of texts",
  fits: (value) => isList(value) && value.every((item) => typeof item === "string"),
};

const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  text: TEXT,
  select: TEXT,
  slack_channel: TEXT,
  workspace_member: TEXT,
  list: TEXTS,
  workspace_members: TEXTS,
  reference: { name: "the slug of an entry", fits: (value) => typeof value === "string" || isList(value) },
  boolean: { name: "true or false", fits: (value) => typeof value === "boolean" },
  number: {
    name: "a number",
    fits: (value) => typeof value === "number" || (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value)),
  },
};

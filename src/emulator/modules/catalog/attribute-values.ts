/** Attribute values of a catalog entry. Every write replaces all values; references are stored separately. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { type InvalidField, requireFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { members } from "../people.ts";
import { attributesOf } from "./catalog-attributes.ts";
import {
  type AttributeType,
  type AttributeValue,
  type CatalogAttributeRow,
  type CatalogEntryRow,
  type CatalogTypeRow,
  catalogEntries,
  catalogReferences,
} from "./catalog-tables.ts";

/** The attributes of a request: values, targets of references, and errors. */
export interface ParsedAttributes {
  readonly values: CatalogEntryRow["attributes"];
  /** The ids of referenced entries, by attribute id. Holds only the references in the request. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  readonly errors: readonly InvalidField[];
}

/**
 * Reads the attributes of a request. References that the request omits stay as they are on the existing entry
 * `entryId`. Throws 404 for an unknown person.
 */
export function readAttributes(
  database: Database,
  type: CatalogTypeRow,
  input: Fields,
  entryId: string | undefined,
): ParsedAttributes {
  const definitions = attributesOf(database, type.id);
  const errors: InvalidField[] = [];
  const values: Record<string, AttributeValue> = {};
  const targets = new Map<string, readonly string[]>();
  const slugs = new Set(definitions.map(({ slug }) => slug));
  for (const name of Object.keys(input)) {
    if (!slugs.has(name)) errors.push({ field: `attributes.${name}`, message: `is no attribute of ${type.name}` });
  }
  for (const definition of definitions) {
    const field = `attributes.${definition.slug}`;
    const value = Object.hasOwn(input, definition.slug) ? (input[definition.slug] ?? null) : undefined;
    const parsed = isReference(definition)
      ? readTargets(database, definition, value, entryId)
      : readValue(database, definition, value ?? null);
    if (typeof parsed === "string") errors.push({ field, message: parsed });
    else if (isEmpty(parsed.value) && definition.required) errors.push({ field, message: "can't be blank" });
    else if (!isReference(definition) && isStorable(parsed.value)) values[definition.slug] = parsed.value;
    else if (value !== undefined && isList(parsed.value)) targets.set(definition.id, parsed.value.map(String));
  }
  return { values, targets, errors };
}

function isReference({ attribute_type }: CatalogAttributeRow): boolean {
  return attribute_type === "reference";
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (isList(value) && value.length === 0);
}

/** Whether the value is present. Every value that `readValue` accepts is of the type. */
function isStorable(value: Json): value is AttributeValue {
  return !isEmpty(value) && !isFields(value);
}

/** The targets of a reference after the write. An undefined `input` keeps the current ones. */
function readTargets(
  database: Database,
  { id, reference_type_id }: CatalogAttributeRow,
  input: Json | undefined,
  entryId: string | undefined,
): { readonly value: Json } | string {
  if (input === undefined) {
    const currentReferences =
      entryId === undefined ? [] : database.list(catalogReferences, { entry_id: entryId, attribute_id: id });
    return { value: currentReferences.map(({ target_entry_id }) => target_entry_id) };
  }
  const ids = (isList(input) ? input : [input]).filter((value) => !isEmpty(value));
  const isEntry = (value: Json): boolean => {
    const target = typeof value === "string" ? database.find(catalogEntries, { id: value }) : undefined;
    return target !== undefined && target.type_id === reference_type_id;
  };
  const unknownTarget = ids.find((value) => !isEntry(value));
  if (unknownTarget !== undefined)
    return `${JSON.stringify(unknownTarget)} is not the id of an entry that it can refer to`;
  return { value: [...new Set(ids)] };
}

function readValue(
  database: Database,
  definition: CatalogAttributeRow,
  input: Json,
): { readonly value: Json } | string {
  if (input === null || input === "") return { value: null };
  const { attribute_type, options } = definition;
  if (attribute_type === "select") {
    return options.some((option) => option === input) ? { value: input } : `must be one of ${options.join(", ")}`;
  }
  if (!isOfType(attribute_type, input)) return `must be ${nouns[attribute_type]}`;
  if (attribute_type === "workspace_member") return { value: memberId(database, String(input)) };
  if (attribute_type === "workspace_members" && isList(input)) {
    return { value: input.map((word) => memberId(database, String(word))) };
  }
  return { value: input };
}

const nouns: { readonly [Type in AttributeType]: string } = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  select: "one of the options",
  list: "a list of texts",
  reference: "the id of an entry",
  slack_channel: "a channel",
  workspace_member: "a person",
  workspace_members: "a list of people",
};

function isOfType(type: AttributeType, value: Json): boolean {
  if (type === "number") return typeof value === "number" || (typeof value === "string" && isNumeric(value));
  if (type === "boolean") return typeof value === "boolean";
  if (type === "list" || type === "workspace_members") {
    return isList(value) && value.every((item) => typeof item === "string");
  }
  return typeof value === "string";
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** The membership id of a person, who is named by chat user ID, email address or membership id. */
function memberId(database: Database, word: string): string {
  const { id } = requireFound(
    database.find(members, { chat_user_id: word }) ??
      database.find(members, { email: word }) ??
      database.find(members, { id: word }),
  );
  return id;
}

/** The attribute values of a catalog entry: every write sets the whole map, references are kept apart. */

import { type Fields, isList, type Json } from "../../../core/json.ts";
import { type FieldError, notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { members } from "../access/principals.ts";
import { attributesOf } from "./catalog-attributes.ts";
import {
  type AttributeType,
  type CatalogAttributeRow,
  type CatalogTypeRow,
  catalogEntries,
  catalogReferences,
} from "./catalog-tables.ts";

/** What a body's attributes say: the map of values, the targets of the references that were sent, and what is wrong. */
export interface ReadAttributes {
  readonly values: Fields;
  /** The ids of targets, by attribute id. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  readonly errors: readonly FieldError[];
}

/**
 * Reads the attributes of an entry; `entryId` is that of an existing one, whose references stay unless they are sent.
 * Throws 404 for a person that nobody is.
 */
export function readAttributes(
  database: Database,
  type: CatalogTypeRow,
  sent: Fields,
  entryId: string | undefined,
): ReadAttributes {
  const definitions = attributesOf(database, type.id);
  const errors: FieldError[] = [];
  const values: Record<string, Json> = {};
  const targets = new Map<string, readonly string[]>();
  const known = new Set(definitions.map(({ slug }) => slug));
  for (const name of Object.keys(sent)) {
    if (!known.has(name)) errors.push({ field: `attributes.${name}`, message: `is no attribute of ${type.name}` });
  }
  for (const definition of definitions) {
    const field = `attributes.${definition.slug}`;
    const value = Object.hasOwn(sent, definition.slug) ? (sent[definition.slug] ?? null) : undefined;
    const read = isReference(definition)
      ? readTargets(database, definition, value, entryId)
      : readValue(database, definition, value ?? null);
    if (typeof read === "string") errors.push({ field, message: read });
    else if (isEmpty(read.value) && definition.required) errors.push({ field, message: "can't be blank" });
    else if (!isReference(definition) && !isEmpty(read.value)) values[definition.slug] = read.value;
    else if (value !== undefined && isList(read.value)) targets.set(definition.id, read.value.map(String));
  }
  return { values, targets, errors };
}

function isReference({ attribute_type }: CatalogAttributeRow): boolean {
  return attribute_type === "reference";
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (isList(value) && value.length === 0);
}

/** The targets that a reference has after the write; undefined keeps those there are. */
function readTargets(
  database: Database,
  { id, reference_type_id }: CatalogAttributeRow,
  sent: Json | undefined,
  entryId: string | undefined,
): { readonly value: Json } | string {
  if (sent === undefined) {
    const kept = entryId === undefined ? [] : database.list(catalogReferences, { entry_id: entryId, attribute_id: id });
    return { value: kept.map(({ target_entry_id }) => target_entry_id) };
  }
  const ids = (isList(sent) ? sent : [sent]).filter((value) => !isEmpty(value));
  const isEntry = (value: Json): boolean => {
    const target = typeof value === "string" ? database.find(catalogEntries, { id: value }) : undefined;
    return target !== undefined && target.type_id === reference_type_id;
  };
  const stray = ids.find((value) => !isEntry(value));
  if (stray !== undefined) return `${JSON.stringify(stray)} is the id of no entry it can point at`;
  return { value: [...new Set(ids)] };
}

function readValue(database: Database, definition: CatalogAttributeRow, sent: Json): { readonly value: Json } | string {
  if (isEmpty(sent)) return { value: null };
  const { attribute_type, options } = definition;
  if (attribute_type === "select") {
    return options.some((option) => option === sent) ? { value: sent } : `must be one of ${options.join(", ")}`;
  }
  if (!fits(attribute_type, sent)) return `must be ${nouns[attribute_type]}`;
  if (attribute_type === "workspace_member") return { value: memberId(database, String(sent)) };
  if (attribute_type === "workspace_members" && isList(sent)) {
    return { value: sent.map((word) => memberId(database, String(word))) };
  }
  return { value: sent };
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

function fits(type: AttributeType, value: Json): boolean {
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

/** A person, named by chat-platform user id, email address or membership id, as the membership id. */
function memberId(database: Database, word: string): string {
  const found =
    database.find(members, { chat_user_id: word }) ??
    database.find(members, { email: word }) ??
    database.find(members, { id: word });
  if (found === undefined) throw notFound();
  return found.id;
}

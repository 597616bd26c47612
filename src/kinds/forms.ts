/** Incident forms: exactly four; the grain is the field, since one PATCH changes one field. */

import type { Fields, Json } from "../core/json.ts";
import { asConditions, conditionReferences, decodeConditions, inOrder } from "./conditions.ts";
import type { Kind, Known, Reference } from "./kind.ts";

/** The forms whose fields a condition on a form may read: those that an incident has met by then, and the form itself. */
const READ: Readonly<Record<string, readonly string[]>> = {
  declare: ["declare"],
  update: ["declare", "update"],
  resolve: ["declare", "update", "resolve"],
  cancel: ["declare", "update", "cancel"],
};

export const forms: Kind = {
  name: "forms",
  title: "form field",
  room: "forms",
  source: "Configuration resources, rules 2 and 5",
  layout: { patterns: ["/*"], scopes: Object.keys(READ), asks: READ },
  key: ["system_field", "custom_field"],
  collection: { path: "/forms/{scope}" },
  member: { path: "/forms/{scope}" },
  address: ["slug"],
  list: "fields",
  item: "form",
  attach: { required: false },
  naming: true,
  called: (keyField, key) => [
    { [keyField]: key },
    { slug: key, source: keyField === "custom_field" ? "custom" : "system" },
  ],
  apart: ["custom_field", "system_field", "slug", "source"],
  permanent: true,
  after: ["severities", "incident_types", "custom_fields", "catalog_entries", "forms"],
  fields: { required: { attention: true }, conditions: { same: asConditions, inOrder, mentions: true } },
  references: (fields, known, scope) => {
    const mentioned = conditionReferences(fields, known);
    return [...attached(fields), ...mentioned, ...mentioned.flatMap((mention) => asked(mention, known, scope))];
  },
  decode: (row, names) => ({
    ...named(row),
    ...told(row, "visible"),
    ...told(row, "required"),
    ...(row.conditions === undefined ? {} : { conditions: decodeConditions(row.conditions, names) }),
  }),
};

function attached(fields: Fields): readonly Reference[] {
  return typeof fields.custom_field === "string"
    ? [{ at: "/custom_field", kind: "custom_fields", scope: "", key: fields.custom_field }]
    : [];
}

/** The field, on this form or an earlier one, whose answer a condition reads: it must be attached first. */
function asked(mention: Reference, known: Known, scope: string): readonly Reference[] {
  if (mention.kind !== "custom_fields" || mention.choice !== undefined) return [];
  const at = READ[scope]?.find((form) => known.fields("forms", mention.key, form));
  return at === undefined ? [] : [{ ...mention, kind: "forms", scope: at }];
}

function named(row: Fields): Fields {
  if (row.custom_field !== undefined || row.source === "custom")
    return { custom_field: row.custom_field ?? row.slug ?? null };
  return { system_field: row.system_field ?? row.slug ?? null };
}

function told(row: Fields, name: string): Record<string, Json> {
  const value = row[name];
  return value === undefined ? {} : { [name]: value };
}

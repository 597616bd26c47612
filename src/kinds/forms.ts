/** Incident forms: exactly four; the grain is the field, since one PATCH changes one field. */

import type { Fields, Json } from "../core/json.ts";
import { asConditions, conditionReferences, decodeConditions, inOrder } from "./conditions.ts";
import type { Kind } from "./kind.ts";
import type { Reference, ResourceLookup } from "./lookup.ts";

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
  module: "forms",
  source: "Configuration resources, rules 2 and 5",
  scopes: { patterns: ["/*"], names: Object.keys(READ), readableFrom: READ },
  identity: {
    keys: ["system_field", "custom_field"],
    idFields: ["slug"],
    matchesRow: (keyField, key) => [
      { [keyField]: key },
      { slug: key, source: keyField === "custom_field" ? "custom" : "system" },
    ],
    identityFields: ["custom_field", "system_field", "slug", "source"],
  },
  endpoint: {
    list: { path: "/forms/{scope}" },
    member: { path: "/forms/{scope}" },
    envelope: { list: "fields", item: "form" },
    keyInBody: true,
  },
  lifecycle: { createByPatch: { required: false }, permanent: true },
  references: {
    dependsOn: ["severities", "incident_types", "custom_fields", "catalog_entries", "forms"],
    of: (fields, known, scope) => {
      const mentioned = conditionReferences(fields, known);
      return [...attached(fields), ...mentioned, ...mentioned.flatMap((mention) => asked(mention, known, scope))];
    },
  },
  codec: {
    decode: (row, names) => ({
      ...named(row),
      ...told(row, "visible"),
      ...told(row, "required"),
      ...(row.conditions === undefined ? {} : { conditions: decodeConditions(row.conditions, names) }),
    }),
  },
  fields: {
    required: { attention: true },
    conditions: { equals: asConditions, canonical: inOrder, holdsReferences: true },
  },
};

function attached(fields: Fields): readonly Reference[] {
  return typeof fields.custom_field === "string"
    ? [{ at: "/custom_field", kind: "custom_fields", scope: "", key: fields.custom_field }]
    : [];
}

/** The field, on this form or an earlier one, whose answer a condition reads: it must be attached first. */
function asked(mention: Reference, known: ResourceLookup, scope: string): readonly Reference[] {
  if (mention.kind !== "custom_fields" || mention.option !== undefined) return [];
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

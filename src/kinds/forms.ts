/** Incident forms: exactly four; the grain is the field, since one PATCH changes one field. */

import type { Fields, Json } from "../json.ts";
import { asConditions, conditionReferences, decodeConditions } from "./conditions.ts";
import type { Kind, Reference } from "./kind.ts";

export const forms: Kind = {
  name: "forms",
  title: "form field",
  room: "forms",
  source: "Configuration resources, rules 2 and 5",
  layout: { patterns: ["/*"], scopes: ["declare", "update", "resolve", "cancel"] },
  key: ["system_field", "custom_field"],
  collection: { path: "/forms/{scope}" },
  member: { path: "/forms/{scope}" },
  address: ["slug"],
  list: "fields",
  item: "form",
  attach: { required: false },
  naming: true,
  permanent: true,
  after: ["severities", "incident_types", "custom_fields", "catalog_entries"],
  fields: { conditions: { same: asConditions } },
  references: (fields, known) => [...attached(fields), ...conditionReferences(fields, known)],
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

function named(row: Fields): Fields {
  if (row.custom_field !== undefined || row.source === "custom")
    return { custom_field: row.custom_field ?? row.slug ?? null };
  return { system_field: row.system_field ?? row.slug ?? null };
}

function told(row: Fields, name: string): Record<string, Json> {
  const value = row[name];
  return value === undefined ? {} : { [name]: value };
}

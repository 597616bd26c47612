/** Runbooks: steps and conditions change only when they are sent, and sending steps makes them anew. */

import { asConditions, conditionReferences, decodeConditions } from "./conditions.ts";
import type { Kind } from "./kind.ts";
import { asFilled, asRows, asSet, asText } from "./same.ts";

export const runbooks: Kind = {
  name: "runbooks",
  title: "runbook",
  room: "runbooks",
  source: "Configuration resources, rule 4",
  key: ["slug"],
  collection: { path: "/runbooks" },
  member: { path: "/runbooks/{id}" },
  address: ["slug", "id"],
  list: "runbooks",
  item: "runbook",
  readable: true,
  slug: "word",
  required: ["name"],
  after: ["severities", "incident_types", "custom_fields", "catalog_entries"],
  fields: {
    summary: { same: asText },
    content: { same: asText },
    external_url: { same: asText },
    steps: { same: asRows(["title", "instruction", "tool", "arguments"]) },
    conditions: { same: asConditions },
    inputs: { same: asRows(["key", "question", "default"]) },
    aliases: { same: asSet },
    watch: { same: asFilled },
  },
  references: conditionReferences,
  decode: (row, names) =>
    row.conditions === undefined ? row : { ...row, conditions: decodeConditions(row.conditions, names) },
};

/** Runbooks: steps and conditions change only when they are sent, and sending steps makes them anew. */

import { asConditions, conditionReferences, decodeConditions, inOrder } from "./conditions.ts";
import type { Kind } from "./kind.ts";
import { asFilled, asRows, asSet, asText, reduced, sorted } from "./same.ts";

const STEP: readonly string[] = ["title", "instruction", "tool", "arguments"];
const INPUT: readonly string[] = ["key", "question", "default"];

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
    steps: { same: asRows(STEP) },
    conditions: { same: asConditions, inOrder, mentions: true },
    inputs: { same: asRows(INPUT) },
    aliases: { same: asSet, inOrder: sorted },
    watch: { same: asFilled },
  },
  references: conditionReferences,
  decode: (row, names) => ({
    ...row,
    ...(row.steps === undefined ? {} : { steps: reduced(row.steps, STEP) }),
    ...(row.inputs === undefined ? {} : { inputs: reduced(row.inputs, INPUT) }),
    ...(row.conditions === undefined ? {} : { conditions: decodeConditions(row.conditions, names) }),
  }),
};

/** Runbooks: steps and conditions change only when they are sent, and sending steps makes them anew. */

import { asConditions, conditionReferences, decodeConditions, inOrder } from "./conditions.ts";
import { asFilled, asRows, asSet, asText, reduced, sorted } from "./equality.ts";
import type { Kind } from "./kind.ts";

const STEP: readonly string[] = ["title", "instruction", "tool", "arguments"];
const INPUT: readonly string[] = ["key", "question", "default"];

export const runbooks: Kind = {
  name: "runbooks",
  title: "runbook",
  module: "runbooks",
  source: "Configuration resources, rule 4",
  identity: { keys: ["slug"], idFields: ["slug", "id"], slug: "word" },
  endpoint: {
    list: { path: "/runbooks" },
    member: { path: "/runbooks/{id}" },
    envelope: { list: "runbooks", item: "runbook" },
    detail: true,
  },
  lifecycle: { required: ["name"] },
  references: {
    dependsOn: ["severities", "incident_types", "custom_fields", "catalog_entries"],
    of: conditionReferences,
  },
  codec: {
    decode: (row, names) => ({
      ...row,
      ...(row.steps === undefined ? {} : { steps: reduced(row.steps, STEP) }),
      ...(row.inputs === undefined ? {} : { inputs: reduced(row.inputs, INPUT) }),
      ...(row.conditions === undefined ? {} : { conditions: decodeConditions(row.conditions, names) }),
    }),
  },
  fields: {
    summary: { equals: asText },
    content: { equals: asText },
    external_url: { equals: asText },
    steps: { equals: asRows(STEP) },
    conditions: { equals: asConditions, canonical: inOrder, holdsReferences: true },
    inputs: { equals: asRows(INPUT) },
    aliases: { equals: asSet, canonical: sorted },
    watch: { equals: asFilled },
  },
};

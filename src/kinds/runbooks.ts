/** Runbooks: steps and conditions change only when they are sent, and sending steps makes them anew. */

import { conditionDecoder, conditionReferences, equalConditions, sortConditions } from "./conditions.ts";
import { equalRowsOf, equalSets, equalTexts, equalWithoutBlanks, pickRowFields, sortAsSet } from "./equality.ts";
import type { Kind } from "./kind.ts";

const STEP: readonly string[] = ["title", "instruction", "tool", "arguments"];
const INPUT: readonly string[] = ["key", "question", "default"];

export const runbooks: Kind = {
  name: "runbooks",
  title: "runbook",
  module: "runbooks",
  source: "Configuration resources, rule 4",
  identity: { keys: ["slug"], displayName: "name", idFields: ["slug", "id"], slug: "word" },
  endpoint: {
    list: { path: "/runbooks" },
    member: { path: "/runbooks/{id}" },
    envelope: { list: "runbooks", item: "runbook" },
    detail: true,
  },
  lifecycle: { required: ["name"] },
  references: {
    dependsOn: ["severities", "incident_types", "custom_fields", "catalog_entries"],
    of: (lookup) => (fields) => conditionReferences(fields.conditions, lookup),
  },
  codec: {
    decode: (lookup) => {
      const decodeConditions = conditionDecoder(lookup);
      return ({ steps, inputs, conditions, ...row }) => ({
        ...row,
        ...(steps === undefined ? {} : { steps: pickRowFields(steps, STEP) }),
        ...(inputs === undefined ? {} : { inputs: pickRowFields(inputs, INPUT) }),
        ...(conditions === undefined ? {} : { conditions: decodeConditions(conditions) }),
      });
    },
  },
  fields: {
    summary: { equals: equalTexts },
    content: { equals: equalTexts },
    external_url: { equals: equalTexts },
    steps: { equals: equalRowsOf(STEP) },
    conditions: { equals: equalConditions, canonical: sortConditions, holdsReferences: true },
    inputs: { equals: equalRowsOf(INPUT) },
    aliases: { equals: equalSets, canonical: sortAsSet },
    watch: { equals: equalWithoutBlanks },
  },
};

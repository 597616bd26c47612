/** The fields and the tables of runbooks and their steps. */

import type { RowOf } from "../../resource/field.ts";
import { tableOf } from "../../resource/schemas.ts";
import { slugInput } from "../../service/names.ts";
import { indexed, type Table } from "../../store/table.ts";

/** The fields of a runbook. */
export const runbookFields = {
  id: { value: { type: "string", format: "uuid" }, fullOnly: true },
  name: {
    value: { type: "string", examples: ["Fail over"] },
    input: "The display name; renaming never changes the slug.",
    reading: "name",
    required: true,
  },
  slug: {
    value: { type: "string", examples: ["fail_over"] },
    input: slugInput as typeof slugInput,
    reading: "none",
    unique: true,
  },
  summary: {
    value: { type: ["string", "null"] },
    input: 'What it is for; "" clears it, null is ignored.',
    reading: "clearable",
  },
  content: {
    value: { type: ["string", "null"] },
    input: 'The text; "" clears it, null is ignored.',
    reading: "clearable",
  },
  external_url: {
    value: { type: ["string", "null"] },
    input: 'A document elsewhere; "" clears it, null is ignored.',
    reading: "clearable",
  },
  aliases: {
    value: { type: "array", items: { type: "string" }, examples: [[]] },
    input: { type: ["array", "null"], items: { type: "string" }, maxItems: 10, description: "Other names." },
  },
  steps: {
    input: {
      type: ["array", "null"],
      description: "The whole list, in order; left out, the steps stay.",
      items: {
        type: "object",
        properties: {
          title: { type: "string", minLength: 1, examples: ["Page the database team"] },
          instruction: { type: ["string", "null"] },
          tool: { type: ["string", "null"] },
          arguments: { type: ["object", "null"] },
        },
        required: ["title"],
      },
    },
  },
  // The questions asked when the runbook runs.
  inputs: {
    value: {
      type: "array",
      items: {
        title: "RunbookInput",
        type: "object",
        properties: {
          key: { type: "string", examples: ["region"] },
          question: { type: "string", examples: ["Which region?"] },
          default: { type: ["string", "null"] },
        },
        required: ["key", "question", "default"],
        additionalProperties: false,
      },
    },
    input: {
      type: ["array", "null"],
      maxItems: 10,
      description: "The questions asked when it is run.",
      items: {
        type: "object",
        properties: {
          key: { type: "string", pattern: "^\\s*[a-z][a-z0-9_]*\\s*$", examples: ["region"] },
          question: { type: "string", minLength: 1 },
          default: { type: ["string", "null"] },
        },
        required: ["key", "question"],
      },
    },
  },
  watch: {
    value: {
      anyOf: [{ type: "object", description: "What to watch while it runs.", examples: [{}] }, { type: "null" }],
    },
    input: { description: "What to watch while it runs; anything but an object clears it." },
    reading: "nullable",
  },
  created_at: { value: { type: "string", format: "date-time" } },
  updated_at: { value: { type: "string", format: "date-time" } },
} as const;

/** A runbook. Runbooks are listed in the order of their creation. */
export type RunbookRow = RowOf<typeof runbookFields>;

/** The fields of one step. Incidents have copies, which a change of the runbook does not affect. */
export const runbookStepFields = {
  id: { value: { type: "string" }, hidden: true },
  runbook_id: { value: { type: "string" }, hidden: true },
  // 1-based.
  position: { value: { type: "integer", minimum: 1 } },
  title: { value: { type: "string", examples: ["Page the database team"] } },
  instruction: { value: { type: ["string", "null"] } },
  tool: { value: { type: ["string", "null"] } },
  arguments: { value: { type: "object", examples: [{}] } },
} as const;

/** One step. */
export type RunbookStepRow = RowOf<typeof runbookStepFields>;

/** The runbooks. */
export const runbookTable: Table<RunbookRow> = tableOf("runbooks", runbookFields);

/** The steps of all runbooks. */
export const runbookSteps: Table<RunbookStepRow> = indexed(tableOf("runbook_steps", runbookStepFields), "runbook_id");

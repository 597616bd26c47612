/** Runbooks: steps and conditions change only if the request contains them, and steps are always replaced (rule 4). */

import { randomUUID } from "node:crypto";
import { type Fields, isFields, isList, type Json, objectsIn } from "../../../core/json.ts";
import { requireFound, validationError } from "../../http/http-error.ts";
import { listOf } from "../../http/response-schema.ts";
import { notBlank } from "../../http/value-schema.ts";
import type { BodyOf, RowOf } from "../../resource/field.ts";
import { liveRow } from "../../resource/live-row.ts";
import { resourceModule } from "../../resource/resource.ts";
import { responseSchema, tableOf } from "../../resource/schemas.ts";
import { numberOf } from "../../service/live-rows.ts";
import type { ServiceModule } from "../../service/module.ts";
import { slugInput, slugOfNew } from "../../service/names.ts";
import type { Database } from "../../store/database.ts";
import { disableInstead, refuseIfReferenced } from "../../store/references.ts";
import { indexed, type Table } from "../../store/table.ts";
import {
  conditionReferences,
  conditionSchema,
  conditionsOf,
  conditionsSchema,
  conditionTable,
  loadConditions,
  replaceConditions,
  serializeConditions,
} from "../forms/conditions.ts";

const runbookFields = {
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
          title: { type: "string", pattern: notBlank as string, examples: ["Page the database team"] },
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
          question: { type: "string", pattern: notBlank as string },
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
const runbookStepFields = {
  id: { value: { type: "string" }, hidden: true },
  runbook_id: { value: { type: "string" }, hidden: true },
  // 1-based.
  position: { value: { type: "integer", minimum: 1 } },
  title: { value: { type: "string", examples: ["Page the database team"] } },
  instruction: { value: { type: ["string", "null"] } },
  tool: { value: { type: ["string", "null"] } },
  arguments: { value: { type: "object", examples: [{}] } },
} as const;

type RunbookStepRow = RowOf<typeof runbookStepFields>;

export const runbookTable: Table<RunbookRow> = tableOf("runbooks", runbookFields);

/** The steps of all runbooks. */
export const runbookSteps: Table<RunbookStepRow> = indexed(tableOf("runbook_steps", runbookStepFields), "runbook_id");

const fields = { ...runbookFields, conditions: { input: conditionsSchema } } as const;

type SentStep = NonNullable<BodyOf<typeof fields>["steps"]>[number];

const step = responseSchema("RunbookStep", runbookStepFields, {});

/** The module of /api/v1/runbooks. */
export const runbooks: ServiceModule = {
  ...resourceModule({
    title: "Runbook",
    path: "runbooks",
    ability: "runbooks",
    fields,
    table: runbookTable,
    address: "slug",
    isWrapped: true,
    inList: { title: "ListedRunbook", fullOnly: ["id", "conditions", "content"] },
    summaries: {
      list: "Lists the runbooks in the order of their creation.",
      create: "Creates a runbook.",
      get: "Reads a runbook, addressed by slug or id.",
      update: "Changes a runbook; steps and conditions only when they are sent.",
      delete: "Deletes a runbook that was never attached to an incident.",
    },
    find({ database, param }) {
      const address = param("slug");
      const row = database.find(runbookTable, { slug: address }) ?? database.find(runbookTable, { id: address });
      return requireFound(row);
    },
    read: { inputs: readInputs, aliases: readAliases, watch: readWatch },
    complete: (request, { name }) => ({ slug: slugOfNew(request, name) }),
    check({ timestamp }, row) {
      checkPlaceholders(row);
      return { ...row, updated_at: timestamp };
    },
    afterWrite({ database, body }, { id }) {
      if (body.steps != null) replaceSteps(database, id, body.steps);
      if (body.conditions !== undefined) replaceConditions(database, { kind: "runbook", id }, body.conditions);
    },
    protect: (request, row) => refuseIfReferenced(row, "runbooks", request, disableInstead),
    afterRemove({ database }, { id }) {
      database.remove(conditionTable, { owner_id: id });
      database.remove(runbookSteps, { runbook_id: id });
    },
    computed: { steps: { value: listOf(step) }, conditions: { value: listOf(conditionSchema), fullOnly: true } },
    compute(scope, { id }) {
      const steps = scope.database.list(runbookSteps, { runbook_id: id }, { order: "position" });
      return {
        steps: steps.map(({ id: _id, runbook_id: _runbook, ...shown }) => shown),
        conditions: serializeConditions(scope, conditionsOf(scope.database, id)),
      };
    },
    loadParts(load, live, { id: runbook_id, slug }) {
      const steps = objectsIn(live.steps).map((each, index) => {
        const own = { id: randomUUID(), runbook_id, position: numberOf(each, "position", index + 1) };
        return liveRow(load, runbookStepFields, each, "steps", own);
      });
      load.service.database.insert(runbookSteps, ...steps);
      loadConditions(load, { kind: "runbook", id: runbook_id, description: `the runbook "${slug}"` }, live.conditions);
    },
  }),
  tables: [runbookTable, runbookSteps],
  referenceCounters: conditionReferences("runbook", "runbook condition"),
};

/** Replaces all steps, since steps have no id in requests. */
function replaceSteps(database: Database, runbook_id: string, input: readonly SentStep[]): void {
  database.remove(runbookSteps, { runbook_id });
  const rows = input.map((step, index) => ({
    id: randomUUID(),
    runbook_id,
    position: index + 1,
    title: step.title.trim(),
    instruction: step.instruction ?? null,
    tool: step.tool ?? null,
    arguments: step.arguments ?? {},
  }));
  database.insert(runbookSteps, ...rows);
}

type SentInputs = NonNullable<BodyOf<typeof runbookFields>["inputs"]>;

/** The inputs, trimmed. Throws 422 for a duplicate key. */
function readInputs(input: SentInputs): RunbookRow["inputs"] {
  const inputs = input.map((input) => ({
    key: input.key.trim(),
    question: input.question.trim(),
    default: input.default?.trim() || null,
  }));
  const duplicate = inputs.find(({ key }, index) => inputs.findIndex((other) => other.key === key) !== index);
  if (duplicate !== undefined) throw validationError({ field: "inputs", message: `"${duplicate.key}" is there twice` });
  return inputs;
}

/** The aliases with single spaces, without duplicates in any case. */
function readAliases(input: readonly string[]): readonly string[] {
  const names = input.map((name) => name.trim().replace(/\s+/g, " ")).filter((name) => name !== "");
  const lowerCased = names.map((name) => name.toLowerCase());
  return names.filter((_name, index) => lowerCased.indexOf(lowerCased[index] ?? "") === index);
}

/** The watch; null for anything but an object. */
function readWatch(input: Json): Fields | null {
  return isFields(input) ? input : null;
}

/** Throws 422 for a placeholder `{{key}}` in the watch that names no input. */
function checkPlaceholders({ watch, inputs }: Pick<RunbookRow, "watch" | "inputs">): void {
  const keys = new Set(inputs.map(({ key }) => key));
  const unknown = placeholders(watch).filter((key) => !keys.has(key));
  if (unknown.length > 0) {
    throw validationError(
      ...unknown.map((key) => ({ field: "watch", message: `has {{${key}}}, which is none of the inputs` })),
    );
  }
}

function placeholders(value: Json): readonly string[] {
  if (typeof value === "string") return [...value.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, key = ""]) => key.trim());
  if (isList(value)) return value.flatMap(placeholders);
  return isFields(value) ? Object.values(value).flatMap(placeholders) : [];
}

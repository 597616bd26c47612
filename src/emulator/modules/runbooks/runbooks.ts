/** Runbooks: steps and conditions change only if the request contains them, and steps are always replaced (rule 4). */

import { randomUUID } from "node:crypto";
import { requireFound } from "../../http/http-error.ts";
import { listOf, nullable, objectSchema, present, timestamp, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { freeSlug, readName } from "../../service/names.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { disableInstead, refuseIfReferenced } from "../../store/references.ts";
import {
  conditionReferences,
  conditionSchema,
  conditionsOf,
  conditionsSchema,
  conditionTable,
  replaceConditions,
  serializeConditions,
} from "../forms/conditions.ts";
import { checkPlaceholders, inputsSchema, readAliases, readInputs, readWatch } from "./runbook-inputs.ts";
import { type RunbookRow, runbookSteps, runbookTable } from "./runbook-tables.ts";

const text = { type: ["string", "null"] } as const;

const properties = {
  name: { ...text, description: "The display name; renaming never changes the slug.", examples: ["Fail over"] },
  summary: { ...text, description: 'What it is for; "" clears it, null is ignored.' },
  content: { ...text, description: 'The text; "" clears it, null is ignored.' },
  external_url: { ...text, description: 'A document elsewhere; "" clears it, null is ignored.' },
  steps: {
    type: ["array", "null"],
    description: "The whole list, in order; left out, the steps stay.",
    items: {
      type: "object",
      properties: {
        title: { type: "string", minLength: 1, examples: ["Page the database team"] },
        instruction: text,
        tool: text,
        arguments: { type: ["object", "null"] },
      },
      required: ["title"],
    },
  },
  conditions: conditionsSchema,
  inputs: inputsSchema,
  aliases: { type: ["array", "null"], items: { type: "string" }, maxItems: 10, description: "Other names." },
  watch: { description: "What to watch while it runs; anything but an object clears it." },
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodySchema;
const updateBody = { type: "object", properties } as const satisfies BodySchema;

type RunbookBody = SchemaValue<typeof updateBody>;
type SentStep = NonNullable<RunbookBody["steps"]>[number];

const step = objectSchema("RunbookStep", {
  position: { type: "integer", minimum: 1 },
  title: { type: "string", examples: ["Page the database team"] },
  instruction: text,
  tool: text,
  arguments: { type: "object", examples: [{}] },
});

const input = objectSchema("RunbookInput", {
  key: { type: "string", examples: ["region"] },
  question: { type: "string", examples: ["Which region?"] },
  default: text,
});

const runbookProperties = {
  id: uuid,
  slug: { type: "string", examples: ["fail_over"] },
  name: { type: "string", examples: ["Fail over"] },
  summary: text,
  content: text,
  external_url: text,
  aliases: { type: "array", items: { type: "string" }, examples: [[]] },
  steps: listOf(step),
  conditions: listOf(conditionSchema),
  inputs: listOf(input),
  watch: nullable({ type: "object", description: "What to watch while it runs.", examples: [{}] }),
  created_at: timestamp,
  updated_at: timestamp,
} as const;

const runbook = objectSchema("Runbook", runbookProperties, { fullOnly: ["id", "conditions"] });
const listedRunbook = objectSchema("ListedRunbook", runbookProperties, { fullOnly: ["id", "conditions", "content"] });
const wrapped = objectSchema("RunbookEnvelope", { runbook });

type ResponseScope = Pick<ServiceContext, "database" | "dialects">;

/** The module of /api/v1/runbooks. */
export const runbooks: ServiceModule = {
  tables: [runbookTable, runbookSteps],
  referenceCounters: conditionReferences("runbook", "runbook condition"),
  endpoints: [
    endpoint({
      method: "GET",
      path: "/runbooks",
      operationId: "listRunbooks",
      summary: "Lists the runbooks in the order of their creation.",
      requiredAbility: "runbooks.read",
      responses: { 200: objectSchema("RunbookList", { runbooks: listOf(listedRunbook) }) },
      handle: (request) => ok({ runbooks: request.database.list(runbookTable).map((row) => serialize(request, row)) }),
    }),
    endpoint({
      method: "POST",
      path: "/runbooks",
      operationId: "createRunbook",
      summary: "Creates a runbook.",
      requiredAbility: "runbooks.create",
      body: createBody,
      responses: { 201: wrapped },
      handle: (request) => created({ runbook: serialize(request, create(request)) }),
    }),
    endpoint({
      method: "GET",
      path: "/runbooks/:slug",
      operationId: "getRunbook",
      summary: "Reads a runbook, addressed by slug or id.",
      requiredAbility: "runbooks.read",
      responses: { 200: wrapped },
      handle: (request) => ok({ runbook: serialize(request, findByAddress(request)) }),
    }),
    endpoint({
      method: "PATCH",
      path: "/runbooks/:slug",
      operationId: "updateRunbook",
      summary: "Changes a runbook; steps and conditions only when they are sent.",
      requiredAbility: "runbooks.update",
      body: updateBody,
      responses: { 200: wrapped },
      handle: (request) => ok({ runbook: serialize(request, update(request)) }),
    }),
    endpoint({
      method: "DELETE",
      path: "/runbooks/:slug",
      operationId: "deleteRunbook",
      summary: "Deletes a runbook that was never attached to an incident.",
      requiredAbility: "runbooks.delete",
      responses: { 204: null },
      handle: (request) => {
        const row = findByAddress(request);
        refuseIfReferenced(row, "runbooks", request, disableInstead);
        request.database.remove(conditionTable, { owner_id: row.id });
        request.database.remove(runbookSteps, { runbook_id: row.id });
        request.database.remove(runbookTable, { id: row.id });
        return noContent;
      },
    }),
  ],
};

function serialize(scope: ResponseScope, row: RunbookRow): SchemaValue<typeof runbook> {
  const steps = scope.database.list(runbookSteps, { runbook_id: row.id }, { order: "position" });
  const conditions = serializeConditions(scope, conditionsOf(scope.database, row.id));
  return present(runbook, { ...row, steps: steps.map((each) => present(step, each)), conditions });
}

function create(request: RequestContext<RunbookBody>): RunbookRow {
  const { database, timestamp, body } = request;
  const fields = readFields(body);
  const name = readName(body.name);
  const slug = freeSlug(request, name, runbookTable);
  const absent = { summary: null, content: null, external_url: null, inputs: [], aliases: [], watch: null };
  const times = { created_at: timestamp, updated_at: timestamp };
  const row: RunbookRow = { id: randomUUID(), slug, ...absent, ...fields, ...times, name };
  checkPlaceholders(row);
  database.insert(runbookTable, row);
  replaceParts(request, row.id);
  return row;
}

function update(request: RequestContext<RunbookBody>): RunbookRow {
  const row = { ...findByAddress(request), ...readFields(request.body), updated_at: request.timestamp };
  checkPlaceholders(row);
  request.database.update(runbookTable, row.id, row);
  replaceParts(request, row.id);
  return row;
}

/** Replaces steps and conditions that the request contains. */
function replaceParts({ database, body }: RequestContext<RunbookBody>, id: string): void {
  if (body.steps != null) replaceSteps(database, id, body.steps);
  if (body.conditions !== undefined) replaceConditions(database, { kind: "runbook", id }, body.conditions);
}

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

/** The fields that a request sets. null is ignored; blank clears any field but the name. */
function readFields(body: RunbookBody): Partial<RunbookRow> {
  return {
    ...(body.name == null ? {} : { name: readName(body.name) }),
    ...(body.summary == null ? {} : { summary: blankToNull(body.summary) }),
    ...(body.content == null ? {} : { content: blankToNull(body.content) }),
    ...(body.external_url == null ? {} : { external_url: blankToNull(body.external_url) }),
    ...(body.inputs == null ? {} : { inputs: readInputs(body.inputs) }),
    ...(body.aliases == null ? {} : { aliases: readAliases(body.aliases) }),
    ...(body.watch === undefined ? {} : { watch: readWatch(body.watch) }),
  };
}

function blankToNull(input: string): string | null {
  return input.trim() === "" ? null : input;
}

function findByAddress({ database, param }: Pick<RequestContext<unknown>, "database" | "param">): RunbookRow {
  const address = param("slug");
  return requireFound(database.find(runbookTable, { slug: address }) ?? database.find(runbookTable, { id: address }));
}

/** Runbooks: steps and conditions change only when they are sent, and sent steps are new steps (rule 4). */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { invalid, notFound } from "../../http/http-error.ts";
import type { Service } from "../../service-context.ts";
import type { Database } from "../../store/database.ts";
import { guardReferences } from "../../store/references.ts";
import { newSlug, wordSlug } from "../../store/slug.ts";
import {
  conditionReferences,
  conditionsOf,
  conditionsShape,
  conditionTable,
  replaceConditions,
  shownConditions,
} from "../forms/conditions.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";
import { aliasesOf, checkPlaceholders, inputsOf, inputsShape, watchOf } from "./runbook-inputs.ts";
import { type RunbookRow, runbookSteps, runbookTable } from "./runbook-tables.ts";

const text = { type: ["string", "null"] } as const;

const properties = {
  name: { ...text, description: "The display name; renaming never changes the slug." },
  summary: { ...text, description: 'What it is for; "" clears it, null is ignored.' },
  content: { ...text, description: 'The text; "" clears it, null is ignored.' },
  external_url: { ...text, description: 'A document elsewhere; "" clears it, null is ignored.' },
  steps: {
    type: ["array", "null"],
    description: "The whole list, in order; left out, the steps stay.",
    items: {
      type: "object",
      properties: {
        title: { type: "string", minLength: 1 },
        instruction: text,
        tool: text,
        arguments: { type: ["object", "null"] },
      },
      required: ["title"],
    },
  },
  conditions: conditionsShape,
  inputs: inputsShape,
  aliases: { type: ["array", "null"], items: { type: "string" }, maxItems: 10, description: "Other names." },
  watch: { description: "What to watch while it runs; anything but an object clears it." },
  slug: { description: "Ignored, unless the dialect `slug` accepts it." },
} as const;

const createBody = { type: "object", properties, required: ["name"] } as const satisfies BodyShape;
const updateBody = { type: "object", properties } as const satisfies BodyShape;

type RunbookBody = ValueOf<typeof updateBody>;
type SentStep = NonNullable<RunbookBody["steps"]>[number];
type ReadScope = Pick<Service, "database" | "dialects">;

/** The room of /api/v1/runbooks. */
export const runbooks: Room = {
  tables: [runbookTable, runbookSteps],
  references: conditionReferences("runbook", "runbook condition"),
  routes: [
    route({
      method: "GET",
      path: "/runbooks",
      summary: "Lists the runbooks in the order of their creation.",
      needs: "runbooks.read",
      handle: (call) => ok({ runbooks: call.database.list(runbookTable).map((row) => listed(call, row)) }),
    }),
    route({
      method: "POST",
      path: "/runbooks",
      summary: "Creates a runbook.",
      needs: "runbooks.create",
      body: createBody,
      handle: (call) => created({ runbook: shown(call, create(call)) }),
    }),
    route({
      method: "GET",
      path: "/runbooks/:slug",
      summary: "Reads a runbook, addressed by slug or id.",
      needs: "runbooks.read",
      handle: (call) => ok({ runbook: shown(call, byAddress(call)) }),
    }),
    route({
      method: "PATCH",
      path: "/runbooks/:slug",
      summary: "Changes a runbook; steps and conditions only when they are sent.",
      needs: "runbooks.update",
      body: updateBody,
      handle: (call) => ok({ runbook: shown(call, update(call)) }),
    }),
    route({
      method: "DELETE",
      path: "/runbooks/:slug",
      summary: "Deletes a runbook that was never attached to an incident.",
      needs: "runbooks.delete",
      handle: (call) => {
        const row = byAddress(call);
        guardReferences(row, "runbooks", call);
        call.database.remove(conditionTable, { owner_id: row.id });
        call.database.remove(runbookSteps, { runbook_id: row.id });
        call.database.remove(runbookTable, { id: row.id });
        return noContent;
      },
    }),
  ],
};

/** The known service lists runbooks without their content. */
function listed(scope: ReadScope, row: RunbookRow): Fields {
  const fields = shown(scope, row);
  if (scope.dialects.readable === "full") return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "content"));
}

function shown(scope: ReadScope, row: RunbookRow): Fields {
  const { id, slug, name, summary, content, external_url, aliases, inputs, watch, created_at, updated_at } = row;
  const isPartial = scope.dialects.readable === "partial";
  const steps = scope.database.list(runbookSteps, { runbook_id: id }, { order: "position" });
  return {
    ...(isPartial ? {} : { id }),
    slug,
    name,
    summary,
    content,
    external_url,
    aliases,
    steps: steps.map(({ position, title, instruction, tool, arguments: given }) => {
      return { position, title, instruction, tool, arguments: given };
    }),
    ...(isPartial ? {} : { conditions: shownConditions(scope, conditionsOf(scope.database, id)) }),
    inputs,
    watch,
    created_at,
    updated_at,
  };
}

function create(call: Call<RunbookBody>): RunbookRow {
  const { database, dialects, timestamp, body } = call;
  const { name = "", ...others } = attributesOf(body);
  if (name === "") throw invalid({ field: "name", message: "can't be blank" });
  const slug = newSlug(name, wordSlug, typeof body.slug === "string" ? body.slug : undefined, dialects);
  if (slug === "") throw invalid({ field: "slug", message: "can't be blank" });
  if (database.find(runbookTable, { slug }) !== undefined) {
    throw invalid({ field: "slug", message: "has already been taken" });
  }
  const absent = { summary: null, content: null, external_url: null, inputs: [], aliases: [], watch: null };
  const times = { created_at: timestamp, updated_at: timestamp };
  const row: RunbookRow = { id: randomUUID(), name, slug, ...absent, ...others, ...times };
  checkPlaceholders(row);
  database.insert(runbookTable, row);
  replaceParts(call, row.id);
  return row;
}

function update(call: Call<RunbookBody>): RunbookRow {
  const row = { ...byAddress(call), ...attributesOf(call.body), updated_at: call.timestamp };
  checkPlaceholders(row);
  call.database.update(runbookTable, row.id, row);
  replaceParts(call, row.id);
  return row;
}

/** Steps and conditions, where they were sent. */
function replaceParts({ database, body }: Call<RunbookBody>, id: string): void {
  if (body.steps != null) replaceSteps(database, id, body.steps);
  if (body.conditions !== undefined) replaceConditions(database, { kind: "runbook", id }, body.conditions);
}

/** Steps have no id on the wire: those that are sent are new ones. */
function replaceSteps(database: Database, runbook_id: string, sent: readonly SentStep[]): void {
  database.remove(runbookSteps, { runbook_id });
  const rows = sent.map((step, index) => ({
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

/** The fields that a body sets. null is ignored, and blank clears all but the name. */
function attributesOf(body: RunbookBody): Partial<RunbookRow> {
  if (body.name?.trim() === "") throw invalid({ field: "name", message: "can't be blank" });
  return {
    ...(body.name == null ? {} : { name: body.name.trim() }),
    ...(body.summary == null ? {} : { summary: textOf(body.summary) }),
    ...(body.content == null ? {} : { content: textOf(body.content) }),
    ...(body.external_url == null ? {} : { external_url: textOf(body.external_url) }),
    ...(body.inputs == null ? {} : { inputs: inputsOf(body.inputs) }),
    ...(body.aliases == null ? {} : { aliases: aliasesOf(body.aliases) }),
    ...(body.watch === undefined ? {} : { watch: watchOf(body.watch) }),
  };
}

function textOf(sent: string): string | null {
  return sent.trim() === "" ? null : sent;
}

function byAddress({ database, param }: Pick<Call<unknown>, "database" | "param">): RunbookRow {
  const address = param("slug");
  const row = database.find(runbookTable, { slug: address }) ?? database.find(runbookTable, { id: address });
  if (row === undefined) throw notFound();
  return row;
}

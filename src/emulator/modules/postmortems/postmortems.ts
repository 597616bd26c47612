/** Postmortems of resolved incidents, edited with optimistic concurrency. A draft is made of the timeline, in place of the service's AI draft. */

import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { HttpError, requireFound } from "../../http/http-error.ts";
import { type ObjectSchema, objectSchema, present } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import type { ServiceContext } from "../../service/service-context.ts";
import { runTransaction, type TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { type EventRow, events, type MilestoneKind, recordEvent } from "../incident-record/event.ts";
import {
  findIncident,
  type IncidentRow,
  identifierOf,
  incidentNotActive,
  stageOf,
  stateWord,
} from "../incident-record/incident.ts";
import { type Actor, actorOf, actorSchema } from "../people.ts";

const postmortemStatuses = ["draft", "in_progress", "in_review", "completed"] as const;

const postmortemProperties = {
  id: { type: "string", format: "uuid" },
  title: { type: "string", examples: ["Postmortem: Checkout is slow"] },
  status: { type: "string", enum: postmortemStatuses as typeof postmortemStatuses },
  incident_id: { type: "string", format: "uuid" },
  html: { type: "string", examples: ["<p>What happened</p>"] },
  generation_state: {
    type: ["string", "null"],
    description: "generating while a first version is drafted.",
    examples: [null],
  },
  version: { type: "integer", minimum: 1, description: "A body is sent with the version it was written upon." },
  written_by: {
    anyOf: [actorSchema as typeof actorSchema, { type: "null" }],
    description: "The author of the current body; null for a drafted one.",
  },
  updated_at: { type: "string", format: "date-time" },
} as const;

/** The schema of a postmortem in responses and deliveries. */
export const postmortemSchema: ObjectSchema<typeof postmortemProperties> = objectSchema(
  "Postmortem",
  postmortemProperties,
);

/** A postmortem in its current version. */
type PostmortemRow = RowOfColumns<typeof postmortemProperties>;

/** The postmortems, at most one per incident. */
export const postmortems: Table<PostmortemRow> = rowTable("postmortems", postmortemProperties, "UNIQUE (incident_id)");

const versionColumns = {
  id: { type: "string" },
  postmortem_id: { type: "string" },
  version: { type: "integer" },
  html: { type: "string" },
  written_by: { anyOf: [actorSchema as typeof actorSchema, { type: "null" }] },
  written_at: { type: "string" },
} as const;

/** The bodies of all postmortems. All versions are kept. */
export const postmortemVersions: Table<RowOfColumns<typeof versionColumns>> = rowTable(
  "postmortem_versions",
  versionColumns,
  "UNIQUE (postmortem_id, version)",
);

const path = "/incidents/:id/postmortem";
const generating = "generating";
const draftMilliseconds = 150;

const opening = {
  type: "object",
  properties: { generate: { type: ["boolean", "null"], description: "true asks for a drafted first version." } },
} as const satisfies BodySchema;

const change = {
  type: "object",
  properties: {
    html: {
      type: "string",
      description: "Replaces the whole body; needs version.",
      examples: ["<p>What happened</p>"],
    },
    version: { type: ["integer", "null"], description: "The version the body was written upon.", examples: [1] },
    status: { type: "string", enum: postmortemStatuses },
  },
  oneOf: [
    {
      type: "object",
      properties: { html: { type: "string" }, version: { type: "integer" } },
      required: ["html", "version"],
    },
    { type: "object", properties: { html: { type: "null", description: "Left out: the body stays." } } },
  ],
  refusal: () => {
    return new HttpError(422, "version_required", "html needs the version of the postmortem that it was written upon");
  },
} as const satisfies BodySchema;

/** The module of postmortems. An unfinished draft is resumed when the file is reopened. */
export const postmortemModule: ServiceModule = {
  tables: [postmortems, postmortemVersions],
  endpoints: [
    endpoint({
      method: "GET",
      path,
      operationId: "getPostmortem",
      summary: "Reads the postmortem.",
      requiredAbility: "incidents.read",
      responses: { 200: postmortemSchema },
      handle: ({ database, param }) =>
        ok(present(postmortemSchema, findPostmortem(database, findIncident(database, param("id"))))),
    }),
    endpoint({
      method: "POST",
      path,
      operationId: "createPostmortem",
      summary: "Opens the postmortem of a resolved incident, empty or drafted in the background.",
      requiredAbility: "incidents.update",
      body: opening,
      responses: { 201: postmortemSchema },
      handle: (request) => created(present(postmortemSchema, createPostmortem(request))),
    }),
    endpoint({
      method: "PATCH",
      path,
      operationId: "updatePostmortem",
      summary: "Replaces the body, which needs the version it was written upon, and changes the status.",
      requiredAbility: "incidents.update",
      body: change,
      responses: { 200: postmortemSchema },
      errors: [409],
      handle: (request) => ok(present(postmortemSchema, updatePostmortem(request))),
    }),
  ],
  resumeUnfinished(service) {
    for (const { id } of service.database.list(postmortems, { generation_state: generating })) {
      service.background.run(() => writeDraft(service, id));
    }
  },
};

function createPostmortem(request: RequestContext<SchemaValue<typeof opening>>): PostmortemRow {
  const { database, timestamp } = request;
  const incident = findIncident(database, request.param("id"));
  const stage = stageOf(database, incident);
  if (stage !== "closed") {
    throw incidentNotActive(
      `The incident is ${stateWord(stage)}; only a resolved incident can have a postmortem opened`,
    );
  }
  if (database.find(postmortems, { incident_id: incident.id }) !== undefined) {
    throw incidentNotActive("The incident already has a postmortem");
  }
  const isGenerated = request.body.generate === true;
  const postmortem: PostmortemRow = {
    id: randomUUID(),
    incident_id: incident.id,
    title: `Postmortem: ${incident.name}`,
    status: "draft",
    html: "",
    version: 1,
    generation_state: isGenerated ? generating : null,
    written_by: isGenerated ? null : actorOf(request.principal),
    updated_at: timestamp,
  };
  database.insert(postmortems, postmortem);
  storeVersion(request, postmortem);
  if (isGenerated) request.afterCommit((service) => writeDraft(service, postmortem.id));
  return postmortem;
}

function updatePostmortem(request: RequestContext<SchemaValue<typeof change>>): PostmortemRow {
  const { database, body, timestamp } = request;
  const incident = findIncident(database, request.param("id"));
  const before = findPostmortem(database, incident);
  const { html, status = before.status } = body;
  if (html !== undefined) checkVersion(before, body.version);
  if (html === undefined && status === before.status) return before;
  const actor = actorOf(request.principal);
  const body_columns = html === undefined ? {} : { html, version: before.version + 1, written_by: actor };
  const after: PostmortemRow = { ...before, ...body_columns, status, updated_at: timestamp };
  database.update(postmortems, after.id, after);
  if (html !== undefined) storeVersion(request, after);
  const moved = status === before.status ? [] : [`moved the postmortem to ${status.replace("_", " ")}`];
  const words = [...(html === undefined ? [] : ["edited the postmortem"]), ...moved];
  recordPostmortem(request, incident, after, "postmortem.edited", `${actor.name} ${words.join(" and ")}`, actor);
  return after;
}

/** Throws 409 for a stale version. */
function checkVersion(before: PostmortemRow, version: number | null | undefined): void {
  if (version !== before.version) {
    throw new HttpError(
      409,
      "stale_content",
      "The postmortem was edited after that version; read it again and reapply",
    );
  }
}

/** Writes the draft after a delay, unless somebody has written a body by then. */
async function writeDraft(service: ServiceContext, id: string): Promise<void> {
  await setTimeout(draftMilliseconds, undefined, { signal: service.background.signal });
  runTransaction(service, (transaction) => {
    const before = transaction.database.find(postmortems, { id });
    if (before === undefined || before.generation_state === null) return;
    transaction.database.update(postmortems, id, { generation_state: null, updated_at: transaction.timestamp });
    if (before.version > 1) return;
    const incident = findIncident(transaction.database, before.incident_id);
    const html = draftHtml(transaction.database, incident);
    const after: PostmortemRow = {
      ...before,
      html,
      version: before.version + 1,
      generation_state: null,
      updated_at: transaction.timestamp,
    };
    transaction.database.update(postmortems, id, after);
    storeVersion(transaction, after);
    recordPostmortem(
      transaction,
      incident,
      after,
      "postmortem.generated",
      "A first version of the postmortem was drafted",
    );
  });
}

function storeVersion(
  { database, timestamp }: TransactionContext,
  { id, version, html, written_by }: PostmortemRow,
): void {
  database.insert(postmortemVersions, {
    id: randomUUID(),
    postmortem_id: id,
    version,
    html,
    written_by,
    written_at: timestamp,
  });
}

function recordPostmortem(
  transaction: TransactionContext,
  incident: IncidentRow,
  postmortem: PostmortemRow,
  type: "postmortem.edited" | "postmortem.generated",
  description: string,
  actor?: Actor,
): void {
  const objects = { postmortem: present(postmortemSchema, postmortem) };
  recordEvent(transaction, incident, { type, description, objects, actor });
}

function findPostmortem(database: Database, { id }: IncidentRow): PostmortemRow {
  return requireFound(database.find(postmortems, { incident_id: id }));
}

const sections: readonly (readonly [title: string, kinds: readonly MilestoneKind[]])[] = [
  ["Impact", ["impact"]],
  ["Root cause", ["root_cause"]],
  ["What was found", ["hypothesis", "finding", "blocker"]],
  ["What was done", ["decision", "mitigation", "recovery"]],
];

/** The draft as HTML: summary, a section for each group of milestones, and the timeline. */
function draftHtml(database: Database, incident: IncidentRow): string {
  const visible = "WHERE incident_id = ? AND dismissed_at IS NULL ORDER BY occurred_at, rowid";
  const timeline = database.query(events, visible, [incident.id]);
  const parts = [
    heading("Summary"),
    paragraph(incident.summary ?? `${identifierOf(incident)}: ${incident.name}.`),
    ...sections.flatMap(([title, kinds]) => section(title, noteTexts(timeline, kinds))),
    ...section(
      "Timeline",
      timeline.map(({ occurred_at, description }) => `${occurred_at} ${description}`),
    ),
  ];
  return parts.join("\n");
}

function noteTexts(timeline: readonly EventRow[], kinds: readonly MilestoneKind[]): readonly string[] {
  return timeline.flatMap(({ milestone }) => {
    return milestone !== null && kinds.includes(milestone.kind)
      ? [`${milestone.statement} (${milestone.said_by})`]
      : [];
  });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return [heading(title), `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`];
}

function heading(text: string): string {
  return `<h2>${escapeHtml(text)}</h2>`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

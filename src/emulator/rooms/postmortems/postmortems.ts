/** The room of an incident's postmortem: opened once the incident is resolved, written under optimistic concurrency. */

import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { notFound, Refusal } from "../../http/http-error.ts";
import type { Service } from "../../service-context.ts";
import type { Database } from "../../store/database.ts";
import { integer, json, key, optionalText, type Table, table, text, uniqueText, word } from "../../store/table.ts";
import { type Act, perform } from "../../transaction.ts";
import { record } from "../incidents/event.ts";
import { findIncident, type IncidentRow, stageOf } from "../incidents/incident.ts";
import { notActive, stateWord } from "../incidents/lifecycle.ts";
import { type Actor, actorOf } from "../responders/people.ts";
import { type Call, created, ok, type Room, route } from "../room.ts";
import { draftOf } from "./postmortem-draft.ts";

/** A postmortem as it stands. */
export interface PostmortemRow {
  readonly id: string;
  readonly incident_id: string;
  readonly title: string;
  readonly status: "draft" | "in_progress" | "in_review" | "completed";
  readonly html: string;
  /** 1 for the body it is opened with, one more for each that replaces it. */
  readonly version: number;
  /** `generating` while a draft is being written, otherwise null. */
  readonly generation_state: string | null;
  /** Whoever wrote the present body; null for a generated one. */
  readonly written_by: Actor | null;
  readonly updated_at: string;
}

/** One version of a body; every one is kept. */
export interface PostmortemVersionRow {
  readonly id: string;
  readonly postmortem_id: string;
  readonly version: number;
  readonly html: string;
  readonly written_by: Actor | null;
  readonly written_at: string;
}

/** The postmortems, at most one per incident. */
export const postmortems: Table<PostmortemRow> = table("postmortems", {
  id: key,
  incident_id: uniqueText,
  title: text,
  status: word(),
  html: text,
  version: integer,
  generation_state: optionalText,
  written_by: json<Actor | null>(),
  updated_at: text,
});

/** The versions of all postmortems. */
export const postmortemVersions: Table<PostmortemVersionRow> = table(
  "postmortem_versions",
  { id: key, postmortem_id: text, version: integer, html: text, written_by: json<Actor | null>(), written_at: text },
  "UNIQUE (postmortem_id, version)",
);

const path = "/incidents/:id/postmortem";
const generating = "generating";
const draftMilliseconds = 150;

const opening = {
  type: "object",
  properties: { generate: { type: ["boolean", "null"], description: "true asks for a drafted first version." } },
} as const satisfies BodyShape;

const change = {
  type: "object",
  properties: {
    html: { type: "string", description: "Replaces the whole body; needs version." },
    version: { type: ["integer", "null"], description: "The version the body was written upon." },
    status: { type: "string", enum: ["draft", "in_progress", "in_review", "completed"] },
  },
} as const satisfies BodyShape;

/** The room of postmortems. A draft that an earlier process did not finish is written when its file is opened again. */
export const postmortemRoom: Room = {
  tables: [postmortems, postmortemVersions],
  routes: [
    route({
      method: "GET",
      path,
      summary: "Reads the postmortem.",
      needs: "incidents.read",
      handle: ({ database, param }) =>
        ok(postmortemView(findPostmortem(database, findIncident(database, param("id"))))),
    }),
    route({
      method: "POST",
      path,
      summary: "Opens the postmortem of a resolved incident, empty or drafted in the background.",
      needs: "incidents.update",
      body: opening,
      handle: (call) => created(postmortemView(open(call))),
    }),
    route({
      method: "PATCH",
      path,
      summary: "Replaces the body, which needs the version it was written upon, and changes the status.",
      needs: "incidents.update",
      body: change,
      handle: (call) => ok(postmortemView(write(call))),
    }),
  ],
  resume(service) {
    for (const { id } of service.database.list(postmortems, { generation_state: generating })) {
      service.background.run(() => draft(service, id));
    }
  },
};

function open(call: Call<ValueOf<typeof opening>>): PostmortemRow {
  const { database, timestamp } = call;
  const incident = findIncident(database, call.param("id"));
  const stage = stageOf(database, incident);
  if (stage !== "closed") {
    throw notActive(`The incident is ${stateWord(stage)}; only a resolved incident can have a postmortem opened`);
  }
  if (database.find(postmortems, { incident_id: incident.id }) !== undefined) {
    throw notActive("The incident already has a postmortem");
  }
  const isGenerated = call.body.generate === true;
  const postmortem: PostmortemRow = {
    id: randomUUID(),
    incident_id: incident.id,
    title: `Postmortem: ${incident.name}`,
    status: "draft",
    html: "",
    version: 1,
    generation_state: isGenerated ? generating : null,
    written_by: isGenerated ? null : actorOf(call.principal),
    updated_at: timestamp,
  };
  database.insert(postmortems, postmortem);
  keepVersion(call, postmortem);
  if (isGenerated) call.afterwards((service) => draft(service, postmortem.id));
  return postmortem;
}

function write(call: Call<ValueOf<typeof change>>): PostmortemRow {
  const { database, body, timestamp } = call;
  const incident = findIncident(database, call.param("id"));
  const before = findPostmortem(database, incident);
  const { html, status = before.status } = body;
  if (html !== undefined) checkVersion(before, body.version);
  if (html === undefined && status === before.status) return before;
  const actor = actorOf(call.principal);
  const body_columns = html === undefined ? {} : { html, version: before.version + 1, written_by: actor };
  const after: PostmortemRow = { ...before, ...body_columns, status, updated_at: timestamp };
  database.update(postmortems, after.id, after);
  if (html !== undefined) keepVersion(call, after);
  const moved = status === before.status ? [] : [`moved the postmortem to ${status.replace("_", " ")}`];
  const words = [...(html === undefined ? [] : ["edited the postmortem"]), ...moved];
  recordPostmortem(call, incident, after, "postmortem.edited", `${actor.name} ${words.join(" and ")}`, actor);
  return after;
}

/** Throws 422 for a body without a version and 409 for a stale one; the refusal tells no version. */
function checkVersion(before: PostmortemRow, version: number | null | undefined): void {
  if (version == null) {
    throw new Refusal(422, "version_required", "html needs the version of the postmortem that it was written upon");
  }
  if (version !== before.version) {
    throw new Refusal(409, "stale_content", "The postmortem was edited after that version; read it again and reapply");
  }
}

/** Writes the draft a moment later, unless somebody wrote a body in the meantime, which then stays. */
async function draft(service: Service, id: string): Promise<void> {
  await setTimeout(draftMilliseconds, undefined, { signal: service.background.signal });
  perform(service, (act) => {
    const before = act.database.find(postmortems, { id });
    if (before === undefined || before.generation_state === null) return;
    act.database.update(postmortems, id, { generation_state: null, updated_at: act.timestamp });
    if (before.version > 1) return;
    const incident = findIncident(act.database, before.incident_id);
    const html = draftOf(act.database, incident);
    const after: PostmortemRow = {
      ...before,
      html,
      version: before.version + 1,
      generation_state: null,
      updated_at: act.timestamp,
    };
    act.database.update(postmortems, id, after);
    keepVersion(act, after);
    recordPostmortem(act, incident, after, "postmortem.generated", "A first version of the postmortem was drafted");
  });
}

function keepVersion({ database, timestamp }: Act, { id, version, html, written_by }: PostmortemRow): void {
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
  act: Act,
  incident: IncidentRow,
  postmortem: PostmortemRow,
  type: "postmortem.edited" | "postmortem.generated",
  description: string,
  actor?: Actor,
): void {
  const objects = { postmortem: postmortemView(postmortem) };
  record(act, incident, { type, description, objects, ...(actor === undefined ? {} : { actor }) });
}

function findPostmortem(database: Database, { id }: IncidentRow): PostmortemRow {
  const postmortem = database.find(postmortems, { incident_id: id });
  if (postmortem === undefined) throw notFound();
  return postmortem;
}

function postmortemView({ id, title, status, incident_id, html, ...row }: PostmortemRow): Fields {
  const { generation_state, version, written_by, updated_at } = row;
  return { id, title, status, incident_id, html, generation_state, version, written_by, updated_at };
}

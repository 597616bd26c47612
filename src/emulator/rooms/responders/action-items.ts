/** The room of an incident's action items: listed while open, added, taken, handed over, finished. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { notFound } from "../../http/http-error.ts";
import { pageOf, pagination, rowsOf } from "../../http/pagination.ts";
import { indexed, json, key, type Table, table, text, word } from "../../store/table.ts";
import type { Act } from "../../transaction.ts";
import { postToChannel } from "../chat/service-posts.ts";
import { type EventType, record } from "../incidents/event.ts";
import { findIncident, type IncidentRow } from "../incidents/incident.ts";
import { type Answer, type Call, created, ok, type Room, route } from "../room.ts";
import { type Actor, actorOf, findPerson, memberActor } from "./people.ts";

/** One action item. */
export interface ActionItemRow {
  readonly id: string;
  readonly incident_id: string;
  readonly description: string;
  /** `in_progress` once somebody took it. */
  readonly status: "open" | "in_progress" | "done";
  readonly kind: "action" | "followup";
  readonly created_by: Actor;
  /** Who holds it; null for nobody yet. */
  readonly assignee: Actor | null;
  readonly created_at: string;
}

/** The action items of all incidents. */
export const actionItems: Table<ActionItemRow> = indexed(
  table("action_items", {
    id: key,
    incident_id: text,
    description: text,
    status: word(),
    kind: word(),
    created_by: json<Actor>(),
    assignee: json<Actor | null>(),
    created_at: text,
  }),
  "incident_id",
);

const maximumDescription = 3000;
const description = { type: "string", minLength: 1, maxLength: maximumDescription } as const;

const addition = {
  type: "object",
  required: ["description"],
  properties: {
    description,
    kind: { type: ["string", "null"], enum: ["action", "followup", null] },
    assignee_id: { type: ["string", "null"], description: "A person by email address or chat user ID." },
  },
} as const satisfies BodyShape;

const change = {
  type: "object",
  properties: {
    description,
    assignee_id: { type: ["string", "null"], description: "null takes the item yourself; a person is handed it." },
    status: { type: "string", enum: ["open", "in_progress", "done"] },
  },
} as const satisfies BodyShape;

/** The room of action items. */
export const actionItemRoom: Room = {
  tables: [actionItems],
  routes: [
    route({
      method: "GET",
      path: "/incidents/:id/action_items",
      summary: "Lists the open work of an incident and its holders.",
      needs: "incidents.update",
      query: {
        page: { type: "integer", minimum: 1 },
        per_page: { type: "integer", minimum: 1, maximum: 100 },
      },
      handle: list,
    }),
    route({
      method: "POST",
      path: "/incidents/:id/action_items",
      summary: "Adds an item and posts it in the channel.",
      needs: "incidents.update",
      body: addition,
      handle: (call) => created(itemView(add(call))),
    }),
    route({
      method: "PATCH",
      path: "/incidents/:id/action_items/:item_id",
      summary: "Takes an item, hands it over, finishes it, or words it anew.",
      needs: "incidents.update",
      body: change,
      handle: (call) => ok(itemView(update(call))),
    }),
  ],
};

/** An item as answers show it. */
export function itemView({
  id,
  description,
  status,
  kind,
  incident_id,
  created_by,
  assignee,
  ...row
}: ActionItemRow): Fields {
  return { id, description, status, kind, incident_id, created_by, assignee, created_at: row.created_at };
}

/** Stores a new item, records it and posts it in the channel. */
export function createItem(
  act: Act,
  incident: IncidentRow,
  given: Pick<ActionItemRow, "description" | "kind" | "created_by" | "assignee" | "status">,
): ActionItemRow {
  const item = { ...given, id: randomUUID(), incident_id: incident.id, created_at: act.timestamp };
  act.database.insert(actionItems, item);
  const { created_by: actor, assignee } = item;
  const holder = assignee === null ? "" : ` for ${assignee.name}`;
  tell(act, incident, item, actor, "action.created", `${actor.name} added an action${holder}: ${item.description}`);
  postToChannel(act, incident, `New ${item.kind}${holder}: ${item.description}`);
  return item;
}

function list({ database, param, query }: Call<unknown>): Answer {
  const { id } = findIncident(database, param("id"));
  const open = "WHERE incident_id = ? AND status <> 'done'";
  const page = pageOf(query);
  const total = database.scalar(`SELECT COUNT(*) FROM action_items ${open}`, [id]);
  const { limit, offset } = rowsOf(page, total);
  const rows = database.query(actionItems, `${open} ORDER BY created_at, rowid LIMIT ? OFFSET ?`, [id, limit, offset]);
  return ok({ action_items: rows.map(itemView), pagination: pagination(page, total) });
}

function add(call: Call<ValueOf<typeof addition>>): ActionItemRow {
  const { database, body, principal } = call;
  const incident = findIncident(database, call.param("id"));
  const assignee = body.assignee_id == null ? null : memberActor(findPerson(database, body.assignee_id));
  const kind = body.kind ?? "action";
  const text = body.description.trim();
  return createItem(call, incident, {
    description: text,
    kind,
    created_by: actorOf(principal),
    assignee,
    status: "open",
  });
}

function update(call: Call<ValueOf<typeof change>>): ActionItemRow {
  const { database, body, principal } = call;
  const incident = findIncident(database, call.param("id"));
  const before = database.find(actionItems, { id: call.param("item_id"), incident_id: incident.id });
  if (before === undefined) throw notFound();
  const actor = actorOf(principal);
  const assignee = newHolder(call, actor) ?? before.assignee;
  const isMoved = assignee?.id !== before.assignee?.id;
  const isTaken = isMoved && assignee?.id === actor.id;
  const status = body.status ?? (isTaken && before.status === "open" ? "in_progress" : before.status);
  const item = { ...before, assignee, status, description: body.description?.trim() ?? before.description };
  database.update(actionItems, item.id, item);
  if (isTaken) tell(call, incident, item, actor, "action.picked_up", `${actor.name} took: ${item.description}`);
  else if (isMoved) {
    const sentence = `${actor.name} handed over to ${assignee?.name}: ${item.description}`;
    tell(call, incident, item, actor, "action.reassigned", sentence);
  }
  if (status === "done" && before.status !== "done") {
    tell(call, incident, item, actor, "action.completed", `${actor.name} finished: ${item.description}`);
  }
  return item;
}

/** Who is to hold the item: the caller for null, a person by name; undefined when that is not asked for. */
function newHolder({ database, body }: Call<ValueOf<typeof change>>, caller: Actor): Actor | undefined {
  if (body.assignee_id === undefined) return undefined;
  return body.assignee_id === null ? caller : memberActor(findPerson(database, body.assignee_id));
}

function tell(
  act: Act,
  incident: IncidentRow,
  item: ActionItemRow,
  actor: Actor,
  type: EventType,
  description: string,
): void {
  record(act, incident, { type, description, actor, objects: { action_item: itemView(item) } });
}

/** Endpoints of action items: list the open ones, add, take, hand over and finish. */

import { randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import type { BodySchema, SchemaValue } from "../../http/body-schema.ts";
import { notFound } from "../../http/http-error.ts";
import { pagination, readPageRequest, rowRange } from "../../http/pagination.ts";
import { enumText, indexed, json, key, type Table, table, text } from "../../store/table.ts";
import type { TransactionContext } from "../../transaction.ts";
import { postToChannel } from "../chat/service-posts.ts";
import { type EventType, recordEvent } from "../incidents/event.ts";
import { findIncident, type IncidentRow } from "../incidents/incident.ts";
import { created, type EndpointResult, endpoint, ok, type RequestContext, type ServiceModule } from "../module.ts";
import { type Actor, actorOf, findPerson, memberActor } from "./people.ts";

/** One action item. */
export interface ActionItemRow {
  readonly id: string;
  readonly incident_id: string;
  readonly description: string;
  /** `in_progress` once assigned. */
  readonly status: "open" | "in_progress" | "done";
  readonly kind: "action" | "followup";
  readonly created_by: Actor;
  /** The assignee; null if unassigned. */
  readonly assignee: Actor | null;
  readonly created_at: string;
}

/** The action items of all incidents. */
export const actionItems: Table<ActionItemRow> = indexed(
  table("action_items", {
    id: key,
    incident_id: text,
    description: text,
    status: enumText(),
    kind: enumText(),
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
} as const satisfies BodySchema;

const change = {
  type: "object",
  properties: {
    description,
    assignee_id: { type: ["string", "null"], description: "null takes the item yourself; a person is handed it." },
    status: { type: "string", enum: ["open", "in_progress", "done"] },
  },
} as const satisfies BodySchema;

/** The module of action items. */
export const actionItemModule: ServiceModule = {
  tables: [actionItems],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/incidents/:id/action_items",
      summary: "Lists the open work of an incident and its holders.",
      requiredAbility: "incidents.update",
      query: {
        page: { type: "integer", minimum: 1 },
        per_page: { type: "integer", minimum: 1, maximum: 100 },
      },
      handle: list,
    }),
    endpoint({
      method: "POST",
      path: "/incidents/:id/action_items",
      summary: "Adds an item and posts it in the channel.",
      requiredAbility: "incidents.update",
      body: addition,
      handle: (request) => created(serializeItem(add(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/incidents/:id/action_items/:item_id",
      summary: "Takes an item, hands it over, finishes it, or words it anew.",
      requiredAbility: "incidents.update",
      body: change,
      handle: (request) => ok(serializeItem(update(request))),
    }),
  ],
};

/** The item for a response. */
export function serializeItem({
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
  transaction: TransactionContext,
  incident: IncidentRow,
  values: Pick<ActionItemRow, "description" | "kind" | "created_by" | "assignee" | "status">,
): ActionItemRow {
  const item = { ...values, id: randomUUID(), incident_id: incident.id, created_at: transaction.timestamp };
  transaction.database.insert(actionItems, item);
  const { created_by: actor, assignee } = item;
  const holder = assignee === null ? "" : ` for ${assignee.name}`;
  recordItemEvent(
    transaction,
    incident,
    item,
    actor,
    "action.created",
    `${actor.name} added an action${holder}: ${item.description}`,
  );
  postToChannel(transaction, incident, `New ${item.kind}${holder}: ${item.description}`);
  return item;
}

function list({ database, param, query }: RequestContext<unknown>): EndpointResult {
  const { id } = findIncident(database, param("id"));
  const open = "WHERE incident_id = ? AND status <> 'done'";
  const page = readPageRequest(query);
  const total = database.scalar(`SELECT COUNT(*) FROM action_items ${open}`, [id]);
  const { limit, offset } = rowRange(page, total);
  const rows = database.query(actionItems, `${open} ORDER BY created_at, rowid LIMIT ? OFFSET ?`, [id, limit, offset]);
  return ok({ action_items: rows.map(serializeItem), pagination: pagination(page, total) });
}

function add(request: RequestContext<SchemaValue<typeof addition>>): ActionItemRow {
  const { database, body, principal } = request;
  const incident = findIncident(database, request.param("id"));
  const assignee = body.assignee_id == null ? null : memberActor(findPerson(database, body.assignee_id));
  const kind = body.kind ?? "action";
  const text = body.description.trim();
  return createItem(request, incident, {
    description: text,
    kind,
    created_by: actorOf(principal),
    assignee,
    status: "open",
  });
}

function update(request: RequestContext<SchemaValue<typeof change>>): ActionItemRow {
  const { database, body, principal } = request;
  const incident = findIncident(database, request.param("id"));
  const before = database.find(actionItems, { id: request.param("item_id"), incident_id: incident.id });
  if (before === undefined) throw notFound();
  const actor = actorOf(principal);
  const assignee = requestedAssignee(request, actor) ?? before.assignee;
  const isMoved = assignee?.id !== before.assignee?.id;
  const isTaken = isMoved && assignee?.id === actor.id;
  const status = body.status ?? (isTaken && before.status === "open" ? "in_progress" : before.status);
  const item = { ...before, assignee, status, description: body.description?.trim() ?? before.description };
  database.update(actionItems, item.id, item);
  if (isTaken)
    recordItemEvent(request, incident, item, actor, "action.picked_up", `${actor.name} took: ${item.description}`);
  else if (isMoved) {
    const sentence = `${actor.name} handed over to ${assignee?.name}: ${item.description}`;
    recordItemEvent(request, incident, item, actor, "action.reassigned", sentence);
  }
  if (status === "done" && before.status !== "done") {
    recordItemEvent(request, incident, item, actor, "action.completed", `${actor.name} finished: ${item.description}`);
  }
  return item;
}

/** The assignee that the request names: the caller for null. Undefined if the request does not change it. */
function requestedAssignee(
  { database, body }: RequestContext<SchemaValue<typeof change>>,
  caller: Actor,
): Actor | undefined {
  if (body.assignee_id === undefined) return undefined;
  return body.assignee_id === null ? caller : memberActor(findPerson(database, body.assignee_id));
}

function recordItemEvent(
  transaction: TransactionContext,
  incident: IncidentRow,
  item: ActionItemRow,
  actor: Actor,
  type: EventType,
  description: string,
): void {
  recordEvent(transaction, incident, { type, description, actor, objects: { action_item: serializeItem(item) } });
}

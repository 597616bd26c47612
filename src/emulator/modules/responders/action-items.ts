/** Endpoints of action items: list the open ones, add, take, hand over and finish. */

import { randomUUID } from "node:crypto";
import { requireFound } from "../../http/http-error.ts";
import { pageQuery, pageSchema } from "../../http/pagination.ts";
import { type ObjectSchema, objectSchema, present } from "../../http/response-schema.ts";
import { type BodySchema, nonBlankText, type SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, ok, type RequestContext, readRows, type ServiceModule } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import { indexed, type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { postToChannel } from "../chat/service-posts.ts";
import { type EventType, recordEvent } from "../incident-record/event.ts";
import { findIncident, type IncidentRow } from "../incident-record/incident.ts";
import { type Actor, actorOf, actorSchema, findPerson, memberActor } from "../people.ts";

const itemStatuses = ["open", "in_progress", "done"] as const;
const itemKinds = ["action", "followup"] as const;

const itemProperties = {
  id: { type: "string", format: "uuid" },
  description: { type: "string", examples: ["Roll back the release"] },
  status: { type: "string", enum: itemStatuses as typeof itemStatuses },
  kind: { type: "string", enum: itemKinds as typeof itemKinds },
  incident_id: { type: "string", format: "uuid" },
  created_by: actorSchema as typeof actorSchema,
  assignee: { anyOf: [actorSchema as typeof actorSchema, { type: "null" }] },
  created_at: { type: "string", format: "date-time" },
} as const;

/** The schema of an action item in responses and deliveries. */
export const actionItemSchema: ObjectSchema<typeof itemProperties> = objectSchema("ActionItem", itemProperties);

/** One action item. It is in progress once somebody has it. */
type ActionItemRow = RowOfColumns<typeof itemProperties>;

/** The action items of all incidents. */
export const actionItems: Table<ActionItemRow> = indexed(rowTable("action_items", itemProperties), "incident_id");

const maximumDescription = 3000;
const description = {
  ...nonBlankText,
  maxLength: maximumDescription,
  examples: ["Roll back the release"],
} as const;

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
    status: { type: "string", enum: itemStatuses },
  },
} as const satisfies BodySchema;

export const actionItemModule: ServiceModule = {
  tables: [actionItems],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/incidents/:id/action_items",
      operationId: "listActionItems",
      summary: "Lists the open work of an incident and its holders.",
      requiredAbility: "incidents.update",
      query: pageQuery,
      responses: { 200: pageSchema("ActionItemPage", "action_items", actionItemSchema) },
      handle: (request) => {
        const { id } = findIncident(request.database, request.param("id"));
        const open = "incident_id = ? AND status <> 'done'";
        const { rows, pagination } = readRows(request, actionItems, open, [id], "created_at, rowid");
        return ok({ action_items: rows.map((row) => present(actionItemSchema, row)), pagination });
      },
    }),
    endpoint({
      method: "POST",
      path: "/incidents/:id/action_items",
      operationId: "createActionItem",
      summary: "Adds an item and posts it in the channel.",
      requiredAbility: "incidents.update",
      body: addition,
      responses: { 201: actionItemSchema },
      handle: (request) => created(present(actionItemSchema, add(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/incidents/:id/action_items/:item_id",
      operationId: "updateActionItem",
      summary: "Takes an item, hands it over, finishes it, or words it anew.",
      requiredAbility: "incidents.update",
      body: change,
      responses: { 200: actionItemSchema },
      handle: (request) => ok(present(actionItemSchema, update(request))),
    }),
  ],
};

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
  const before = requireFound(database.find(actionItems, { id: request.param("item_id"), incident_id: incident.id }));
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
  recordEvent(transaction, incident, {
    type,
    description,
    actor,
    objects: { action_item: present(actionItemSchema, item) },
  });
}

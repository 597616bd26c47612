/** Webhooks: addressed by id, subscribed to named events; the signing secret never leaves the service. */

import { randomBytes, randomUUID } from "node:crypto";
import type { Fields } from "../../../core/json.ts";
import { parseUrl } from "../../../core/url.ts";
import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { member } from "../../http/envelope.ts";
import { badRequest, invalid, notFound } from "../../http/http-error.ts";
import type { Database } from "../../store/database.ts";
import { boolean, json, key, type Table, table, text } from "../../store/table.ts";
import { type Call, created, noContent, ok, type Room, route } from "../room.ts";

/** A webhook. */
export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** In the order in which they were sent. */
  readonly subscribed_events: readonly WebhookEvent[];
  readonly enabled: boolean;
  /** What deliveries are signed with, in hexadecimal. */
  readonly secret: string;
}

/** The webhooks. */
export const webhookTable: Table<WebhookRow> = table("webhooks", {
  id: key,
  name: text,
  url: text,
  subscribed_events: json(),
  enabled: boolean,
  secret: text,
});

/** An event that webhooks can be told of. */
export type WebhookEvent = (typeof webhookEvents)[number];

/** Every event that webhooks can be told of. */
export const webhookEvents = [
  "incident.created",
  "incident.updated",
  "incident.accepted",
  "incident.resolved",
  "incident.reopened",
  "incident.canceled",
  "incident.escalated",
  "incident.marked_duplicate",
  "incident.merged_into",
  "lead.assigned",
  "role.assigned",
  "role.unassigned",
  "action.created",
  "action.picked_up",
  "action.completed",
  "action.reassigned",
  "runbook.attached",
  "postmortem.generated",
  "postmortem.edited",
  "relationship.created",
  "milestone.noted",
] as const;

const properties = {
  name: { type: ["string", "null"], description: "The display name; it need not be unique." },
  url: { type: ["string", "null"], description: "Where deliveries go, http or https." },
  subscribed_events: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "Replaces the whole list; unknown names and repetitions are dropped.",
  },
  enabled: { type: ["boolean", "null"], description: "Ignored on creation: a webhook starts enabled." },
} as const;

const createBody = { type: "object", properties, required: ["name", "url"] } as const satisfies BodyShape;
const updateBody = { type: "object", properties } as const satisfies BodyShape;

type WebhookBody = ValueOf<typeof updateBody>;

/** The room of /api/v1/webhooks. */
export const webhooks: Room = {
  tables: [webhookTable],
  routes: [
    route({
      method: "GET",
      path: "/webhooks",
      summary: "Lists the webhooks by name.",
      needs: "webhooks.read",
      handle: ({ database }) => {
        const rows = database.list(webhookTable, {}, { order: "name, rowid" });
        return ok({ webhooks: rows.map(shown) });
      },
    }),
    route({
      method: "POST",
      path: "/webhooks",
      summary: "Creates a webhook; a second one of the same name is another webhook.",
      needs: "webhooks.create",
      body: createBody,
      handle: (call) => created(member("webhook", shown(create(call)), call.dialects)),
    }),
    route({
      method: "PATCH",
      path: "/webhooks/:id",
      summary: "Changes a webhook.",
      needs: "webhooks.update",
      body: updateBody,
      handle: (call) => ok(member("webhook", shown(update(call)), call.dialects)),
    }),
    route({
      method: "DELETE",
      path: "/webhooks/:id",
      summary: "Deletes a webhook.",
      needs: "webhooks.delete",
      handle: ({ database, param }) => {
        if (database.remove(webhookTable, { id: param("id") }) === 0) throw notFound();
        return noContent;
      },
    }),
  ],
};

function shown({ id, name, url, subscribed_events, enabled }: WebhookRow): Fields {
  return { id, name, url, subscribed_events, enabled };
}

function create({ database, body }: Call<WebhookBody>): WebhookRow {
  const { name, url, subscribed_events = [] } = attributesOf(body);
  for (const [parameter, value] of Object.entries({ name, url })) {
    if (value === undefined) throw badRequest(`param is missing or the value is empty: ${parameter}`);
  }
  const id = randomUUID();
  const secret = randomBytes(32).toString("hex");
  database.insert(webhookTable, { id, name: name ?? "", url: url ?? "", subscribed_events, enabled: true, secret });
  return byId(database, id);
}

function update({ database, body, param }: Call<WebhookBody>): WebhookRow {
  const { id } = byId(database, param("id"));
  const enabled = body.enabled == null ? {} : { enabled: body.enabled };
  database.update(webhookTable, id, { ...attributesOf(body), ...enabled });
  return byId(database, id);
}

/** The attributes that a body sets; null is ignored. */
function attributesOf(body: WebhookBody): Partial<Pick<WebhookRow, "name" | "url" | "subscribed_events">> {
  if (body.name?.trim() === "") throw invalid({ field: "name", message: "can't be blank" });
  return {
    ...(body.name == null ? {} : { name: body.name.trim() }),
    ...(body.url == null ? {} : { url: urlOf(body.url) }),
    ...(body.subscribed_events == null ? {} : { subscribed_events: eventsOf(body.subscribed_events) }),
  };
}

function urlOf(text: string): string {
  const url = text.trim();
  if (!/^https?:\/\//i.test(url) || parseUrl(url) === undefined) {
    throw invalid({ field: "url", message: "must be an http or https address" });
  }
  return url;
}

function eventsOf(names: readonly string[]): readonly WebhookEvent[] {
  return [...new Set(names)].filter(isEvent);
}

function isEvent(name: string): name is WebhookEvent {
  return webhookEvents.some((event) => event === name);
}

function byId(database: Database, id: string): WebhookRow {
  const row = database.find(webhookTable, { id });
  if (row === undefined) throw notFound();
  return row;
}

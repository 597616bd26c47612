/** Webhooks: addressed by id, with subscriptions to named events. No response contains the signing secret. */

import { randomBytes, randomUUID } from "node:crypto";
import { parseUrl } from "../../../core/url.ts";
import { badRequest, notFound, requireFound, validationError } from "../../http/http-error.ts";
import { listOf, objectSchema, present, uuid } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import { created, endpoint, noContent, ok, type RequestContext, type ServiceModule } from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import type { Database } from "../../store/database.ts";
import { boolean, json, key, type Table, table, text } from "../../store/table.ts";

/** A webhook. */
export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** In the order of the request. */
  readonly subscribed_events: readonly WebhookEvent[];
  readonly enabled: boolean;
  /** The signing secret, in hexadecimal. */
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

/** An event to which webhooks can subscribe. */
export type WebhookEvent = (typeof webhookEvents)[number];

/** Every event to which webhooks can subscribe. */
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
  name: {
    type: ["string", "null"],
    description: "The display name; it need not be unique.",
    examples: ["Status page"],
  },
  url: {
    type: ["string", "null"],
    description: "Where deliveries go, http or https.",
    examples: ["https://example.com/hook"],
  },
  subscribed_events: {
    type: ["array", "null"],
    items: { type: "string" },
    description: "Replaces the whole list; unknown names and repetitions are dropped.",
    examples: [["incident.created"]],
  },
  enabled: { type: ["boolean", "null"], description: "Ignored on creation: a webhook starts enabled." },
} as const;

const createBody = { type: "object", properties, required: ["name", "url"] } as const satisfies BodySchema;
const updateBody = { type: "object", properties } as const satisfies BodySchema;

type WebhookBody = SchemaValue<typeof updateBody>;

const webhook = objectSchema("Webhook", {
  id: uuid,
  name: { type: "string", examples: ["Status page"] },
  url: { type: "string", format: "uri" },
  subscribed_events: { type: "array", items: { type: "string", enum: webhookEvents } },
  enabled: { type: "boolean" },
});

/** The module of /api/v1/webhooks. */
export const webhooks: ServiceModule = {
  tables: [webhookTable],
  endpoints: [
    endpoint({
      method: "GET",
      path: "/webhooks",
      operationId: "listWebhooks",
      summary: "Lists the webhooks by name.",
      requiredAbility: "webhooks.read",
      responses: { 200: objectSchema("WebhookList", { webhooks: listOf(webhook) }) },
      handle: ({ database }) => {
        const rows = database.list(webhookTable, {}, { order: "name, rowid" });
        return ok({ webhooks: rows.map((row) => present(webhook, row)) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/webhooks",
      operationId: "createWebhook",
      summary: "Creates a webhook; a second one of the same name is another webhook.",
      requiredAbility: "webhooks.create",
      body: createBody,
      member: "webhook",
      responses: { 201: webhook },
      handle: (request) => created(present(webhook, create(request))),
    }),
    endpoint({
      method: "PATCH",
      path: "/webhooks/:id",
      operationId: "updateWebhook",
      summary: "Changes a webhook.",
      requiredAbility: "webhooks.update",
      body: updateBody,
      member: "webhook",
      responses: { 200: webhook },
      handle: (request) => ok(present(webhook, update(request))),
    }),
    endpoint({
      method: "DELETE",
      path: "/webhooks/:id",
      operationId: "deleteWebhook",
      summary: "Deletes a webhook.",
      requiredAbility: "webhooks.delete",
      responses: { 204: null },
      handle: ({ database, param }) => {
        if (database.remove(webhookTable, { id: param("id") }) === 0) throw notFound();
        return noContent;
      },
    }),
  ],
};

function create({ database, body }: RequestContext<WebhookBody>): WebhookRow {
  const { name, url, subscribed_events = [] } = readFields(body);
  for (const [parameter, value] of Object.entries({ name, url })) {
    if (value === undefined) throw badRequest(`param is missing or the value is empty: ${parameter}`);
  }
  const id = randomUUID();
  const secret = randomBytes(32).toString("hex");
  database.insert(webhookTable, { id, name: name ?? "", url: url ?? "", subscribed_events, enabled: true, secret });
  return findById(database, id);
}

function update({ database, body, param }: RequestContext<WebhookBody>): WebhookRow {
  const { id } = findById(database, param("id"));
  const enabled = body.enabled == null ? {} : { enabled: body.enabled };
  database.update(webhookTable, id, { ...readFields(body), ...enabled });
  return findById(database, id);
}

/** The fields that a request sets; null is ignored. */
function readFields(body: WebhookBody): Partial<Pick<WebhookRow, "name" | "url" | "subscribed_events">> {
  return {
    ...(body.name == null ? {} : { name: readName(body.name) }),
    ...(body.url == null ? {} : { url: readUrl(body.url) }),
    ...(body.subscribed_events == null ? {} : { subscribed_events: readEvents(body.subscribed_events) }),
  };
}

function readUrl(text: string): string {
  const url = text.trim();
  if (!/^https?:\/\//i.test(url) || parseUrl(url) === undefined) {
    throw validationError({ field: "url", message: "must be an http or https address" });
  }
  return url;
}

function readEvents(names: readonly string[]): readonly WebhookEvent[] {
  return [...new Set(names)].filter(isEvent);
}

function isEvent(name: string): name is WebhookEvent {
  return webhookEvents.some((event) => event === name);
}

function findById(database: Database, id: string): WebhookRow {
  return requireFound(database.find(webhookTable, { id }));
}

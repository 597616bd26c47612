/** Webhooks: addressed by id, with subscriptions to named events. No response contains the signing secret. */

import { randomBytes } from "node:crypto";
import { parseUrl } from "../../../core/url.ts";
import { badRequest, validationError } from "../../http/http-error.ts";
import type { RowOf } from "../../resource/field.ts";
import { resourceModule } from "../../resource/resource.ts";
import { tableOf } from "../../resource/schemas.ts";
import type { ServiceModule } from "../../service/module.ts";
import { readName } from "../../service/names.ts";
import type { Table } from "../../store/table.ts";

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

const fields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", examples: ["Status page"] },
    input: "The display name; it need not be unique.",
    required: true,
  },
  url: {
    value: { type: "string", format: "uri" },
    input: {
      type: ["string", "null"],
      description: "Where deliveries go, http or https.",
      examples: ["https://example.com/hook"],
    },
    required: true,
  },
  // In the order of the request.
  subscribed_events: {
    value: { type: "array", items: { type: "string", enum: webhookEvents as typeof webhookEvents } },
    input: {
      type: ["array", "null"],
      items: { type: "string" },
      description: "Replaces the whole list; unknown names and repetitions are dropped.",
      examples: [["incident.created"]],
    },
  },
  enabled: {
    value: { type: "boolean" },
    input: "Ignored on creation: a webhook starts enabled.",
    initial: true,
  },
  // The signing secret, in hexadecimal.
  secret: { value: { type: "string" }, hidden: true, initial: (): string => randomBytes(32).toString("hex") },
} as const;

/** A webhook. */
export type WebhookRow = RowOf<typeof fields>;

/** The webhooks. */
export const webhookTable: Table<WebhookRow> = tableOf("webhooks", fields);

/** The module of /api/v1/webhooks. */
export const webhooks: ServiceModule = resourceModule({
  title: "Webhook",
  path: "webhooks",
  ability: "webhooks",
  fields,
  table: webhookTable,
  address: "id",
  order: "name, rowid",
  summaries: {
    list: "Lists the webhooks by name.",
    create: "Creates a webhook; a second one of the same name is another webhook.",
    update: "Changes a webhook.",
    delete: "Deletes a webhook.",
  },
  read: { name: readName, url: readUrl, subscribed_events: readEvents },
  complete(_request, { name, url }) {
    for (const [parameter, value] of Object.entries({ name, url })) {
      if (value === undefined) throw badRequest(`param is missing or the value is empty: ${parameter}`);
    }
    return { enabled: true };
  },
});

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

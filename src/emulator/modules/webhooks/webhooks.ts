/** Webhooks: addressed by id, with subscriptions to named events. No response contains the signing secret. */

import { randomBytes } from "node:crypto";
import type { Json } from "../../../core/json.ts";
import { badRequest, type HttpError, validationError } from "../../http/http-error.ts";
import type { RowOf } from "../../resource/field.ts";
import { resourceModule } from "../../resource/resource.ts";
import { tableOf } from "../../resource/schemas.ts";
import type { ServiceModule } from "../../service/module.ts";
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
    input: {
      type: ["string", "null"],
      description: "The display name; it need not be unique.",
      examples: ["Status page"],
      refusal: (name: Json | undefined): HttpError | undefined => (name === null ? missing("name") : undefined),
    },
    reading: "name",
    required: true,
  },
  url: {
    value: { type: "string", format: "uri" },
    input: {
      type: ["string", "null"],
      pattern: "^\\s*[hH][tT][tT][pP][sS]?://",
      format: "uri",
      description: "Where deliveries go, http or https.",
      examples: ["https://example.com/hook"],
      refusal: (url: Json | undefined): HttpError | undefined => urlError(url),
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

export type WebhookRow = RowOf<typeof fields>;

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
  listsDisabledOnRequest: true,
  summaries: {
    list: "Lists the webhooks by name.",
    create: "Creates a webhook; a second one of the same name is another webhook.",
    update: "Changes a webhook.",
    delete: "Deletes a webhook.",
  },
  read: { url: (url) => url.trim(), subscribed_events: readEvents },
  complete: () => ({ enabled: true }),
});

/** The error for null where a creation needs a value. */
function missing(parameter: string): HttpError {
  return badRequest(`param is missing or the value is empty: ${parameter}`);
}

function urlError(url: Json | undefined): HttpError | undefined {
  if (url === null) return missing("url");
  const isText = typeof url === "string";
  return isText ? validationError({ field: "url", message: "must be an http or https address" }) : undefined;
}

function readEvents(names: readonly string[]): readonly WebhookEvent[] {
  return [...new Set(names)].filter(isEvent);
}

function isEvent(name: string): name is WebhookEvent {
  return webhookEvents.some((event) => event === name);
}

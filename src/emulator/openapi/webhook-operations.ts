/** The deliveries of webhooks, as the webhooks of the OpenAPI document. */

import { nullable, objectSchema, timestamp, uuid } from "../http/response-schema.ts";
import type { ValueSchema } from "../http/value-schema.ts";
import { milestoneSchema } from "../modules/incident-record/event.ts";
import { incidentSchema } from "../modules/incident-record/incident.ts";
import { actorSchema } from "../modules/people.ts";
import { postmortemSchema } from "../modules/postmortems/postmortems.ts";
import { actionItemSchema } from "../modules/responders/action-items.ts";
import { type WebhookEvent, webhookEvents } from "../modules/webhooks/webhooks.ts";
import type { WebhookOperation } from "./document.ts";

interface DeliveryGroup {
  readonly title: string;
  /** The beginning of the names of its events. */
  readonly prefix: string;
  /** The objects of the body besides the incident and the actor. */
  readonly objects: { readonly [name: string]: ValueSchema };
}

/** The groups of events whose deliveries have further objects. */
const groups: readonly DeliveryGroup[] = [
  { title: "ActionItemDelivery", prefix: "action.", objects: { action_item: actionItemSchema } },
  { title: "PostmortemDelivery", prefix: "postmortem.", objects: { postmortem: postmortemSchema } },
  { title: "MilestoneDelivery", prefix: "milestone.", objects: { milestone: milestoneSchema } },
];

const incidentDeliveries: DeliveryGroup = { title: "IncidentDelivery", prefix: "", objects: {} };

const headers: WebhookOperation["headers"] = {
  "X-Webhook-Event": { type: "string", enum: webhookEvents },
  "X-Webhook-Delivery": { ...uuid, description: "The id of the delivery, the same for each try." },
  "X-Webhook-Signature": {
    type: "string",
    description: "The HMAC-SHA256 of the body with the webhook's secret, in hexadecimal.",
  },
};

/** One webhook for each event. */
export const webhookOperations: readonly WebhookOperation[] = webhookEvents.map((name) => ({
  name,
  summary: `Delivers the event ${name} to the webhooks that subscribe to it.`,
  headers,
  body: deliverySchema(groupOf(name)),
}));

/** The schema of every delivery. `event_type` says which one it is. */
export const anyDeliverySchema: ValueSchema = {
  title: "WebhookDelivery",
  anyOf: [incidentDeliveries, ...groups].map(deliverySchema),
};

function groupOf(event: WebhookEvent): DeliveryGroup {
  return groups.find(({ prefix }) => event.startsWith(prefix)) ?? incidentDeliveries;
}

function deliverySchema(group: DeliveryGroup): ValueSchema {
  return objectSchema(group.title, {
    id: uuid,
    version: { type: "integer", enum: [1] },
    event_type: { type: "string", enum: webhookEvents.filter((event) => groupOf(event) === group) },
    workspace_id: uuid,
    occurred_at: timestamp,
    incident: incidentSchema,
    actor: nullable(actorSchema),
    ...group.objects,
  });
}

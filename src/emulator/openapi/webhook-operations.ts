/** The deliveries of webhooks, as the webhooks of the OpenAPI document. */

import type { Fields } from "../../core/json.ts";
import { nullable, objectSchema, timestamp, uuid } from "../http/response-schema.ts";
import type { ValueSchema } from "../http/value-schema.ts";
import { milestoneSchema } from "../modules/incident-record/event.ts";
import { incidentSchema } from "../modules/incident-record/incident.ts";
import { actorSchema } from "../modules/people.ts";
import { postmortemSchema } from "../modules/postmortems/postmortems.ts";
import { actionItemSchema } from "../modules/responders/action-items.ts";
import { type WebhookEvent, webhookEvents } from "../modules/webhooks/webhooks.ts";
import type { SchemaComponents } from "./components.ts";
import { jsonContent, parameter } from "./operations.ts";

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

const headers: { readonly [name: string]: ValueSchema } = {
  "X-Webhook-Event": { type: "string", enum: webhookEvents },
  "X-Webhook-Delivery": { ...uuid, description: "The id of the delivery, the same for each try." },
  "X-Webhook-Signature": {
    type: "string",
    description: "The HMAC-SHA256 of the body with the webhook's secret, in hexadecimal.",
  },
};

/** The webhooks of the document: one for each event. */
export function webhookItems(components: SchemaComponents): Fields {
  return Object.fromEntries(webhookEvents.map((event) => [event, webhookItem(components, event)]));
}

function webhookItem(components: SchemaComponents, event: WebhookEvent): Fields {
  const words = event.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return {
    post: {
      operationId: `receive${words.join("")}`,
      summary: `Delivers the event ${event} to the webhooks that subscribe to it.`,
      tags: ["webhooks"],
      parameters: Object.entries(headers).map(([header, schema]) => parameter(components, header, "header", schema)),
      requestBody: { required: true, content: jsonContent(components, deliverySchema(groupOf(event))) },
      responses: {
        "2XX": { description: "The delivery is done." },
        default: { description: "The delivery is tried again, up to three times in all." },
      },
      security: [],
    },
  };
}

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

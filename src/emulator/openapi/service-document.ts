/** The OpenAPI document of the interface, made from the endpoints of all modules, in the dialects of an emulator. */

import type { Fields } from "../../core/json.ts";
import { type Dialects, standardDialects } from "../dialects.ts";
import { openapiPath } from "../http/match-path.ts";
import { nullable, objectSchema, timestamp, uuid } from "../http/response-schema.ts";
import type { ValueSchema } from "../http/value-schema.ts";
import { allModules } from "../modules/all-modules.ts";
import { milestoneSchema } from "../modules/incident-record/event.ts";
import { incidentSchema } from "../modules/incident-record/incident.ts";
import { actorSchema } from "../modules/people.ts";
import { postmortemSchema } from "../modules/postmortems/postmortems.ts";
import { actionItemSchema } from "../modules/responders/action-items.ts";
import { type WebhookEvent, webhookEvents } from "../modules/webhooks/webhooks.ts";
import type { ServedEndpoint } from "../service/module.ts";
import { SchemaComponents } from "./components.ts";
import { errorComponents } from "./error-responses.ts";
import { jsonContent, parameter, pathItem, tagOf } from "./operations.ts";

const basePath = "/api/v1";

/** The sentences of tags of which there is more to say than their words, in the order of the document. */
const tags: { readonly [name: string]: string } = {
  incidents: "Incidents: declare, change, link, with their timeline, transcript, work, people and postmortem.",
  severities: "Severities, most severe first.",
  statuses: "Statuses, each of one lifecycle stage.",
  incident_types: "Types of incidents.",
  incident_roles: "Roles of people on an incident.",
  custom_fields: "Custom fields of incidents, with their options.",
  forms: "The four incident forms and their fields.",
  runbooks: "Runbooks, attached to incidents by their conditions.",
  catalog: "Catalog types and their entries.",
  alert_sources: "Sources of alerts.",
  alerts: "Alerts that sources send.",
  routing_rules: "Rules that decide about alerts, of the workspace or of one source.",
  routing: "The dry run of routing.",
  webhooks: "Webhooks, and the events that they deliver.",
  api_keys: "Service keys. An admin's personal token is needed.",
  agents: "Agents and their tokens. An admin's personal token is needed.",
  grants: "Abilities and permission sets of principals. An admin's personal token is needed.",
  abilities: "Abilities that can be granted. An admin's personal token is needed.",
  principals: "Members, agents and service keys. An admin's personal token is needed.",
  permission_sets: "Named sets of abilities. An admin's personal token is needed.",
};

/** The document of the interface. Throws if two schemas have the same title. */
export function openapi(dialects: Dialects = standardDialects): Fields {
  const endpoints = allModules.flatMap((module) => module.endpoints);
  const components = new SchemaComponents();
  const paths = [...new Set(endpoints.map(({ path }) => path))].sort();
  const items = paths.map((path): [string, Fields] => [
    `${basePath}${openapiPath(path)}`,
    pathItem(
      components,
      path,
      endpoints.filter((endpoint) => endpoint.path === path),
      dialects,
    ),
  ]);
  const webhooks = webhookItems(components);
  const shared = errorComponents(components);
  components.add(anyDeliverySchema);
  return {
    openapi: "3.1.0",
    info: {
      title: "Incident management service",
      version: "1",
      description: `The interface as the emulator serves it.${dialectText(dialects)}`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(tagsOf(endpoints)).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(items),
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A service key, an agent's token or a personal token." },
      },
      ...shared,
      schemas: components.all,
    },
  };
}

/** The sentence of every tag. One that has none of its own is said in its words: `alert_sources` as "Alert sources." */
function tagsOf(endpoints: readonly ServedEndpoint[]): { readonly [name: string]: string } {
  const words = endpoints.map(tagOf).map((tag): [string, string] => {
    return [tag, `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll("_", " ")}.`];
  });
  return { ...tags, ...Object.fromEntries(words.filter(([tag]) => !Object.hasOwn(tags, tag))) };
}

/** The sentence about dialects that differ from the standard; empty if none does. */
function dialectText(dialects: Dialects): string {
  const changed = Object.entries(dialects).filter(
    ([name, value]) => standardDialects[name as keyof Dialects] !== value,
  );
  const switches = changed.map(([name, value]) => `${name}=${value}`);
  return switches.length === 0 ? "" : ` Its dialects are ${switches.join(", ")}.`;
}

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
function webhookItems(components: SchemaComponents): Fields {
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
const anyDeliverySchema: ValueSchema = {
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

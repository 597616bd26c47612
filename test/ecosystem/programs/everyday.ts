/**
 * Eight everyday programs of a team that uses the service, on a client that openapi-typescript and openapi-fetch make of the OpenAPI
 * document. They have no type assertion. `clients.test.ts` compiles and runs them; each prints one line of JSON.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./service.d.ts";

type Incident = components["schemas"]["Incident"];
type Delivery = components["schemas"]["WebhookDelivery"];
type Service = Client<paths>;

/** Lists all incidents of a stage, page by page. */
async function listAll(service: Service): Promise<readonly string[]> {
  const incidents: Incident[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { page, per_page: 2, lifecycle_stage: "active" } as const;
    const { data, error } = await service.GET("/api/v1/incidents", { params: { query } });
    if (error) throw new Error(error.error.message);
    incidents.push(...data.incidents);
    pages = data.pagination.total_pages;
  }
  return incidents.map(({ identifier, severity, lead }) => `${identifier} ${severity.slug} ${lead?.name ?? "nobody"}`);
}

/** Declares an incident of the most severe severity. */
async function declare(service: Service, key: string): Promise<Incident> {
  const { data: list, error: unread } = await service.GET("/api/v1/severities");
  if (unread) throw new Error(unread.error.message);
  const severity = list.severities.reduce((most, each) => (each.rank > most.rank ? each : most));
  const { data, error, response } = await service.POST("/api/v1/incidents", {
    body: { idempotency_key: key, name: "Checkout is slow", severity_id: severity.id },
  });
  if (error) throw new Error(`${response.status}: ${error.error.message}`);
  return data.incident;
}

/** Changes the summary of an incident. */
async function change(service: Service, id: string): Promise<string | null> {
  const { data, error } = await service.PATCH("/api/v1/incidents/{id}", {
    params: { path: { id } },
    body: { summary: "One in five payments times out" },
  });
  if (error) throw new Error(error.error.message);
  return data.incident.summary;
}

/** Resolves an incident, with the first status of the stage closed. */
async function resolve(service: Service, id: string): Promise<string> {
  const { data: list } = await service.GET("/api/v1/statuses", { params: { query: { include_disabled: false } } });
  const closed = list?.statuses.find(({ lifecycle_stage }) => lifecycle_stage === "closed");
  const { data, error } = await service.PATCH("/api/v1/incidents/{id}", {
    params: { path: { id } },
    body: { status_id: closed?.id ?? "" },
  });
  if (error) throw new Error(error.error.message);
  return `${data.incident.status.lifecycle_stage} ${data.incident.resolved_at === null ? "never" : "now"}`;
}

/** Creates a severity at the top of the list. */
async function createSeverity(service: Service): Promise<string> {
  const { data, error } = await service.POST("/api/v1/severities", {
    body: { name: "Catastrophe", position: 1, color: "#000000" },
  });
  if (error) throw new Error(error.error.message);
  return `${data.slug} ${data.position} ${data.is_default}`;
}

/** Handles a refusal: the invalid fields, and the class of the error. */
async function handleErrors(service: Service): Promise<readonly string[]> {
  const { error: invalid } = await service.POST("/api/v1/severities", { body: { name: " " } });
  const { error: missing, response } = await service.GET("/api/v1/incidents/{id}", {
    params: { path: { id: "no-such-incident" } },
  });
  const fields = (invalid?.error.errors ?? []).map(({ field, message }) => `${field ?? "form"} ${message}`);
  return [...fields, `${response.status} ${missing?.error.type}`];
}

/** Receives the delivery of an action item that is added to the incident. */
async function receiveDelivery(service: Service, id: string): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  await service.POST("/api/v1/webhooks", {
    body: { name: "Bot", url: `http://127.0.0.1:${address.port}/hook`, subscribed_events: ["action.created"] },
  });
  const received = new Promise<Delivery>((done) => {
    server.on("request", async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response.end();
      done(JSON.parse(Buffer.concat(chunks).toString()));
    });
  });
  await service.POST("/api/v1/incidents/{id}/action_items", {
    params: { path: { id } },
    body: { description: "Roll back the release", kind: "action" },
  });
  const delivery = await received;
  server.close();
  server.closeAllConnections();
  if (delivery.event_type !== "action.created") throw new Error(`received ${delivery.event_type}`);
  return `${delivery.incident.identifier} ${delivery.actor?.type} ${delivery.action_item.description}`;
}

/** Sends an alert, which a new rule of the workspace makes an incident. */
async function sendAlert(service: Service): Promise<string> {
  const { data: source } = await service.POST("/api/v1/alert_sources", {
    body: { name: "Grafana", provider: "grafana" },
  });
  if (source === undefined) throw new Error("the source was not created");
  await service.POST("/api/v1/routing_rules", {
    body: {
      conditions: [{ field: "service", operator: "is_one_of", value: ["checkout"] }],
      outcome: { action: "auto_create_incident" },
    },
  });
  const { data, error } = await service.POST("/api/v1/alerts/{slug}", {
    params: { path: { slug: source.slug } },
    body: { title: "Latency of checkout", service: "checkout", status: "firing" },
  });
  if (error) throw new Error(error.error.message);
  const [alert] = data.alerts;
  const { data: created } = await service.GET("/api/v1/incidents/{id}", {
    params: { path: { id: alert?.incident_id ?? "" } },
  });
  return `${alert?.action} ${created?.incident.name}`;
}

const service = createClient<paths>({
  baseUrl: process.env.INCIDENTCTL_URL ?? "",
  headers: { authorization: `Bearer ${process.env.INCIDENTCTL_TOKEN}` },
});
const incidents = [await declare(service, "first"), await declare(service, "second"), await declare(service, "third")];
const again = await declare(service, "first");
const { id } = again;
const results = {
  declare: [...incidents.map((incident) => incident.identifier), again.identifier],
  listAll: await listAll(service),
  change: await change(service, id),
  receiveDelivery: await receiveDelivery(service, id),
  resolve: await resolve(service, id),
  createSeverity: await createSeverity(service),
  handleErrors: await handleErrors(service),
  sendAlert: await sendAlert(service),
};
for (const [name, result] of Object.entries(results)) console.log(JSON.stringify({ [name]: result }));

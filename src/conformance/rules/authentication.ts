/** Rules of "Authentication". */

import type { Exchange } from "../client.ts";
import { expectRefusal, expectSame, expectStatus, expectSuccess, expectThat, memberOf } from "../expectation.ts";
import { findResource, resources } from "../fixtures/configuration-resources.ts";
import {
  declarationOf,
  declare,
  declareIn,
  idOf,
  incidentWithMessages,
  postIncident,
  sharedIncident,
} from "../fixtures/incidents.ts";
import { clientFor, createMember, memberPath, rowsOf } from "../fixtures/requests.ts";
import { type ConformanceRule, NotApplicable, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { textAt } from "../value-shape.ts";
import { keyWith } from "./agents-and-keys.ts";

/** Every path of the document, with a method that reads or, where there is none, would write. */
function surfaces(incident: string): readonly (readonly [string, string])[] {
  const one = `incidents/${incident}`;
  return [
    ...resources.map((kind): readonly [string, string] => ["GET", kind.path]),
    ["GET", "incidents"],
    ["POST", "incidents"],
    ["PATCH", one],
    ["GET", `${one}/timeline`],
    ["GET", `${one}/transcript`],
    ["GET", `${one}/action_items`],
    ["POST", `${one}/escalate`],
    ["POST", `${one}/invite`],
    ["POST", `${one}/link`],
    ["POST", `${one}/shoutout`],
    ["POST", `${one}/runbook_steps/claim`],
    ["GET", `${one}/postmortem`],
    ["GET", "forms/declare"],
    ["POST", "routing/evaluate"],
    ["GET", "grants"],
    ["GET", "routing_rules"],
  ];
}

/** The responder actions, with bodies that would be accepted. */
function responderActions(person: string): readonly (readonly [string, string, Record<string, string | string[]>])[] {
  return [
    ["post", "action_items", { description: "Call the provider" }],
    ["post", "escalate", { member_id: person, reason: "You know the queue" }],
    ["post", "invite", { member_ids: [person] }],
    ["post", "shoutout", { member_id: person, message: "Thank you" }],
  ];
}

/** Asks while transcript access is turned off, as far as the caller can turn it off. */
async function withTranscriptsOff(context: RuleContext, ask: () => Promise<Exchange>): Promise<Exchange> {
  const { switchTranscripts } = context;
  if (switchTranscripts === undefined) return ask();
  await switchTranscripts(false);
  try {
    return await ask();
  } finally {
    await switchTranscripts(true);
  }
}

const adminOnly: readonly RuleDefinition[] = ["agents", "api_keys"].map((path) => ({
  id: `authentication.5.${path}`,
  title: `5: /api/v1/${path} is reached by an admin's personal token and never by a service key`,
  async check(context: RuleContext) {
    const { client } = await keyWith(context, { incidents: ["read", "update"], severities: ["read"] });
    expectStatus(await context.admin.get(path), 200);
    const name = context.name("intruder");
    const body = { name, description: "x", slug: name.toLowerCase().replaceAll(" ", "_") };
    for (const exchange of [await client.get(path), await client.post(path, body)]) {
      expectRefusal(exchange, 403, "forbidden");
    }
  },
}));

const permissionRows: readonly RuleDefinition[] = resources
  .filter((kind) => !kind.admin)
  .map((kind) => ({
    id: `authentication.3.${kind.id}`,
    title: `3: a key without the permission is refused on ${kind.path} with 403 forbidden, for reading and for writing`,
    async check(context: RuleContext) {
      const { client } = await keyWith(context, { incidents: ["read"] });
      const created = await createMember(context, kind);
      expectRefusal(await client.get(kind.path), 403, "forbidden");
      expectRefusal(await client.post(kind.path, kind.body(context)), 403, "forbidden");
      expectRefusal(await client.patch(memberPath(kind, created), kind.change(context).body), 403, "forbidden");
      expectRefusal(await client.delete(memberPath(kind, created)), 403, "forbidden");
      expectStatus(await clientFor(context, kind.path).get(kind.path), 200);
    },
  }));

/** The rules of authentication. */
export const authenticationRules: readonly ConformanceRule[] = rulesOf("Authentication", [
  {
    id: "authentication.all",
    title: "all endpoints require authentication",
    async check(context) {
      const anonymous = context.bearer(undefined);
      for (const [method, path] of surfaces(idOf(await sharedIncident(context)))) {
        const headers = { "content-type": "application/json" };
        const exchange = await anonymous.send(method, `/api/v1/${path}`, headers, method === "GET" ? undefined : "{}");
        expectRefusal(exchange, 401, "unauthorized");
      }
    },
  },
  {
    id: "authentication.1.bearer",
    title: "1: the token is a bearer token of the Authorization header, and of nothing else",
    async check(context) {
      const { token } = await keyWith(context, { severities: ["read"] });
      const anonymous = context.bearer(undefined);
      const send = (headers: Record<string, string>, query = "") =>
        anonymous.send("GET", `/api/v1/severities${query}`, headers);
      expectStatus(await send({ authorization: `Bearer ${token}` }), 200);
      for (const headers of [{ authorization: token }, { authorization: `Basic ${token}` }, { "x-api-key": token }]) {
        expectRefusal(await send(headers), 401, "unauthorized");
      }
    },
  },
  {
    id: "authentication.1.json",
    title: "1: request bodies are JSON: text that is not JSON is refused with an error object",
    async check(context) {
      const headers = { "content-type": "application/json" };
      const exchange = await context.client.send("POST", "/api/v1/severities", headers, "{name:");
      expectStatus(exchange, 400, 422);
      expectRefusal(exchange, exchange.status);
    },
  },
  {
    id: "authentication.2.missing",
    title: "2: a missing token yields 401 unauthorized",
    async check(context) {
      expectRefusal(await context.bearer(undefined).get("severities"), 401, "unauthorized");
    },
  },
  {
    id: "authentication.2.invalid",
    title: "2: an invalid token yields 401 unauthorized",
    async check(context) {
      for (const token of ["ff_111111111111111111111111111111111111", "x", "ff_"]) {
        expectRefusal(await context.bearer(token).get("severities"), 401, "unauthorized");
      }
    },
  },
  {
    id: "authentication.2.deactivated",
    title: "2: the token of a deleted service key yields 401 unauthorized",
    async check(context) {
      const { key, client } = await keyWith(context, { severities: ["read"] });
      expectStatus(await client.get("severities"), 200);
      expectSuccess(await context.admin.delete(memberPath(findResource("api_keys"), key)));
      expectRefusal(await client.get("severities"), 401, "unauthorized");
    },
  },
  {
    id: "authentication.2.disabled-agent",
    title: "2: the token of a disabled or deleted agent yields 401 unauthorized",
    async check(context) {
      const kind = findResource("agents");
      const created = await createMember(context, kind);
      const client = context.bearer(textAt(created, "token"));
      expectSuccess(await context.admin.patch(memberPath(kind, created), { enabled: false }));
      expectRefusal(await client.get("severities"), 401, "unauthorized");
      expectSuccess(await context.admin.delete(memberPath(kind, created)));
      expectRefusal(await client.get("severities"), 401, "unauthorized");
    },
  },
  ...permissionRows,
  {
    id: "authentication.3.incidents",
    title: "3: a key without incidents is refused on incidents with 403 forbidden",
    async check(context) {
      const id = idOf(await sharedIncident(context));
      const { client } = await keyWith(context, { severities: ["read"] });
      expectRefusal(await client.get("incidents"), 403, "forbidden");
      expectRefusal(await client.post("incidents", {}), 403, "forbidden");
      expectRefusal(await client.patch(`incidents/${id}`, { name: "x" }), 403, "forbidden");
      expectRefusal(await client.get(`incidents/${id}/timeline`), 403, "forbidden");
    },
  },
  {
    id: "authentication.3.responders",
    title: "3: responder actions check incidents: update",
    async check(context) {
      const path = `incidents/${idOf(await declare(context))}`;
      const person = context.person;
      const reader = (await keyWith(context, { incidents: ["read"] })).client;
      const updater = (await keyWith(context, { incidents: ["read", "update"] })).client;
      for (const [, action, body] of responderActions(person)) {
        expectRefusal(await reader.post(`${path}/${action}`, body), 403, "forbidden");
        expectSuccess(await updater.post(`${path}/${action}`, body));
      }
    },
  },
  {
    id: "authentication.3.postmortem",
    title: "3: postmortem endpoints check incidents",
    async check(context) {
      const path = `incidents/${idOf(await declareIn(context, "closed"))}/postmortem`;
      const without = (await keyWith(context, { severities: ["read"] })).client;
      expectRefusal(await without.get(path), 403, "forbidden");
      expectRefusal(await without.post(path), 403, "forbidden");
      expectRefusal(await without.patch(path, { status: "in_review" }), 403, "forbidden");
      const able = (await keyWith(context, { incidents: ["read", "update"] })).client;
      expectSuccess(await able.post(path));
      expectSuccess(await able.get(path));
    },
  },
  {
    id: "authentication.3.dismiss",
    title: "3: dismissing a note needs an incidents: update key",
    async check(context) {
      const id = idOf(await sharedIncident(context));
      const events = await context.client.get(`incidents/${id}/timeline`);
      const [event] = rowsOf(events);
      const { client } = await keyWith(context, { incidents: ["read"] });
      expectRefusal(await client.patch(`incidents/${id}/timeline/${textAt(event, "id")}/dismiss`), 403, "forbidden");
    },
  },
  {
    id: "authentication.4.ability",
    title: "4: the transcript checks the Incident Transcripts ability, not incidents, and the 403 names it",
    async check(context) {
      const path = `incidents/${await incidentWithMessages(context, 1)}/transcript`;
      const without = (await keyWith(context, { incidents: ["read", "update"] })).client;
      const exchange = await without.get(path);
      expectRefusal(exchange, 403);
      const message = textAt(exchange.body, "error", "message");
      expectThat(/transcript/i.test(message), "a message that names the ability", message, exchange);
      const able = (await keyWith(context, { incident_transcripts: ["read"] })).client;
      expectStatus(await able.get(path), 200);
    },
  },
  {
    id: "authentication.4.workspace",
    title: "4: where the workspace has transcript access turned off, the 403 names the workspace's setting",
    async check(context) {
      const path = `incidents/${idOf(await sharedIncident(context))}/transcript`;
      const exchange = await withTranscriptsOff(context, () => context.client.get(path));
      if (exchange.status === 200 && context.switchTranscripts === undefined) {
        throw new NotApplicable("transcript access is turned on in this workspace");
      }
      expectRefusal(exchange, 403);
      const message = textAt(exchange.body, "error", "message");
      expectThat(/workspace/i.test(message), "a message that names the workspace's setting", message, exchange);
    },
  },
  ...adminOnly,
  {
    id: "authentication.5.ungrantable",
    title: "5: the admin-only permissions cannot be granted to a service key",
    async check(context) {
      // A key can be made, so a refusal below is about the permission.
      await keyWith(context, { severities: ["read"] });
      for (const permission of ["api_keys", "permissions"]) {
        const kind = findResource("api_keys");
        const exchange = await context.admin.post(kind.path, {
          ...kind.body(context),
          permissions: { [permission]: ["read", "create"] },
        });
        if (exchange.status < 300) {
          const prefix = textAt(exchange.body, "prefix");
          context.cleanup(() => context.admin.delete(`${kind.path}/${prefix}`));
          const client = context.bearer(textAt(exchange.body, "token"));
          expectRefusal(await client.get("api_keys"), 403, "forbidden");
          expectRefusal(await client.get("agents"), 403, "forbidden");
        }
      }
    },
  },
  {
    id: "authentication.5.agent",
    title: "5: an agent cannot create another agent or widen its own access",
    async check(context) {
      const created = await createMember(context, findResource("agents"));
      const client = context.bearer(textAt(created, "token"));
      const name = context.name("agent").toLowerCase().replaceAll(" ", "_");
      expectRefusal(await client.post("agents", { name, description: "x", slug: name }), 403, "forbidden");
      expectRefusal(await client.post(`agents/${textAt(created, "slug")}/rotate`), 403, "forbidden");
      const widened = { principal_kind: "agent", principal_id: idOf(created), ability: "incidents.read" };
      expectRefusal(await client.post("grants", widened), 403, "forbidden");
    },
  },
  {
    id: "authentication.6",
    title: "6: a newly created agent holds no abilities until granted some",
    async check(context) {
      const created = await createMember(context, findResource("agents"));
      expectSame("granted_abilities", created.granted_abilities, 0);
      const client = context.bearer(textAt(created, "token"));
      for (const path of ["severities", "incidents", "forms/declare", "runbooks"]) {
        expectRefusal(await client.get(path), 403, "forbidden");
      }
    },
  },
  {
    id: "authentication.8",
    title: "8: a resource outside the token's workspace is reported as 404",
    async check(context) {
      const id = "00000000-0000-4000-8000-000000000000";
      for (const path of [`incidents/${id}/timeline`, `incidents/${id}/action_items`, `incidents/${id}/postmortem`]) {
        expectRefusal(await context.client.get(path), 404, "not_found");
      }
    },
  },
  {
    id: "authentication.8.keys",
    title:
      "8: resources belong to the workspace: an idempotency key returns the incident that another token declared with it",
    async check(context) {
      const { client } = await keyWith(context, { incidents: ["read", "create"] });
      const body = await declarationOf(context);
      const first = memberOf(await postIncident(context, body));
      const exchange = await postIncident(context, body, client);
      expectStatus(exchange, 200);
      expectSame("the incident's id", memberOf(exchange).id, first.id, exchange);
    },
  },
]);

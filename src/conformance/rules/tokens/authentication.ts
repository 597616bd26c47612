/** Rules of "Authentication". */

import type { Fields } from "../../../core/json.ts";
import { expectRefusal, expectStatus, expectThat, memberOf } from "../../expectation.ts";
import { findResource, resources } from "../../fixtures/configuration-resources.ts";
import { declaration, incident, incidentIn, made, talkedAbout } from "../../fixtures/given.ts";
import { idOf, sharedIncident } from "../../fixtures/incidents.ts";
import { createMember, write } from "../../fixtures/requests.ts";
import { forEach, rulesOf, type StepOutcome } from "../../row.ts";
import { type ConformanceRule, NotApplicable } from "../../rule.ts";
import type { Given } from "../../scope.ts";
import { textAt, unknownId } from "../../value-shape.ts";

const unauthorized: StepOutcome = { refusal: "401 unauthorized" };
const forbidden: StepOutcome = { refusal: "403 forbidden" };
const key = "{key.token}";

/** A service key that may do no more than this. */
function keyFor(permissions: Fields): Given {
  return made("api_keys", { permissions });
}

/** Every path of the document below a prefix, with a method that reads or, where there is none, would write. */
const surfaces: readonly string[] = [
  ...resources.map(({ path }) => `GET ${path}`),
  "GET incidents",
  "POST incidents",
  "PATCH incidents/{shared.id}",
  "GET incidents/{shared.id}/timeline",
  "GET incidents/{shared.id}/transcript",
  "GET incidents/{shared.id}/action_items",
  "POST incidents/{shared.id}/escalate",
  "POST incidents/{shared.id}/invite",
  "POST incidents/{shared.id}/link",
  "POST incidents/{shared.id}/shoutout",
  "POST incidents/{shared.id}/runbook_steps/claim",
  "GET incidents/{shared.id}/postmortem",
  "GET forms/declare",
  "POST routing/evaluate",
  "GET grants",
  "GET routing_rules",
];

/** The responder actions, with bodies that would be accepted. */
const responderActions: readonly (readonly [action: string, body: Fields])[] = [
  ["action_items", { description: "Call the provider" }],
  ["escalate", { member_id: "{person}", reason: "You know the queue" }],
  ["invite", { member_ids: ["{person}"] }],
  ["shoutout", { member_id: "{person}", message: "Thank you" }],
  ["link", { other_incident_id: "{shared.id}", relationship: "related" }],
];

export const authenticationRules: readonly ConformanceRule[] = rulesOf("Authentication", {
  "authentication.all": {
    title: "all endpoints require authentication",
    steps: surfaces.map((request) => ({ request, as: "nobody", ...unauthorized })),
  },
  "authentication.1.bearer": {
    title: "1: the token is a bearer token of the Authorization header, and of nothing else",
    async check(context) {
      const permissions = { severities: ["read"] };
      const token = textAt(await createMember(context, findResource("api_keys"), { permissions }), "token");
      const send = (headers: Readonly<Record<string, string>>) =>
        context.bearer(undefined).send("GET", "/api/v1/severities", headers);
      expectStatus(await send({ authorization: `Bearer ${token}` }), 200);
      for (const headers of [{ authorization: token }, { authorization: `Basic ${token}` }, { "x-api-key": token }]) {
        expectRefusal(await send(headers), 401, "unauthorized");
      }
    },
  },
  "authentication.1.json": {
    title: "1: request bodies are JSON: text that is not JSON is refused with an error object",
    async check({ client }) {
      const headers = { "content-type": "application/json" };
      const exchange = await client.send("POST", "/api/v1/severities", headers, "{name:");
      expectStatus(exchange, 400, 422);
      expectRefusal(exchange, exchange.status);
    },
  },
  "authentication.2.missing": {
    title: "2: a missing token yields 401 unauthorized",
    steps: [{ request: "GET severities", as: "nobody", ...unauthorized }],
  },
  "authentication.2.invalid": {
    title: "2: an invalid token yields 401 unauthorized",
    steps: ["ff_111111111111111111111111111111111111", "x", "ff_"].map((token) => ({
      request: "GET severities",
      as: token,
      ...unauthorized,
    })),
  },
  "authentication.2.deactivated": {
    title: "2: the token of a deleted service key yields 401 unauthorized",
    given: { key: keyFor({ severities: ["read"] }) },
    steps: [
      { request: "GET severities", as: key },
      { request: "DELETE api_keys/{key.prefix}" },
      { request: "GET severities", as: key, ...unauthorized },
    ],
  },
  "authentication.2.disabled-agent": {
    title: "2: the token of a disabled or deleted agent yields 401 unauthorized",
    given: { agent: made("agents") },
    steps: [
      { request: "PATCH agents/{agent.slug}", body: { enabled: false } },
      { request: "GET severities", as: "{agent.token}", ...unauthorized },
      { request: "DELETE agents/{agent.slug}" },
      { request: "GET severities", as: "{agent.token}", ...unauthorized },
    ],
  },
  ...forEach(
    resources.filter(({ admin }) => !admin),
    ({ id, path, address, body }) => ({
      [`authentication.3.${id}`]: {
        title: `3: a key without the permission is refused on ${path} with 403 forbidden, for reading and for writing`,
        given: { key: keyFor({ incidents: ["read"] }), made: made(id) },
        steps: [
          { request: `GET ${path}`, as: key, ...forbidden },
          { request: `POST ${path}`, as: key, body, ...forbidden },
          { request: `PATCH ${path}/{made.${address}}`, as: key, body: { name: "{new.name}" }, ...forbidden },
          { request: `DELETE ${path}/{made.${address}}`, as: key, ...forbidden },
          { request: `GET ${path}` },
        ],
      },
    }),
  ),
  "authentication.3.incidents": {
    title: "3: a key without incidents is refused on incidents with 403 forbidden",
    given: { key: keyFor({ severities: ["read"] }) },
    steps: [
      { request: "GET incidents", as: key, ...forbidden },
      { request: "POST incidents", as: key, body: {}, ...forbidden },
      { request: "PATCH incidents/{shared.id}", as: key, body: { name: "x" }, ...forbidden },
      { request: "GET incidents/{shared.id}/timeline", as: key, ...forbidden },
    ],
  },
  "authentication.3.responders": {
    title: "3: responder actions check incidents: update",
    given: {
      incident: incident(),
      key: keyFor({ incidents: ["read"] }),
      updater: keyFor({ incidents: ["read", "update"] }),
    },
    steps: responderActions.flatMap(([action, body]) => [
      { request: `POST incidents/{incident.id}/${action}`, as: key, body, ...forbidden },
      { request: `POST incidents/{incident.id}/${action}`, as: "{updater.token}", body },
    ]),
  },
  "authentication.3.postmortem": {
    title: "3: postmortem endpoints check incidents",
    given: {
      incident: incidentIn("closed"),
      key: keyFor({ severities: ["read"] }),
      reader: keyFor({ incidents: ["read"] }),
      updater: keyFor({ incidents: ["read", "update"] }),
    },
    steps: [
      { request: "GET incidents/{incident.id}/postmortem", as: key, ...forbidden },
      { request: "POST incidents/{incident.id}/postmortem", as: key, ...forbidden },
      { request: "PATCH incidents/{incident.id}/postmortem", as: key, body: { status: "in_review" }, ...forbidden },
      { request: "POST incidents/{incident.id}/postmortem", as: "{updater.token}" },
      { request: "GET incidents/{incident.id}/postmortem", as: "{reader.token}" },
      {
        request: "PATCH incidents/{incident.id}/postmortem",
        as: "{reader.token}",
        body: { status: "in_review" },
        ...forbidden,
      },
    ],
  },
  "authentication.3.dismiss": {
    title: "3: dismissing a note needs an incidents: update key",
    given: { key: keyFor({ incidents: ["read"] }) },
    steps: [
      { request: "LIST incidents/{shared.id}/timeline", keep: "events" },
      { request: "PATCH incidents/{shared.id}/timeline/{events.0.id}/dismiss", as: key, ...forbidden },
    ],
  },
  "authentication.4.ability": {
    title: "4: the transcript checks the Incident Transcripts ability, not incidents, and the 403 names it",
    given: {
      incident: talkedAbout(1),
      key: keyFor({ incidents: ["read", "update"] }),
      reader: keyFor({ incident_transcripts: ["read"] }),
    },
    steps: [
      { request: "GET incidents/{incident.id}/transcript", as: key, refusal: "403", message: /transcript/i },
      { request: "GET incidents/{incident.id}/transcript", as: "{reader.token}" },
    ],
  },
  "authentication.4.workspace": {
    title: "4: where the workspace has transcript access turned off, the 403 names the workspace's setting",
    async check(context) {
      const { switchTranscripts, client } = context;
      const path = `incidents/${idOf(await sharedIncident(context))}/transcript`;
      await switchTranscripts?.(false);
      const exchange = await client.get(path).finally(() => switchTranscripts?.(true));
      if (exchange.status === 200 && switchTranscripts === undefined) {
        throw new NotApplicable("transcript access is turned on in this workspace");
      }
      expectRefusal(exchange, 403);
      const message = textAt(exchange.body, "error", "message");
      expectThat(/workspace/i.test(message), "a message that names the workspace's setting", message, exchange);
    },
  },
  ...forEach(["agents", "api_keys"], (path) => ({
    [`authentication.5.${path}`]: {
      title: `5: /api/v1/${path} is reached by an admin's personal token and never by a service key`,
      given: { key: keyFor({ incidents: ["read", "update"], severities: ["read"] }) },
      steps: [
        { request: `GET ${path}` },
        { request: `GET ${path}`, as: key, ...forbidden },
        {
          request: `POST ${path}`,
          as: key,
          body: { name: "{new.intruder}", description: "x", slug: "{new.intruder.slug}" },
          ...forbidden,
        },
        { request: `PATCH ${path}/unknown`, as: key, body: { name: "{new.intruder}" }, ...forbidden },
        { request: `DELETE ${path}/unknown`, as: key, ...forbidden },
      ],
    },
  })),
  "authentication.5.ungrantable": {
    title: "5: the admin-only permissions cannot be granted to a service key",
    async check(context) {
      const keys = findResource("api_keys");
      // A key can be made, so a refusal below is about the permission.
      await createMember(context, keys);
      for (const permission of ["api_keys", "permissions"]) {
        const body = { name: context.name("key"), permissions: { [permission]: ["read", "create"] } };
        const exchange = await write(context, "POST", keys.path, body);
        if (exchange.status >= 300) continue;
        const client = context.bearer(textAt(memberOf(exchange), "token"));
        for (const path of ["api_keys", "agents"]) expectRefusal(await client.get(path), 403, "forbidden");
      }
    },
  },
  "authentication.5.agent": {
    title: "5: an agent cannot create another agent or widen its own access",
    given: { agent: made("agents") },
    steps: (
      [
        ["agents", { name: "{new.agent}", description: "x", slug: "{new.agent.slug}" }],
        ["agents/{agent.slug}/rotate", {}],
        ["grants", { principal_kind: "agent", principal_id: "{agent.id}", ability: "incidents.read" }],
      ] as const
    ).map(([path, body]) => ({ request: `POST ${path}`, as: "{agent.token}", body, ...forbidden })),
  },
  "authentication.6": {
    title: "6: a newly created agent holds no abilities until granted some",
    given: { agent: made("agents", {}, { granted_abilities: 0 }) },
    steps: ["severities", "incidents", "forms/declare", "runbooks"].map((path) => ({
      request: `GET ${path}`,
      as: "{agent.token}",
      ...forbidden,
    })),
  },
  "authentication.8": {
    title: "8: a resource outside the token's workspace is reported as 404",
    steps: ["timeline", "action_items", "postmortem"].map((surface) => ({
      request: `GET incidents/${unknownId}/${surface}`,
      refusal: "404 not_found",
    })),
  },
  "authentication.8.keys": {
    title:
      "8: resources belong to the workspace: an idempotency key returns the incident that another token declared with it",
    given: { key: keyFor({ incidents: ["read", "create"] }) },
    steps: [
      { request: "POST incidents", body: declaration, keep: "first" },
      { request: "POST incidents", as: key, body: declaration, status: "200", shows: { id: "{first.id}" } },
    ],
  },
});

/** Rules of "Errors": the error object, and both tables row by row. */

import { isFields } from "../../core/json.ts";
import type { Exchange } from "../client.ts";
import {
  expectRefusal,
  expectSame,
  expectShape,
  expectStatus,
  expectSuccess,
  expectThat,
  memberOf,
} from "../expectation.ts";
import { findResource } from "../fixtures/configuration-resources.ts";
import { changeField, fixtureField } from "../fixtures/forms.ts";
import {
  declarationOf,
  declare,
  declareIn,
  idOf,
  isNote,
  moveToStage,
  sharedIncident,
  timelineOf,
} from "../fixtures/incidents.ts";
import { createMember, memberPath } from "../fixtures/requests.ts";
import { type ConformanceRule, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { array, at, nonEmptyString, numberAt, objectWith, rowsAt, string, textAt, uuid } from "../value-shape.ts";
import { keyWith } from "./agents-and-keys.ts";

const unknown = "00000000-0000-4000-8000-000000000000";

/** One refusal of each class that any token can provoke. */
async function refusals(context: RuleContext): Promise<readonly Exchange[]> {
  const id = idOf(await sharedIncident(context));
  return [
    await context.bearer(undefined).get("severities"),
    await context.client.get(`incidents/${unknown}/timeline`),
    await context.client.get("no_such_thing"),
    await context.client.post("incidents", {}),
    await context.client.post("severities", { name: "" }),
    await context.client.post("incidents", await declarationOf(context, { custom_fields: { no_such_field: 1 } })),
    await context.client.post(`incidents/${id}/postmortem`),
    await context.client.patch("forms/declare", { system_field: "severity", visible: false }),
  ];
}

/** The refusal of a resolved incident's lead, and the like: each with what brought it about. */
const inactive: readonly (readonly [string, string, (context: RuleContext) => Promise<Exchange>])[] = [
  [
    "resolve",
    "resolve after cancel",
    async (context) => moveToStage(context, idOf(await declareIn(context, "canceled")), "closed"),
  ],
  [
    "cancel",
    "cancel after resolve",
    async (context) => moveToStage(context, idOf(await declareIn(context, "closed")), "canceled"),
  ],
  [
    "lead",
    "lead assignment",
    async (context) => {
      const id = idOf(await declareIn(context, "closed"));
      return context.client.patch(`incidents/${id}`, { lead_id: context.person });
    },
  ],
  [
    "duplicate",
    "duplicate link",
    async (context) => {
      const body = { other_incident_id: idOf(await declare(context)), relationship: "duplicate" };
      return context.client.post(`incidents/${idOf(await declareIn(context, "closed"))}/link`, body);
    },
  ],
];

const inactiveRows: readonly RuleDefinition[] = inactive.map(([id, words, provoke]) => ({
  id: `errors.incident_not_active.${id}`,
  title: `422 incident_not_active: the incident is over and cannot take the change (${words})`,
  async check(context: RuleContext) {
    expectRefusal(await provoke(context), 422, "incident_not_active");
  },
}));

const object: readonly RuleDefinition[] = [
  {
    id: "errors.object",
    title: "every error response is a JSON object with one key, error",
    async check(context) {
      for (const exchange of await refusals(context)) {
        expectThat(exchange.status >= 400, "a refusal", exchange.status, exchange);
        const keys = isFields(exchange.body) ? Object.keys(exchange.body) : [];
        expectSame("the keys of the body", keys, ["error"], exchange);
      }
    },
  },
  {
    id: "errors.fields",
    title: "error holds type, message and request_id",
    async check(context) {
      const shape = objectWith({ type: nonEmptyString, message: nonEmptyString, request_id: uuid });
      for (const exchange of await refusals(context)) expectShape("error", at(exchange.body, "error"), shape, exchange);
    },
  },
  {
    id: "errors.type",
    title: "type is a machine-readable class: lower-case words joined by underscores",
    async check(context) {
      for (const exchange of await refusals(context)) {
        const type = textAt(exchange.body, "error", "type");
        expectThat(/^[a-z]+(_[a-z]+)*$/.test(type), "a machine-readable type", type, exchange);
      }
    },
  },
  {
    id: "errors.request_id",
    title: "request_id identifies the request: no two are the same",
    async check(context) {
      const ids = (await refusals(context)).map((exchange) => textAt(exchange.body, "error", "request_id"));
      expectSame("the number of request ids", new Set(ids).size, ids.length);
    },
  },
  {
    id: "errors.errors",
    title: "errors is an array of { field, message }, one per failing field",
    async check(context) {
      const body = await declarationOf(context, { custom_fields: { no_such_field: 1, nor_this_one: 2 } });
      const exchange = await context.client.post("incidents", body);
      expectRefusal(exchange, 422, "validation_error");
      expectShape("error.errors", at(exchange.body, "error", "errors"), array, exchange);
      const errors = rowsAt(exchange.body, "error", "errors");
      expectSame("the number of errors", errors.length, 2, exchange);
      for (const error of errors)
        expectShape("an entry", error, objectWith({ field: string, message: nonEmptyString }), exchange);
    },
  },
  {
    id: "errors.errors.only",
    title: "errors is present only on validation errors",
    async check(context) {
      for (const exchange of await refusals(context)) {
        if (textAt(exchange.body, "error", "type") === "validation_error") continue;
        expectSame("error.errors", at(exchange.body, "error", "errors"), undefined, exchange);
      }
    },
  },
];

const table: readonly RuleDefinition[] = [
  {
    id: "errors.400",
    title: "400 bad_request: a required parameter is missing",
    async check(context) {
      const { idempotency_key: _key, ...body } = await declarationOf(context);
      expectRefusal(await context.client.post("incidents", body), 400, "bad_request");
    },
  },
  {
    id: "errors.401",
    title: "401 unauthorized: token missing or invalid",
    async check(context) {
      expectRefusal(await context.bearer(undefined).get("incidents"), 401, "unauthorized");
      expectRefusal(await context.bearer("ff_nothing").get("incidents"), 401, "unauthorized");
    },
  },
  {
    id: "errors.403",
    title: "403 forbidden: the token lacks the permission the endpoint checks",
    async check(context) {
      const { client } = await keyWith(context, { severities: ["read"] });
      expectRefusal(await client.get("statuses"), 403, "forbidden");
      expectRefusal(await client.post("severities", { name: context.name("x") }), 403, "forbidden");
    },
  },
  {
    id: "errors.404.resource",
    title: "404 not_found: the resource does not exist in the workspace",
    async check(context) {
      expectRefusal(await context.client.patch("severities/no_such_severity", { name: "x" }), 404, "not_found");
      expectRefusal(await context.client.get(`incidents/${unknown}/timeline`), 404, "not_found");
    },
  },
  {
    id: "errors.404.person",
    title: "404 not_found: a named person matches nobody",
    async check(context) {
      const path = `incidents/${idOf(await declare(context))}/escalate`;
      const body = { member_id: "nobody@conformance.invalid", reason: "x" };
      expectRefusal(await context.client.post(path, body), 404, "not_found");
    },
  },
  {
    id: "errors.422",
    title: "422 validation_error: the request is well-formed but the data is invalid",
    async check(context) {
      const created = await createMember(context, findResource("severities"));
      const exchange = await context.client.patch(memberPath(findResource("severities"), created), { name: "" });
      expectRefusal(exchange, 422, "validation_error");
    },
  },
  ...inactiveRows,
];

const others: readonly RuleDefinition[] = [
  {
    id: "errors.other.referenced",
    title: "422: deleting a configuration entry that is still referenced; the message states the count",
    async check(context) {
      const kind = findResource("incident_types");
      const created = await createMember(context, kind);
      for (let count = 0; count < 3; count += 1) await declare(context, { incident_type_id: idOf(created) });
      const exchange = await context.client.delete(memberPath(kind, created));
      expectRefusal(exchange, 422);
      const message = textAt(exchange.body, "error", "message").replaceAll(textAt(created, "name"), "");
      expectThat(/\b3\b/.test(message), "a message with the count, 3", message, exchange);
    },
  },
  {
    id: "errors.other.not-a-note",
    title: "422: dismissing a timeline item that is not a note",
    async check(context) {
      const id = idOf(await sharedIncident(context));
      const event = (await timelineOf(context, id)).find((each) => !isNote(each)) ?? {};
      expectRefusal(await context.client.patch(`incidents/${id}/timeline/${idOf(event)}/dismiss`), 422);
    },
  },
  {
    id: "errors.other.lead-null",
    title: "422: sending lead_id as null on an incident that has a lead",
    async check(context) {
      const path = `incidents/${idOf(await declare(context))}`;
      expectStatus(await context.client.patch(path, { lead_id: context.person }), 200);
      expectRefusal(await context.client.patch(path, { lead_id: null }), 422);
    },
  },
  {
    id: "errors.other.postmortem",
    title: "422: postmortem creation while the incident is open, canceled, or already has one",
    async check(context) {
      const path = async (stage: "active" | "canceled" | "closed") =>
        `incidents/${idOf(await declareIn(context, stage))}/postmortem`;
      expectRefusal(await context.client.post(await path("active")), 422);
      expectRefusal(await context.client.post(await path("canceled")), 422);
      const third = await path("closed");
      expectSuccess(await context.client.post(third));
      expectRefusal(await context.client.post(third), 422);
    },
  },
  {
    id: "errors.other.versionless",
    title: "422: postmortem body sent without version",
    async check(context) {
      const path = `incidents/${idOf(await declareIn(context, "closed"))}/postmortem`;
      expectSuccess(await context.client.post(path));
      expectRefusal(await context.client.patch(path, { html: "<p>x</p>" }), 422);
    },
  },
  {
    id: "errors.other.stale",
    title: "409: postmortem body sent with a stale version",
    async check(context) {
      const path = `incidents/${idOf(await declareIn(context, "closed"))}/postmortem`;
      const version = numberAt(memberOf(await context.client.post(path)), "version");
      expectSuccess(await context.client.patch(path, { html: "<p>1</p>", version }));
      expectRefusal(await context.client.patch(path, { html: "<p>2</p>", version }), 409);
    },
  },
  {
    id: "errors.other.locked",
    title: "422: hiding or making optional the Severity or Status field on a form",
    async check(context) {
      for (const change of [{ visible: false }, { required: false }]) {
        expectRefusal(await context.client.patch("forms/update", { system_field: "severity", ...change }), 422);
        expectRefusal(await context.client.patch("forms/update", { system_field: "status", ...change }), 422);
      }
    },
  },
];

const wire: readonly RuleDefinition[] = [
  {
    id: "errors.wire.404",
    basis: "wire",
    title: 'the message of a 404 is the constant sentence "Resource not found"',
    async check(context) {
      const exchange = await context.client.patch("severities/no_such_severity", { name: "x" });
      expectSame("error.message", at(exchange.body, "error", "message"), "Resource not found", exchange);
    },
  },
  {
    id: "errors.wire.referenced",
    basis: "wire",
    title: "a refused deletion says how many use the entry, that it cannot be deleted, and to disable it instead",
    async check(context) {
      const field = await fixtureField(context, "text");
      await changeField(context, "declare", field, { visible: true });
      const exchange = await context.client.delete(memberPath(findResource("custom_fields"), field));
      expectRefusal(exchange, 422, "validation_error");
      const message = textAt(exchange.body, "error", "message");
      expectThat(
        /is in use by \d+ .+ and cannot be deleted\. Disable it instead\./.test(message),
        "the sentence",
        message,
        exchange,
      );
    },
  },
];

/** The rules of errors. */
export const errorRules: readonly ConformanceRule[] = rulesOf("Errors", [...object, ...table, ...others, ...wire]);

/** Rules of "Errors": the error object, and both tables row by row. */

import { isFields } from "../../../core/json.ts";
import type { Exchange } from "../../client.ts";
import { expectSame, expectShape, expectThat } from "../../expectation.ts";
import {
  declaration,
  declarationWithout,
  fieldOnForm,
  incident,
  incidentIn,
  made,
  posted,
} from "../../fixtures/given.ts";
import { declarationOf, idOf, sharedIncident } from "../../fixtures/incidents.ts";
import { alsoStated, type Rules, rulesOf, type Story } from "../../row.ts";
import type { ConformanceRule, RuleContext } from "../../rule.ts";
import { at, nonEmptyString, objectWith, string, textAt, unknownId, uuid } from "../../value-shape.ts";
import { lifecycleRules } from "../incidents/lifecycle.ts";
import { postmortemRules } from "../incidents/postmortem.ts";
import { responderRules } from "../incidents/responders.ts";
import { timelineRules } from "../incidents/timeline.ts";

/** One refusal of each class that any token can provoke. */
async function refusals(context: RuleContext): Promise<readonly Exchange[]> {
  const { client } = context;
  return [
    await context.bearer(undefined).get("severities"),
    await client.get(`incidents/${unknownId}/timeline`),
    await client.get("no_such_thing"),
    await client.post("incidents", {}),
    await client.post("severities", { name: "" }),
    await client.post("incidents", await declarationOf(context, { custom_fields: { no_such_field: 1 } })),
    await client.post(`incidents/${idOf(await sharedIncident(context))}/postmortem`),
    await client.patch("forms/declare", { system_field: "severity", visible: false }),
  ];
}

/** Each of the refusals is as expected. */
function eachRefusal(title: string, expect: (exchange: Exchange) => void): Story {
  return {
    title,
    async check(context) {
      for (const exchange of await refusals(context)) {
        expectThat(exchange.status >= 400, "a refusal", exchange.status, exchange);
        expect(exchange);
      }
    },
  };
}

const errorShape = objectWith({ type: nonEmptyString, message: nonEmptyString, request_id: uuid });

const object: Rules = {
  "errors.object": eachRefusal("every error response is a JSON object with one key, error", (exchange) =>
    expectSame("the keys", isFields(exchange.body) ? Object.keys(exchange.body) : [], ["error"], exchange),
  ),
  "errors.fields": eachRefusal("error holds type, message and request_id", (exchange) =>
    expectShape("error", at(exchange.body, "error"), errorShape, exchange),
  ),
  "errors.type": eachRefusal("type is a machine-readable class: lower-case words joined by underscores", (exchange) => {
    const type = textAt(exchange.body, "error", "type");
    expectThat(/^[a-z]+(_[a-z]+)*$/.test(type), "a machine-readable type", type, exchange);
  }),
  "errors.request_id": {
    title: "request_id identifies the request: no two are the same",
    async check(context) {
      const ids = (await refusals(context)).map((exchange) => textAt(exchange.body, "error", "request_id"));
      expectSame("the number of request ids", new Set(ids).size, ids.length);
    },
  },
  "errors.errors": {
    title: "errors is an array of { field, message }, one per failing field",
    steps: [
      {
        request: "POST incidents",
        body: { ...declaration, custom_fields: { no_such_field: 1, nor_this_one: 2 } },
        refusal: "422 validation_error",
        shows: { error: { errors: Array(2).fill({ field: string, message: nonEmptyString }) } },
      },
    ],
  },
  "errors.errors.only": eachRefusal("errors is present only on validation errors", (exchange) => {
    if (textAt(exchange.body, "error", "type") === "validation_error") return;
    expectSame("error.errors", at(exchange.body, "error", "errors"), undefined, exchange);
  }),
};

function inactive(words: string, rule: string): Story {
  const title = `422 incident_not_active: the incident is over and cannot take the change (${words})`;
  return alsoStated(title, lifecycleRules, rule);
}

const table: Rules = {
  "errors.400": {
    title: "400 bad_request: a required parameter is missing",
    steps: Object.keys(declaration).map((name) => ({
      request: "POST incidents",
      body: declarationWithout(name),
      refusal: "400 bad_request",
    })),
  },
  "errors.401": {
    title: "401 unauthorized: token missing or invalid",
    steps: ["nobody", "ff_nothing"].map((as) => ({ request: "GET incidents", as, refusal: "401 unauthorized" })),
  },
  "errors.403": {
    title: "403 forbidden: the token lacks the permission the endpoint checks",
    given: { key: made("api_keys", { permissions: { severities: ["read"] } }) },
    steps: [
      { request: "GET statuses", as: "{key.token}", refusal: "403 forbidden" },
      { request: "POST severities", as: "{key.token}", body: { name: "{new.x}" }, refusal: "403 forbidden" },
    ],
  },
  "errors.404.resource": {
    title: "404 not_found: the resource does not exist in the workspace",
    steps: [
      { request: "PATCH severities/no_such_severity", body: { name: "x" }, refusal: "404 not_found" },
      { request: `GET incidents/${unknownId}/timeline`, refusal: "404 not_found" },
    ],
  },
  "errors.404.person": alsoStated(
    "404 not_found: a named person matches nobody",
    responderRules,
    "responders.escalate.nobody",
  ),
  "errors.422": {
    title: "422 validation_error: the request is well-formed but the data is invalid",
    given: { made: made("severities") },
    steps: [{ request: "PATCH severities/{made.slug}", body: { name: "" }, refusal: "422 validation_error" }],
  },
  "errors.incident_not_active.resolve": inactive("resolve after cancel", "lifecycle.canceled.resolve"),
  "errors.incident_not_active.cancel": inactive("cancel after resolve", "lifecycle.resolved.cancel"),
  "errors.incident_not_active.lead": inactive("lead assignment", "lifecycle.lead.refused.closed"),
  "errors.incident_not_active.duplicate": inactive("duplicate link", "lifecycle.duplicate.refused.closed"),
};

const others: Rules = {
  "errors.other.referenced": {
    title: "422: deleting a configuration entry that is still referenced; the message states the count",
    given: {
      made: made("incident_types"),
      ...Object.fromEntries(["one", "two", "three"].map((word) => [word, incident({ incident_type_id: "{made.id}" })])),
    },
    steps: [{ request: "DELETE incident_types/{made.slug}", refusal: "422", message: /\b3\b/ }],
  },
  "errors.other.not-a-note": alsoStated(
    "422: dismissing a timeline item that is not a note",
    timelineRules,
    "notes.refused",
  ),
  "errors.other.lead-null": alsoStated(
    "422: sending lead_id as null on an incident that has a lead",
    lifecycleRules,
    "lifecycle.lead.null",
  ),
  "errors.other.postmortem": {
    title: "422: postmortem creation while the incident is open, canceled, or already has one",
    given: {
      open: incident(),
      canceled: incidentIn("canceled"),
      incident: incidentIn("closed"),
      made: posted("incidents/{incident.id}/postmortem"),
    },
    steps: ["open", "canceled", "incident"].map((name) => ({
      request: `POST incidents/{${name}.id}/postmortem`,
      refusal: "422",
    })),
  },
  "errors.other.versionless": alsoStated("422: postmortem body sent without version", postmortemRules, "postmortem.4"),
  "errors.other.stale": alsoStated(
    "409: postmortem body sent with a stale version",
    postmortemRules,
    "postmortem.3.stale",
  ),
  "errors.other.locked": {
    title: "422: hiding or making optional the Severity or Status field on a form",
    steps: ["severity", "status"].flatMap((system_field) =>
      ["visible", "required"].map((flag) => ({
        request: "PATCH forms/update",
        body: { system_field, [flag]: false },
        refusal: "422",
      })),
    ),
  },
};

const wire: Rules = {
  "errors.wire.404": {
    basis: "wire",
    title: 'the message of a 404 is the constant sentence "Resource not found"',
    steps: [
      {
        request: "PATCH severities/no_such_severity",
        body: { name: "x" },
        refusal: "404",
        shows: { error: { message: "Resource not found" } },
      },
    ],
  },
  "errors.wire.referenced": {
    basis: "wire",
    title: "a refused deletion says how many use the entry, that it cannot be deleted, and to disable it instead",
    given: {
      field: fieldOnForm("text"),
      made: made("severities"),
      incident: incident({ severity_id: "{made.id}" }),
    },
    steps: ["custom_fields/{field.slug}", "severities/{made.slug}"].map((path) => ({
      request: `DELETE ${path}`,
      refusal: "422 validation_error",
      message: /is in use by \d+ .+ and cannot be deleted\. Disable it instead\./,
    })),
  },
};

export const errorRules: readonly ConformanceRule[] = rulesOf("Errors", { ...object, ...table, ...others, ...wire });

/** Rules of the endpoints table "Incidents": declaring once per key, listing with filters, changing any combination. */

import type { Fields } from "../../../core/json.ts";
import { expectSame, expectStatus, expectThat, incidentOf } from "../../expectation.ts";
import { all, column, type Expected, every, noRow, row } from "../../expected.ts";
import { declaration, declarationWithout, incident, incidentIn, made } from "../../fixtures/given.ts";
import { declarationOf, idOf, stages } from "../../fixtures/incidents.ts";
import { write } from "../../fixtures/requests.ts";
import { forEach, type RowStep, type Rules, rulesOf, type StepOutcome } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import { absent, array, object, unknownId } from "../../value-shape.ts";

const day = 24 * 60 * 60 * 1000;

/** A declaration with these fields too. The key is the same in each step of a row. */
function declared(status: string, fields: Fields = {}, shows: Expected = {}): RowStep {
  return { request: "POST incidents", body: { ...declaration, ...fields }, status, shows };
}

function listed(query: string, shows: Expected): RowStep {
  return { request: `LIST incidents?${query}per_page=100`, shows };
}

function changed(body: Fields, rest: StepOutcome = {}, name = "incident"): RowStep {
  return { request: `PATCH incidents/{${name}.id}`, body, ...rest };
}

const creation: Rules = {
  "incidents.post.created": {
    title: "POST returns 201 with { incident } for a first key",
    steps: [declared("201", {}, { incident: object })],
  },
  "incidents.post.repeated": {
    title: "POST returns 200 with the original incident for a repeated key",
    steps: [{ ...declared("201"), keep: "first" }, declared("200", {}, { incident: { id: "{first.id}" } })],
  },
  "incidents.post.original": {
    title: "a repeated key with another body changes nothing: the original comes back",
    steps: [
      { ...declared("201"), keep: "first" },
      declared("200", { name: "{new.other}" }, { id: "{first.id}", name: "{first.name}" }),
    ],
  },
  "incidents.post.repeated.invalid": {
    title: "a repeated key with values that are invalid today returns 200 with the original incident",
    steps: [
      { ...declared("201"), keep: "first" },
      declared("200", { custom_fields: { no_such_field: "x" } }, { id: "{first.id}" }),
    ],
  },
  "incidents.post.key.whole": {
    title:
      "keys that differ are different keys, even after the character U+0000: each is refused or creates an incident",
    steps: ["\0a", "\0b", ""].map((end) => declared("201, 400 or 422", { idempotency_key: `{new.key}${end}` })),
  },
  "incidents.post.concurrent": {
    title: "a key sent many times at once creates one incident, with one 201",
    async check(context) {
      const body = await declarationOf(context);
      const exchanges = await Promise.all(Array.from({ length: 6 }, () => write(context, "POST", "incidents", body)));
      const ids = new Set(exchanges.map((exchange) => idOf(incidentOf(exchange))));
      expectSame("the number of incidents", ids.size, 1);
      expectSame("the number of 201 responses", exchanges.filter((exchange) => exchange.status === 201).length, 1);
    },
  },
  "incidents.post.key.required": {
    title: "idempotency_key is required",
    steps: [{ request: "POST incidents", body: declarationWithout("idempotency_key"), refusal: "400 or 422" }],
  },
  "incidents.post.expired": {
    title: "after 24 hours the same key creates a new incident; before, it does not",
    async check(context) {
      const advance = context.advanceClock;
      const body = await declarationOf(context);
      const post = () => write(context, "POST", "incidents", body);
      const first = incidentOf(await post());
      advance(day - 60_000);
      const within = await post();
      expectStatus(within, 200);
      expectSame("the incident within 24 hours", incidentOf(within).id, first.id, within);
      advance(2 * 60_000);
      const after = await post();
      expectStatus(after, 201);
      expectThat(incidentOf(after).id !== first.id, "another incident", incidentOf(after).id, after);
    },
  },
  "incidents.post.full": {
    title: "POST takes every field of the table at once",
    given: { type: made("incident_types") },
    steps: [
      declared(
        "201",
        {
          summary: "All of it",
          visibility: "private",
          source: "suite",
          status_id: "{status.triage.id}",
          incident_type_id: "{type.id}",
          custom_fields: {},
        },
        {
          summary: "All of it",
          visibility: "private",
          source: "suite",
          status: { id: "{status.triage.id}" },
          type: { id: "{type.id}" },
        },
      ),
    ],
  },
  "incidents.post.references": {
    title: "IDs that name no severity, status or type are refused, and nothing is created",
    steps: ["severity_id", "status_id", "incident_type_id"].flatMap((input) => [
      declared("404 or 422", { idempotency_key: `{new.${input}}`, [input]: unknownId }),
      declared("201", { idempotency_key: `{new.${input}}` }),
    ]),
  },
  "incidents.post.ids": {
    title: "the IDs for severity_id and status_id come from the severity and status listings",
    steps: [
      declared(
        "201",
        { severity_id: "{severity.id}", status_id: "{status.active.id}" },
        { severity: { id: "{severity.id}" }, status: { id: "{status.active.id}" } },
      ),
    ],
  },
};

const listing: Rules = {
  "incidents.list": {
    title: "GET returns a list of incidents plus pagination",
    given: { made: incident() },
    steps: [
      { request: "GET incidents", shows: { incidents: array, pagination: object } },
      listed("", row({ id: "{made.id}" })),
    ],
  },
  "incidents.list.order": {
    basis: "wire",
    title: "the newest incident comes first",
    given: { first: incident(), second: incident() },
    steps: [
      { request: "GET incidents?per_page=2", shows: { incidents: [{ id: "{second.id}" }, { id: "{first.id}" }] } },
    ],
  },
  "incidents.list.severity_id": {
    title: "the list takes severity_id: those incidents and no others",
    given: { made: made("severities"), inside: incident({ severity_id: "{made.id}" }), outside: incident() },
    steps: [
      listed("severity_id={made.id}&", column("id", ["{inside.id}"])),
      changed({ severity_id: "{severity.id}" }, {}, "inside"),
    ],
  },
  "incidents.list.status_id": {
    title: "the list takes status_id: those incidents and no others",
    given: { made: made("statuses"), inside: incident({ status_id: "{made.id}" }), outside: incident() },
    steps: [
      listed("status_id={made.id}&", column("id", ["{inside.id}"])),
      changed({ status_id: "{status.canceled.id}" }, {}, "inside"),
    ],
  },
  ...forEach(stages, (stage) => ({
    [`incidents.list.lifecycle_stage.${stage}`]: {
      title: `the list takes lifecycle_stage=${stage}: those incidents and no others`,
      given: { inside: incidentIn(stage), outside: incidentIn(stage === "active" ? "canceled" : "active") },
      steps: [
        listed(
          `lifecycle_stage=${stage}&`,
          all(row({ id: "{inside.id}" }), noRow({ id: "{outside.id}" }), every({ status: { lifecycle_stage: stage } })),
        ),
      ],
    },
  })),
  "incidents.list.both": {
    title: "filters of the list hold together",
    given: {
      made: made("severities"),
      open: incidentIn("active", { severity_id: "{made.id}" }),
      over: incidentIn("canceled", { severity_id: "{made.id}" }),
    },
    steps: [
      listed("severity_id={made.id}&lifecycle_stage=canceled&", column("id", ["{over.id}"])),
      ...["open", "over"].map((name) => changed({ severity_id: "{severity.id}" }, {}, name)),
    ],
  },
};

const changing: Rules = {
  ...forEach(["name", "summary"], (name) => ({
    [`incidents.patch.${name}`]: {
      title: `PATCH changes ${name} and returns 200 with { incident }`,
      steps: [
        changed({ [name]: "{new.changed}" }, { status: "200", shows: { incident: { [name]: "{new.changed}" } } }),
        { request: "READ incidents/{incident.id}", shows: { [name]: "{new.changed}" } },
      ],
    },
  })),
  "incidents.patch.combination": {
    title: "PATCH takes any combination, applied as a single change",
    given: { type: made("incident_types") },
    steps: [
      changed(
        {
          name: "{new.renamed}",
          summary: "All at once",
          status_id: "{status.triage.id}",
          incident_type_id: "{type.id}",
          lead_id: "{person}",
        },
        {
          status: "200",
          shows: {
            name: "{new.renamed}",
            summary: "All at once",
            status: { id: "{status.triage.id}" },
            type: { id: "{type.id}" },
            lead: object,
          },
        },
      ),
    ],
  },
  "incidents.patch.single": {
    title: "all fields in one PATCH are applied as a single change: one refused field leaves the others unchanged",
    steps: [
      changed({ name: "{new.renamed}", severity_id: unknownId }, { status: "404 or 422" }),
      { request: "READ incidents/{incident.id}", shows: { name: "{incident.name}" } },
    ],
  },
  "incidents.patch.others": {
    title: "PATCH leaves what is not sent as it was",
    given: { incident: incident({ summary: "Stays", visibility: "private" }) },
    steps: [
      changed(
        { name: "{new.renamed}" },
        {
          shows: Object.fromEntries(
            ["identifier", "summary", "status", "severity", "visibility", "source", "declared_at"].map((name) => [
              name,
              `{incident.${name}}`,
            ]),
          ),
        },
      ),
    ],
  },
  "incidents.patch.unknown": {
    title: "PATCH of an incident that does not exist returns 404",
    steps: [{ request: `PATCH incidents/${unknownId}`, body: { name: "x" }, refusal: "404 not_found" }],
  },
  "incidents.get": {
    basis: "wire",
    title: "GET of one incident returns { incident }",
    given: { made: incident() },
    steps: [{ request: "GET incidents/{made.id}", shows: { incident: { identifier: "{made.identifier}" } } }],
  },
  "incidents.list.unknown-stage": {
    basis: "wire",
    title: "an unknown lifecycle_stage returns 404",
    steps: [
      {
        request: "GET incidents?lifecycle_stage=paused",
        refusal: "404 not_found",
        shows: { error: object, pagination: absent },
      },
    ],
  },
};

/** The rules of declaring, listing and changing incidents. */
export const incidentEndpointRules: readonly ConformanceRule[] = rulesOf("Endpoints: Incidents", {
  ...creation,
  ...listing,
  ...changing,
});

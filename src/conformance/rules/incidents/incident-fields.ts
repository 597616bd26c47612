/** Rules of the table "Incident": one per row, and the inputs named under it. */

import type { Fields } from "../../../core/json.ts";
import { expectInvalid, expectSame, expectShape, expectThat, incidentOf } from "../../expectation.ts";
import { type Expected, exactly, keptMembers, not, row } from "../../expected.ts";
import { declaration, declarationWithout, made } from "../../fixtures/given.ts";
import { declarationOf, declare, idOf, sharedIncident, stages } from "../../fixtures/incidents.ts";
import { write } from "../../fixtures/requests.ts";
import { forEach, type Row, type RowStep, rulesOf } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import {
  integer,
  nonEmptyString,
  nullValue,
  object,
  objectWith,
  oneOf,
  orNull,
  string,
  stringLike,
  textAt,
  timestamp,
  uuid,
  type ValueShape,
} from "../../value-shape.ts";

const fields: Readonly<Record<string, ValueShape>> = {
  id: uuid,
  identifier: stringLike("of the form INC-<number>", /^INC-\d+$/),
  name: nonEmptyString,
  summary: orNull(string),
  status: objectWith({ id: uuid, name: nonEmptyString, lifecycle_stage: oneOf(...stages) }),
  severity: objectWith({ id: uuid, name: nonEmptyString, rank: integer }),
  source: string,
  declared_by: orNull(object),
  declared_at: timestamp,
  detected_at: orNull(timestamp),
  created_at: timestamp,
  updated_at: timestamp,
  custom_fields: object,
  visibility: oneOf("public", "private"),
};

/** The fields of the table that no write moves by itself. */
const unmoved = [...Object.keys(fields).filter((name) => name !== "updated_at"), "type", "lead", "resolved_at"];

/** A declaration with these fields too, and what it shows. */
function declared(given: Fields, shows: Expected = given): RowStep {
  return { request: "POST incidents", body: { ...declaration, ...given }, shows };
}

function changed(body: Fields, shows: Expected): RowStep {
  return { request: "PATCH incidents/{incident.id}", body, shows };
}

/** A creation keeps this value of the field. */
function kept(title: string, name: string, value: string): Row {
  return { title, steps: [declared({ [name]: value })] };
}

function required(name: string): Row {
  const steps = [{ request: "POST incidents", body: declarationWithout(name), refusal: "400 or 422" }];
  return { title: `${name} is required on creation`, steps };
}

/** The field of an incident that was only declared is null. */
function isNull(title: string, name: string): Row {
  return { title, steps: [{ request: "READ incidents/{shared.id}", shows: { [name]: nullValue } }] };
}

/** The rules of the incident's table. */
export const incidentRules: readonly ConformanceRule[] = rulesOf("Incident", {
  ...forEach(Object.entries(fields), ([name, shape]) => ({
    [`incident.field.${name}`]: {
      title: `an incident's ${name} is ${shape.description}`,
      check: async (context) => expectShape(`incident.${name}`, (await sharedIncident(context))[name], shape),
    },
  })),
  "incident.shown": {
    title: "a creation, a change and the list show every field of an incident as the incident itself has it",
    steps: [
      { ...declared({}, { ...fields, type: nullValue, lead: nullValue, resolved_at: nullValue }), keep: "made" },
      { request: "READ incidents/{made.id}", shows: keptMembers("made", unmoved), keep: "read" },
      {
        request: "LIST incidents?per_page=100",
        shows: row({ id: "{made.id}" }, keptMembers("read", ["updated_at", ...unmoved])),
      },
      {
        request: "PATCH incidents/{made.id}",
        body: { name: "{new.renamed}" },
        shows: keptMembers(
          "read",
          unmoved.filter((name) => name !== "name"),
        ),
      },
    ],
  },
  "incident.identifier.unique": {
    title: "two incidents never share an identifier",
    steps: [declared({}, { identifier: not("{incident.identifier}") })],
  },
  "incident.name.required": required("name"),
  "incident.summary.optional": kept("summary is optional, and kept when sent", "summary", "Checkout is slow"),
  "incident.severity.required": required("severity_id"),
  "incident.severity.given": {
    title: "severity is the entry severity_id names",
    given: { made: made("severities") },
    steps: ["severity", "made"].map((entry) =>
      declared(
        { severity_id: `{${entry}.id}`, idempotency_key: `{new.${entry}}` },
        { severity: { id: `{${entry}.id}`, name: `{${entry}.name}`, rank: `{${entry}.rank}` } },
      ),
    ),
  },
  "incident.status.given": {
    title: "status is the entry status_id names",
    steps: [declared({ status_id: "{status.triage.id}" }, { status: { id: "{status.triage.id}" } })],
  },
  "incident.type.null": isNull("type is null when no incident type is set", "type"),
  "incident.type.object": {
    title: "type is an object when incident_type_id was sent",
    steps: [declared({ incident_type_id: "{type.id}" }, { type: object })],
  },
  "incident.type.shape": {
    basis: "wire",
    title: "type is { id, name, slug }",
    given: { made: made("incident_types") },
    steps: [
      declared(
        { incident_type_id: "{made.id}" },
        { type: exactly({ id: "{made.id}", name: "{made.name}", slug: "{made.slug}" }) },
      ),
    ],
  },
  "incident.lead.null": isNull("lead is null when no lead is assigned", "lead"),
  "incident.lead.object": {
    title: "lead is an object once a lead is assigned",
    steps: [changed({ lead_id: "{person}" }, { lead: object })],
  },
  "incident.lead.shape": {
    basis: "wire",
    title: "lead is { id, type, name, email } of a user",
    steps: [
      changed(
        { lead_id: "{person}" },
        { lead: { id: nonEmptyString, type: "user", name: nonEmptyString, email: "{person}" } },
      ),
    ],
  },
  "incident.source.free": kept(
    "source is free text, kept as it was sent",
    "source",
    "night watch: 2nd floor / dashboard №7",
  ),
  "incident.declared_by_id": {
    title: "declared_by_id, a member ID, says on creation who declared the incident",
    steps: [declared({ declared_by_id: "{memberId}" }, { declared_by: { id: "{memberId}" } })],
  },
  "incident.resolved_at.open": isNull("resolved_at is null while the incident is open", "resolved_at"),
  "incident.resolved_at.resolved": {
    title: "resolved_at is set when the incident is resolved",
    steps: [changed({ status_id: "{status.closed.id}" }, { resolved_at: timestamp })],
  },
  "incident.resolved_at.declared": {
    title: "an incident declared with a closed-stage status is resolved, and resolved_at is set",
    steps: [
      declared({ status_id: "{status.closed.id}" }, { status: { lifecycle_stage: "closed" }, resolved_at: timestamp }),
    ],
  },
  "incident.name.whole": {
    title: "a name is kept whole or refused, even with the character U+0000",
    async check(context) {
      const name = `${context.name("left")}\0right`;
      const exchange = await write(context, "POST", "incidents", await declarationOf(context, { name }));
      if (exchange.status < 300) expectSame("incident.name", incidentOf(exchange).name, name, exchange);
      else expectInvalid(exchange);
    },
  },
  "incident.updated_at": {
    title: "updated_at moves when the incident is changed, created_at does not",
    async check(context) {
      const before = await declare(context);
      await new Promise((resolve) => setTimeout(resolve, 15));
      const exchange = await context.client.patch(`incidents/${idOf(before)}`, { name: context.name("renamed") });
      const after = incidentOf(exchange);
      expectSame("created_at", after.created_at, before.created_at, exchange);
      const [was = 0, is = 0] = [before, after].map((incident) => Date.parse(textAt(incident, "updated_at")));
      expectThat(is >= was, "updated_at not to go back", after.updated_at, exchange);
    },
  },
  "incident.visibility.private": kept("visibility may be private", "visibility", "private"),
  "incident.visibility.public": kept("visibility may be public", "visibility", "public"),
  "incident.visibility.other": {
    title: "visibility is nothing else than public or private",
    steps: [
      { request: "POST incidents", body: { ...declaration, visibility: "secret" }, refusal: "422 validation_error" },
    ],
  },
  "incident.severity_id.update": {
    title: "severity_id is an input of updates too",
    given: { made: made("severities") },
    steps: [changed({ severity_id: "{made.id}" }, { severity: { id: "{made.id}" } })],
  },
  "incident.incident_type_id.update": {
    title: "incident_type_id is an input of updates too",
    steps: [changed({ incident_type_id: "{type.id}" }, { type: { id: "{type.id}" } })],
  },
});

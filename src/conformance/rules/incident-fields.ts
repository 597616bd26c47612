/** Rules of the table "Incident": one per row, and the inputs named under it. */

import { expectInvalid, expectRefusal, expectSame, expectShape, expectThat, incidentOf } from "../expectation.ts";
import { createMember, findResource, listMembers } from "../fixtures/configuration-resources.ts";
import {
  declaration,
  declare,
  declareIn,
  idOf,
  postIncident,
  sharedIncident,
  statusIn,
} from "../fixtures/incidents.ts";
import { type ConformanceRule, NotApplicable, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import {
  at,
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
} from "../value-shape.ts";

const stage = oneOf("triage", "active", "closed", "canceled");

const fields: readonly (readonly [string, ValueShape])[] = [
  ["id", uuid],
  ["identifier", stringLike("of the form INC-<number>", /^INC-\d+$/)],
  ["name", nonEmptyString],
  ["summary", orNull(string)],
  ["status", objectWith({ id: uuid, name: nonEmptyString, lifecycle_stage: stage })],
  ["severity", objectWith({ id: uuid, name: nonEmptyString, rank: integer })],
  ["source", string],
  ["declared_by", orNull(object)],
  ["declared_at", timestamp],
  ["detected_at", orNull(timestamp)],
  ["created_at", timestamp],
  ["updated_at", timestamp],
  ["custom_fields", object],
  ["visibility", oneOf("public", "private")],
];

const rows: readonly RuleDefinition[] = fields.map(([name, shape]) => ({
  id: `incident.field.${name}`,
  title: `an incident's ${name} is ${shape.description}`,
  async check(context: RuleContext) {
    const incident = await sharedIncident(context);
    expectShape(`incident.${name}`, incident[name], shape);
  },
}));

/** Throws unless an incident declared with this value of a field has it. */
async function expectKept(context: RuleContext, name: string, value: string): Promise<void> {
  const incident = await declare(context, { [name]: value });
  expectSame(`incident.${name}`, incident[name], value);
}

/** Throws unless a declaration without the field is refused. */
async function expectRequired(context: RuleContext, name: string): Promise<void> {
  const body = await declaration(context);
  const rest = Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
  expectInvalid(await postIncident(context, rest));
}

/** The rules of the incident's table. */
export const incidentRules: readonly ConformanceRule[] = rulesOf("Incident", [
  ...rows,
  {
    id: "incident.identifier.unique",
    title: "two incidents never share an identifier",
    async check(context) {
      const one = await declare(context);
      const two = await declare(context);
      expectThat(one.identifier !== two.identifier, "two identifiers", [
        one.identifier ?? null,
        two.identifier ?? null,
      ]);
    },
  },
  {
    id: "incident.name.required",
    title: "name is required on creation",
    check: (context) => expectRequired(context, "name"),
  },
  {
    id: "incident.summary.optional",
    title: "summary is optional, and kept when sent",
    check: (context) => expectKept(context, "summary", "Checkout is slow"),
  },
  {
    id: "incident.severity.required",
    title: "severity_id is required on creation",
    check: (context) => expectRequired(context, "severity_id"),
  },
  {
    id: "incident.severity.given",
    title: "severity is the entry severity_id names",
    async check(context) {
      const severities = await listMembers(context, findResource("severities"));
      for (const severity of severities.slice(0, 3)) {
        const incident = await declare(context, { severity_id: idOf(severity) });
        for (const name of ["id", "name", "rank"]) {
          expectSame(`incident.severity.${name}`, at(incident, "severity", name), severity[name]);
        }
      }
    },
  },
  {
    id: "incident.status.given",
    title: "status is the entry status_id names",
    async check(context) {
      const status = await statusIn(context, "triage");
      const incident = await declare(context, { status_id: idOf(status) });
      expectSame("incident.status.id", at(incident, "status", "id"), status.id);
    },
  },
  {
    id: "incident.type.null",
    title: "type is null when no incident type is set",
    async check(context) {
      expectShape("incident.type", (await sharedIncident(context)).type, nullValue);
    },
  },
  {
    id: "incident.type.object",
    title: "type is an object when incident_type_id was sent",
    async check(context) {
      const [type] = await listMembers(context, findResource("incident_types"));
      if (type === undefined) throw new NotApplicable("the workspace has no incident type");
      const incident = await declare(context, { incident_type_id: idOf(type) });
      expectShape("incident.type", incident.type, object);
    },
  },
  {
    id: "incident.type.shape",
    basis: "wire",
    title: "type is { id, name, slug }",
    async check(context) {
      const type = await createMember(context, findResource("incident_types"));
      const incident = await declare(context, { incident_type_id: idOf(type) });
      const { id, name, slug } = type;
      expectSame("incident.type", incident.type, { id: id ?? null, name: name ?? null, slug: slug ?? null });
    },
  },
  {
    id: "incident.lead.null",
    title: "lead is null when no lead is assigned",
    async check(context) {
      expectShape("incident.lead", (await sharedIncident(context)).lead, nullValue);
    },
  },
  {
    id: "incident.lead.object",
    title: "lead is an object once a lead is assigned",
    async check(context) {
      const id = idOf(await declare(context));
      const exchange = await context.client.patch(`incidents/${id}`, { lead_id: context.person });
      expectShape("incident.lead", incidentOf(exchange).lead, object, exchange);
    },
  },
  {
    id: "incident.lead.shape",
    basis: "wire",
    title: "lead is { id, type, name, email } of a user",
    async check(context) {
      const id = idOf(await declare(context));
      const exchange = await context.client.patch(`incidents/${id}`, { lead_id: context.person });
      const shape = objectWith({
        id: nonEmptyString,
        type: oneOf("user"),
        name: nonEmptyString,
        email: oneOf(context.person),
      });
      expectShape("incident.lead", incidentOf(exchange).lead, shape, exchange);
    },
  },
  {
    id: "incident.source.free",
    title: "source is free text, kept as it was sent",
    check: (context) => expectKept(context, "source", "night watch: 2nd floor / dashboard №7"),
  },
  {
    id: "incident.declared_by_id",
    title: "declared_by_id, a member ID, says on creation who declared the incident",
    async check(context) {
      const first = idOf(await declare(context));
      const led = await context.client.patch(`incidents/${first}`, { lead_id: context.otherPerson });
      const member = textAt(incidentOf(led), "lead", "id");
      if (member === "") throw new NotApplicable("the service shows no member's ID on a lead");
      const incident = await declare(context, { declared_by_id: member });
      expectSame("incident.declared_by.id", at(incident, "declared_by", "id"), member);
    },
  },
  {
    id: "incident.resolved_at.open",
    title: "resolved_at is null while the incident is open",
    async check(context) {
      expectShape("incident.resolved_at", (await sharedIncident(context)).resolved_at, nullValue);
    },
  },
  {
    id: "incident.resolved_at.resolved",
    title: "resolved_at is set when the incident is resolved",
    async check(context) {
      const incident = await declareIn(context, "closed");
      expectShape("incident.resolved_at", incident.resolved_at, timestamp);
    },
  },
  {
    id: "incident.resolved_at.declared",
    title: "an incident declared with a closed-stage status is resolved, and resolved_at is set",
    async check(context) {
      const incident = await declare(context, { status_id: idOf(await statusIn(context, "closed")) });
      expectSame("the stage", at(incident, "status", "lifecycle_stage"), "closed");
      expectShape("incident.resolved_at", incident.resolved_at, timestamp);
    },
  },
  {
    id: "incident.name.whole",
    title: "a name is kept whole or refused, even with the character U+0000",
    async check(context) {
      const name = `${context.name("left")}\0right`;
      const exchange = await postIncident(context, await declaration(context, { name }));
      if (exchange.status < 300) expectSame("incident.name", incidentOf(exchange).name, name, exchange);
      else expectInvalid(exchange);
    },
  },
  {
    id: "incident.updated_at",
    title: "updated_at moves when the incident is changed, created_at does not",
    async check(context) {
      const before = await declare(context);
      await new Promise((resolve) => setTimeout(resolve, 15));
      const exchange = await context.client.patch(`incidents/${idOf(before)}`, { name: context.name("renamed") });
      const after = incidentOf(exchange);
      expectSame("created_at", after.created_at, before.created_at, exchange);
      const [was, is] = [before, after].map((incident) => Date.parse(textAt(incident, "updated_at")));
      expectThat((is ?? 0) >= (was ?? 0), "updated_at not to go back", after.updated_at, exchange);
    },
  },
  {
    id: "incident.visibility.private",
    title: "visibility may be private",
    check: (context) => expectKept(context, "visibility", "private"),
  },
  {
    id: "incident.visibility.public",
    title: "visibility may be public",
    check: (context) => expectKept(context, "visibility", "public"),
  },
  {
    id: "incident.visibility.other",
    title: "visibility is nothing else than public or private",
    async check(context) {
      const exchange = await postIncident(context, await declaration(context, { visibility: "secret" }));
      expectRefusal(exchange, 422, "validation_error");
    },
  },
  {
    id: "incident.severity_id.update",
    title: "severity_id is an input of updates too",
    async check(context) {
      const severities = await listMembers(context, findResource("severities"));
      const other = severities.at(-1);
      if (other === undefined || severities.length < 2) throw new NotApplicable("the workspace has one severity only");
      const id = idOf(await declare(context));
      const exchange = await context.client.patch(`incidents/${id}`, { severity_id: idOf(other) });
      expectSame("incident.severity.id", at(incidentOf(exchange), "severity", "id"), other.id, exchange);
    },
  },
  {
    id: "incident.incident_type_id.update",
    title: "incident_type_id is an input of updates too",
    async check(context) {
      const [type] = await listMembers(context, findResource("incident_types"));
      if (type === undefined) throw new NotApplicable("the workspace has no incident type");
      const id = idOf(await declare(context));
      const exchange = await context.client.patch(`incidents/${id}`, { incident_type_id: idOf(type) });
      expectSame("incident.type.id", at(incidentOf(exchange), "type", "id"), type.id, exchange);
    },
  },
]);

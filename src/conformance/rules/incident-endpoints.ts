/** Rules of the endpoints table "Incidents": declaring once per key, listing with filters, changing any combination. */

import type { Fields } from "../../core/json.ts";
import {
  expectInvalid,
  expectRefusal,
  expectSame,
  expectShape,
  expectStatus,
  expectThat,
  incidentOf,
} from "../expectation.ts";
import { createMember, findResource } from "../fixtures/configuration-resources.ts";
import {
  declaration,
  declare,
  declareIn,
  idOf,
  postIncident,
  readIncident,
  severityId,
  stages,
  statusIn,
} from "../fixtures/incidents.ts";
import { type ConformanceRule, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { array, at, numberAt, object, rowsAt, textAt, unknownId } from "../value-shape.ts";

const day = 24 * 60 * 60 * 1000;

/** All incidents of a filtered list, up to a thousand. */
async function filtered(context: RuleContext, query: string): Promise<readonly Fields[]> {
  const listed: Fields[] = [];
  for (let page = 1; page <= 10; page += 1) {
    const exchange = await context.client.get(`incidents?${query}&per_page=100&page=${page}`);
    expectStatus(exchange, 200);
    const rows = rowsAt(exchange.body, "incidents");
    listed.push(...rows);
    if (rows.length < 100) break;
  }
  return listed;
}

function holds(incidents: readonly Fields[], id: string): boolean {
  return incidents.some((incident) => incident.id === id);
}

const stageRows: readonly RuleDefinition[] = stages.map((stage) => ({
  id: `incidents.list.lifecycle_stage.${stage}`,
  title: `the list takes lifecycle_stage=${stage}: those incidents and no others`,
  async check(context: RuleContext) {
    const inside = idOf(await declareIn(context, stage));
    const outside = idOf(await declareIn(context, stage === "active" ? "canceled" : "active"));
    const listed = await filtered(context, `lifecycle_stage=${stage}`);
    expectSame(`the ${stage} incident in the list`, holds(listed, inside), true);
    expectSame("an incident of another stage in the list", holds(listed, outside), false);
    const others = listed.filter((incident) => at(incident, "status", "lifecycle_stage") !== stage);
    expectSame("other stages in the list", others.length, 0);
  },
}));

const changeRows: readonly RuleDefinition[] = ["name", "summary"].map((name) => ({
  id: `incidents.patch.${name}`,
  title: `PATCH changes ${name} and returns 200 with { incident }`,
  async check(context: RuleContext) {
    const id = idOf(await declare(context));
    const sent = context.name("changed");
    const exchange = await context.client.patch(`incidents/${id}`, { [name]: sent });
    expectStatus(exchange, 200);
    expectSame(`incident.${name}`, incidentOf(exchange)[name], sent, exchange);
    expectSame("the incident read again", (await readIncident(context, id))[name], sent);
  },
}));

const creation: readonly RuleDefinition[] = [
  {
    id: "incidents.post.created",
    title: "POST returns 201 with { incident } for a first key",
    async check(context) {
      const exchange = await postIncident(context, await declaration(context));
      expectStatus(exchange, 201);
      expectShape("incident", at(exchange.body, "incident"), object, exchange);
    },
  },
  {
    id: "incidents.post.repeated",
    title: "POST returns 200 with the original incident for a repeated key",
    async check(context) {
      const body = await declaration(context);
      const first = incidentOf(await postIncident(context, body));
      const exchange = await postIncident(context, body);
      expectStatus(exchange, 200);
      expectSame("the incident's id", incidentOf(exchange).id, first.id, exchange);
    },
  },
  {
    id: "incidents.post.original",
    title: "a repeated key with another body changes nothing: the original comes back",
    async check(context) {
      const body = await declaration(context);
      const first = incidentOf(await postIncident(context, body));
      const exchange = await postIncident(context, { ...body, name: context.name("other") });
      expectStatus(exchange, 200);
      const second = incidentOf(exchange);
      expectSame("the incident's id", second.id, first.id, exchange);
      expectSame("the incident's name", second.name, first.name, exchange);
    },
  },
  {
    id: "incidents.post.repeated.invalid",
    title: "a repeated key with values that are invalid today returns 200 with the original incident",
    async check(context) {
      const body = await declaration(context);
      const first = incidentOf(await postIncident(context, body));
      const custom_fields = { no_such_field: "x" };
      const exchange = await postIncident(context, { ...body, custom_fields });
      expectStatus(exchange, 200);
      expectSame("the incident's id", incidentOf(exchange).id, first.id, exchange);
    },
  },
  {
    id: "incidents.post.key.whole",
    title:
      "keys that differ are different keys, even after the character U+0000: each is refused or creates an incident",
    async check(context) {
      const key = context.name("key");
      const bodies = await Promise.all(
        [`${key}\0a`, `${key}\0b`, key].map((each) => declaration(context, { idempotency_key: each })),
      );
      for (const body of bodies) {
        const exchange = await postIncident(context, body);
        expectStatus(exchange, 201, 400, 422);
      }
    },
  },
  {
    id: "incidents.post.concurrent",
    title: "a key sent many times at once creates one incident, with one 201",
    async check(context) {
      const body = await declaration(context);
      const exchanges = await Promise.all(Array.from({ length: 6 }, () => postIncident(context, body)));
      const ids = new Set(exchanges.map((exchange) => idOf(incidentOf(exchange))));
      expectSame("the number of incidents", ids.size, 1);
      expectSame("the number of 201 responses", exchanges.filter((exchange) => exchange.status === 201).length, 1);
    },
  },
  {
    id: "incidents.post.key.required",
    title: "idempotency_key is required",
    async check(context) {
      const { idempotency_key: _key, ...body } = await declaration(context);
      const exchange = await postIncident(context, body);
      expectInvalid(exchange);
    },
  },
  {
    id: "incidents.post.expired",
    title: "after 24 hours the same key creates a new incident; before, it does not",
    async check(context) {
      const advance = context.advanceClock;
      const body = await declaration(context);
      const first = incidentOf(await postIncident(context, body));
      advance(day - 60_000);
      const within = await postIncident(context, body);
      expectStatus(within, 200);
      expectSame("the incident within 24 hours", incidentOf(within).id, first.id, within);
      advance(2 * 60_000);
      const after = await postIncident(context, body);
      expectStatus(after, 201);
      const { id } = incidentOf(after);
      expectThat(id !== first.id, "another incident", id, after);
    },
  },
  {
    id: "incidents.post.full",
    title: "POST takes every field of the table at once",
    async check(context) {
      const type = await createMember(context, findResource("incident_types"));
      const status = await statusIn(context, "triage");
      const given = { summary: "All of it", visibility: "private", source: "suite" };
      const references = { status_id: idOf(status), incident_type_id: idOf(type) };
      const incident = await declare(context, { ...given, ...references, custom_fields: {} });
      for (const [name, value] of Object.entries(given)) expectSame(`incident.${name}`, incident[name], value);
      expectSame("incident.status.id", at(incident, "status", "id"), status.id);
      expectSame("incident.type.id", at(incident, "type", "id"), type.id);
    },
  },
  {
    id: "incidents.post.references",
    title: "IDs that name no severity, status or type are refused, and nothing is created",
    async check(context) {
      for (const input of ["severity_id", "status_id", "incident_type_id"]) {
        const body = await declaration(context);
        const exchange = await postIncident(context, { ...body, [input]: unknownId });
        expectStatus(exchange, 404, 422);
        expectStatus(await postIncident(context, body), 201);
      }
    },
  },
  {
    id: "incidents.post.ids",
    title: "the IDs for severity_id and status_id come from the severity and status listings",
    async check(context) {
      const status = idOf(await statusIn(context, "active"));
      const severity = await severityId(context);
      const incident = await declare(context, { severity_id: severity, status_id: status });
      expectSame("incident.severity.id", at(incident, "severity", "id"), severity);
      expectSame("incident.status.id", at(incident, "status", "id"), status);
    },
  },
];

const listing: readonly RuleDefinition[] = [
  {
    id: "incidents.list",
    title: "GET returns a list of incidents plus pagination",
    async check(context) {
      const id = idOf(await declare(context));
      const exchange = await context.client.get("incidents");
      expectStatus(exchange, 200);
      expectShape("incidents", at(exchange.body, "incidents"), array, exchange);
      expectShape("pagination", at(exchange.body, "pagination"), object, exchange);
      expectSame("the new incident in the list", holds(await filtered(context, ""), id), true);
    },
  },
  {
    id: "incidents.list.severity_id",
    title: "the list takes severity_id: those incidents and no others",
    async check(context) {
      const severity = idOf(await createMember(context, findResource("severities")));
      const inside = idOf(await declare(context, { severity_id: severity }));
      await declare(context);
      const listed = await filtered(context, `severity_id=${severity}`);
      expectSame("the incidents", listed.map(idOf), [inside]);
      await context.client.patch(`incidents/${inside}`, { severity_id: await severityId(context) });
    },
  },
  {
    id: "incidents.list.status_id",
    title: "the list takes status_id: those incidents and no others",
    async check(context) {
      const status = idOf(await createMember(context, findResource("statuses")));
      const inside = idOf(await declare(context, { status_id: status }));
      await declare(context);
      expectSame("the incidents", (await filtered(context, `status_id=${status}`)).map(idOf), [inside]);
      await context.client.patch(`incidents/${inside}`, { status_id: idOf(await statusIn(context, "canceled")) });
    },
  },
  ...stageRows,
  {
    id: "incidents.list.both",
    title: "filters of the list hold together",
    async check(context) {
      const severity = idOf(await createMember(context, findResource("severities")));
      const open = idOf(await declareIn(context, "active", { severity_id: severity }));
      const over = idOf(await declareIn(context, "canceled", { severity_id: severity }));
      const listed = await filtered(context, `severity_id=${severity}&lifecycle_stage=canceled`);
      expectSame("the incidents", listed.map(idOf), [over]);
      for (const id of [open, over])
        await context.client.patch(`incidents/${id}`, { severity_id: await severityId(context) });
    },
  },
];

const changing: readonly RuleDefinition[] = [
  ...changeRows,
  {
    id: "incidents.patch.combination",
    title: "PATCH takes any combination, applied as a single change",
    async check(context) {
      const id = idOf(await declare(context));
      const type = idOf(await createMember(context, findResource("incident_types")));
      const status = idOf(await statusIn(context, "triage"));
      const sent = { name: context.name("renamed"), summary: "All at once" };
      const exchange = await context.client.patch(`incidents/${id}`, {
        ...sent,
        status_id: status,
        incident_type_id: type,
        lead_id: context.person,
      });
      expectStatus(exchange, 200);
      const after = incidentOf(exchange);
      expectSame("incident.name", after.name, sent.name, exchange);
      expectSame("incident.summary", after.summary, sent.summary, exchange);
      expectSame("incident.status.id", at(after, "status", "id"), status, exchange);
      expectSame("incident.type.id", at(after, "type", "id"), type, exchange);
      expectShape("lead", after.lead, object, exchange);
    },
  },
  {
    id: "incidents.patch.single",
    title: "all fields in one PATCH are applied as a single change: one refused field leaves the others unchanged",
    async check(context) {
      const before = await declare(context);
      const id = idOf(before);
      const body = { name: context.name("renamed"), severity_id: unknownId };
      const exchange = await context.client.patch(`incidents/${id}`, body);
      expectStatus(exchange, 404, 422);
      expectSame("the name", (await readIncident(context, id)).name, before.name);
    },
  },
  {
    id: "incidents.patch.others",
    title: "PATCH leaves what is not sent as it was",
    async check(context) {
      const before = await declare(context, { summary: "Stays", visibility: "private" });
      const exchange = await context.client.patch(`incidents/${idOf(before)}`, { name: context.name("renamed") });
      const after = incidentOf(exchange);
      for (const name of ["identifier", "summary", "status", "severity", "visibility", "source", "declared_at"]) {
        expectSame(`incident.${name}`, after[name], before[name], exchange);
      }
    },
  },
  {
    id: "incidents.patch.unknown",
    title: "PATCH of an incident that does not exist returns 404",
    async check(context) {
      const exchange = await context.client.patch(`incidents/${unknownId}`, { name: "x" });
      expectRefusal(exchange, 404, "not_found");
    },
  },
  {
    id: "incidents.get",
    basis: "wire",
    title: "GET of one incident returns { incident }",
    async check(context) {
      const incident = await declare(context);
      const exchange = await context.client.get(`incidents/${idOf(incident)}`);
      expectStatus(exchange, 200);
      expectSame(
        "incident.identifier",
        textAt(exchange.body, "incident", "identifier"),
        textAt(incident, "identifier"),
        exchange,
      );
    },
  },
  {
    id: "incidents.list.unknown-stage",
    basis: "wire",
    title: "an unknown lifecycle_stage returns 404",
    async check(context) {
      const exchange = await context.client.get("incidents?lifecycle_stage=paused");
      expectRefusal(exchange, 404, "not_found");
      expectThat(
        Number.isNaN(numberAt(exchange.body, "pagination", "total")),
        "no list",
        exchange.body ?? null,
        exchange,
      );
    },
  },
];

/** The rules of declaring, listing and changing incidents. */
export const incidentEndpointRules: readonly ConformanceRule[] = rulesOf("Endpoints: Incidents", [
  ...creation,
  ...listing,
  ...changing,
]);

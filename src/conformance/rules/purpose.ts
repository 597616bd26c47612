/** Rules of the section "What the service does" and of the document's introduction. */

import { isFields, isList, type Json } from "../../core/json.ts";
import { expectShape, expectStatus, expectThat } from "../expectation.ts";
import { resources } from "../fixtures/configuration-resources.ts";
import { declare, idOf, moveToStage, sharedIncident } from "../fixtures/incidents.ts";
import { clientFor } from "../fixtures/requests.ts";
import { type ConformanceRule, rulesOf } from "../rule.ts";
import { at, numberAt, object, timestamp } from "../value-shape.ts";

const opening: readonly ConformanceRule[] = rulesOf("Incident Management Service Interface", [
  {
    id: "opening.bodies",
    title: "every body is JSON, of success and of refusal alike",
    async check({ client }) {
      for (const path of ["severities", "incidents", "no_such_thing"]) {
        const exchange = await client.get(path);
        const type = exchange.headers.get("content-type") ?? "";
        expectThat(/^application\/json\b/.test(type), "content-type application/json", type, exchange);
        expectShape("the body", exchange.body, object, exchange);
      }
    },
  },
  {
    id: "opening.timestamps",
    title: "every timestamp is an ISO 8601 UTC string",
    async check(context) {
      const incident = await sharedIncident(context);
      const timeline = await context.client.get(`incidents/${idOf(incident)}/timeline`);
      const listed = [...timestampsIn(incident), ...timestampsIn(timeline.body)];
      expectThat(listed.length >= 3, "at least three timestamps on an incident and its timeline", listed);
      for (const [name, value] of listed) expectShape(name, value, timestamp, timeline);
    },
  },
]);

function timestampsIn(value: Json | undefined): readonly [string, Json][] {
  if (isList(value)) return value.flatMap(timestampsIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, held]): readonly [string, Json][] =>
    name.endsWith("_at") && held !== null ? [[name, held]] : timestampsIn(held),
  );
}

const collections = resources.map((kind) => ({
  id: `purpose.managed.${kind.id}`,
  title: `the configuration of each ${kind.title} is managed through its own endpoint`,
  async check(context: Parameters<ConformanceRule["check"]>[0]) {
    expectStatus(await clientFor(context, kind.path).get(kind.path), 200);
  },
}));

const purpose: readonly ConformanceRule[] = rulesOf("What the service does", [
  {
    id: "purpose.declared",
    title: "an incident is declared with a name, a severity and an idempotency key, and nothing more",
    async check(context) {
      expectShape("the incident", await declare(context), object);
    },
  },
  {
    id: "purpose.moves",
    title: "an incident moves through lifecycle stages until it is resolved",
    async check(context) {
      const id = idOf(await declare(context));
      for (const stage of ["triage", "active", "closed"] as const) {
        const exchange = await moveToStage(context, id, stage);
        expectStatus(exchange, 200);
        expectThat(
          at(exchange.body, "incident", "status", "lifecycle_stage") === stage,
          `the stage to be ${stage}`,
          at(exchange.body, "incident", "status"),
          exchange,
        );
      }
    },
  },
  {
    id: "purpose.timeline",
    title: "each incident has a timeline, which its declaration begins",
    async check(context) {
      const incident = await sharedIncident(context);
      const exchange = await context.client.get(`incidents/${idOf(incident)}/timeline`);
      expectStatus(exchange, 200);
      expectThat(
        numberAt(exchange.body, "pagination", "total") > 0,
        "at least one event",
        exchange.body ?? null,
        exchange,
      );
    },
  },
  ...collections,
  {
    id: "purpose.managed.forms",
    title: "the configuration of each form is managed through its own endpoint",
    async check({ client }) {
      expectStatus(await client.get("forms/declare"), 200);
    },
  },
]);

/** The rules of the document's opening and of its first section. */
export const purposeRules: readonly ConformanceRule[] = [...opening, ...purpose];

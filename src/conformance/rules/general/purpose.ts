/** Rules of the section "What the service does" and of the document's introduction. */

import { isFields, isList, type Json } from "../../../core/json.ts";
import { expectShape, expectThat } from "../../expectation.ts";
import { every } from "../../expected.ts";
import { resources } from "../../fixtures/configuration-resources.ts";
import { declaration } from "../../fixtures/given.ts";
import { idOf, sharedIncident } from "../../fixtures/incidents.ts";
import { forEach, rulesOf } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import { object, timestamp } from "../../value-shape.ts";

const opening: readonly ConformanceRule[] = rulesOf("Incident Management Service Interface", {
  "opening.bodies": {
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
  "opening.timestamps": {
    title: "every timestamp is an ISO 8601 UTC string",
    async check(context) {
      const incident = await sharedIncident(context);
      const timeline = await context.client.get(`incidents/${idOf(incident)}/timeline`);
      const listed = [...timestampsIn(incident), ...timestampsIn(timeline.body)];
      expectThat(listed.length >= 3, "at least three timestamps on an incident and its timeline", listed);
      for (const [name, value] of listed) expectShape(name, value, timestamp, timeline);
    },
  },
});

function timestampsIn(value: Json | undefined): readonly [string, Json][] {
  if (isList(value)) return value.flatMap(timestampsIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, held]): readonly [string, Json][] =>
    name.endsWith("_at") && held !== null ? [[name, held]] : timestampsIn(held),
  );
}

const purpose: readonly ConformanceRule[] = rulesOf("What the service does", {
  "purpose.declared": {
    title: "an incident is declared with a name, a severity and an idempotency key, and nothing more",
    steps: [{ request: "POST incidents", body: declaration, shows: { incident: object } }],
  },
  "purpose.moves": {
    title: "an incident moves through lifecycle stages until it is resolved",
    steps: ["triage", "active", "closed"].map((stage) => ({
      request: "PATCH incidents/{incident.id}",
      body: { status_id: `{status.${stage}.id}` },
      shows: { incident: { status: { lifecycle_stage: stage } } },
    })),
  },
  "purpose.timeline": {
    title: "each incident has a timeline, which its declaration begins",
    steps: [{ request: "LIST incidents/{shared.id}/timeline", shows: every({}) }],
  },
  ...forEach(resources, ({ id, title, path }) => ({
    [`purpose.managed.${id}`]: {
      title: `the configuration of each ${title} is managed through its own endpoint`,
      steps: [{ request: `GET ${path}` }],
    },
  })),
  "purpose.managed.forms": {
    title: "the configuration of each form is managed through its own endpoint",
    steps: [{ request: "GET forms/declare" }],
  },
});

/** The rules of the document's opening and of its first section. */
export const purposeRules: readonly ConformanceRule[] = [...opening, ...purpose];

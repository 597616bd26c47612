/** Rules of "Incident lifecycle stages": the table row by row, and the two sentences under it. */

import type { Exchange } from "../client.ts";
import {
  expectRefusal,
  expectSame,
  expectShape,
  expectStatus,
  expectSuccess,
  expectThat,
  incidentOf,
} from "../expectation.ts";
import { createMember, findResource, memberPath } from "../fixtures/configuration-resources.ts";
import {
  declare,
  declareIn,
  type IncidentStage,
  idOf,
  moveToStage,
  readIncident,
  statusIn,
  timelineOf,
} from "../fixtures/incidents.ts";
import { type ConformanceRule, NotApplicable, type RuleDefinition, rulesOf, withArticle } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import { at, nullValue, object, textAt, timestamp, type ValueShape } from "../value-shape.ts";

const live = ["triage", "active"] as const;
const over = ["closed", "canceled"] as const;
/** The word for an incident in each stage that is over. */
const ended = { closed: "resolved", canceled: "canceled" } as const;

async function expectStage(context: RuleContext, id: string, stage: IncidentStage): Promise<void> {
  const incident = await readIncident(context, id);
  expectSame("the incident's stage", at(incident, "status", "lifecycle_stage"), stage);
}

/** Throws unless an incident can be moved from one stage to the other, and its resolved_at then has the shape. */
async function expectMove(
  context: RuleContext,
  from: IncidentStage,
  to: IncidentStage,
  resolvedAt: ValueShape,
): Promise<void> {
  const exchange = await moveToStage(context, idOf(await declareIn(context, from)), to);
  expectStatus(exchange, 200);
  expectSame("the stage", at(exchange.body, "incident", "status", "lifecycle_stage"), to, exchange);
  expectShape("resolved_at", incidentOf(exchange).resolved_at, resolvedAt, exchange);
}

/** Throws unless the request is refused because the incident is not active. */
function expectInactive(exchange: Exchange): void {
  expectRefusal(exchange, 422, "incident_not_active");
}

/** The number of events on the timeline of each incident. */
async function countEvents(context: RuleContext, ...ids: readonly string[]): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const id of ids) counts.push((await timelineOf(context, id)).length);
  return counts;
}

/** The types of the events on the timeline of an incident. */
async function eventTypes(context: RuleContext, id: string): Promise<readonly string[]> {
  return (await timelineOf(context, id)).map((event) => textAt(event, "event_type"));
}

function link(context: RuleContext, id: string, other: string, relationship: string): Promise<Exchange> {
  return context.client.post(`incidents/${id}/link`, { other_incident_id: other, relationship });
}

const moves: readonly RuleDefinition[] = [
  ...live.map(
    (stage): RuleDefinition => ({
      id: `lifecycle.resolve.${stage}`,
      title: `${withArticle(stage)} incident put into a closed-stage status is resolved, and resolved_at is set`,
      check: (context) => expectMove(context, stage, "closed", timestamp),
    }),
  ),
  ...live.map(
    (stage): RuleDefinition => ({
      id: `lifecycle.cancel.${stage}`,
      title: `${withArticle(stage)} incident put into a canceled-stage status is canceled; resolved_at stays null`,
      check: (context) => expectMove(context, stage, "canceled", nullValue),
    }),
  ),
  ...over.flatMap((from) =>
    live.map(
      (to): RuleDefinition => ({
        id: `lifecycle.reopen.${from}.${to}`,
        title: `a ${ended[from]} incident put into ${withArticle(to)} status is live again`,
        async check(context) {
          const id = idOf(await declareIn(context, from));
          const exchange = await moveToStage(context, id, to);
          expectStatus(exchange, 200);
          await expectStage(context, id, to);
          // Only a live incident can be resolved.
          expectStatus(await moveToStage(context, id, "closed"), 200);
        },
      }),
    ),
  ),
  {
    id: "lifecycle.resolved.cancel",
    title: "canceling a resolved incident is refused with 422 incident_not_active and a reason",
    async check(context) {
      const id = idOf(await declareIn(context, "closed"));
      expectInactive(await moveToStage(context, id, "canceled"));
      await expectStage(context, id, "closed");
    },
  },
  {
    id: "lifecycle.canceled.resolve",
    title: "resolving a canceled incident is refused with 422 incident_not_active and a reason",
    async check(context) {
      const id = idOf(await declareIn(context, "canceled"));
      expectInactive(await moveToStage(context, id, "closed"));
      await expectStage(context, id, "canceled");
    },
  },
  {
    id: "lifecycle.stage.moved",
    title:
      "state follows the stage of the status: moved to closed, the status resolves its incidents and sets resolved_at",
    async check(context) {
      const status = await createMember(context, findResource("statuses"));
      const id = idOf(await declare(context, { status_id: idOf(status) }));
      const exchange = await context.client.patch(memberPath(findResource("statuses"), status), {
        lifecycle_stage: "closed",
      });
      if (exchange.status === 422) throw new NotApplicable("the service does not move a status with incidents");
      expectStatus(exchange, 200);
      await expectStage(context, id, "closed");
      expectShape("resolved_at", (await readIncident(context, id)).resolved_at, timestamp);
      expectInactive(await context.client.patch(`incidents/${id}`, { lead_id: context.person }));
    },
  },
  {
    id: "lifecycle.refused.single",
    title: "a refused change of status leaves the other fields of its PATCH unapplied",
    async check(context) {
      const before = await declareIn(context, "canceled");
      const status = idOf(await statusIn(context, "closed"));
      const exchange = await context.client.patch(`incidents/${idOf(before)}`, { summary: "Never", status_id: status });
      expectInactive(exchange);
      expectSame("summary", (await readIncident(context, idOf(before))).summary, before.summary);
    },
  },
];

const duplicates: readonly RuleDefinition[] = [
  {
    id: "lifecycle.duplicate.canceled",
    title: "a live incident linked as duplicate is canceled; the other stays live",
    async check(context) {
      const [id, other] = [idOf(await declare(context)), idOf(await declare(context))];
      expectSuccess(await link(context, id, other, "duplicate"));
      await expectStage(context, id, "canceled");
      const stage = at(await readIncident(context, other), "status", "lifecycle_stage");
      expectThat(stage === "triage" || stage === "active", "the absorbing incident to be live", stage);
    },
  },
  {
    id: "lifecycle.duplicate.named",
    title: "the cancellation by a duplicate link names the incident that absorbed it",
    async check(context) {
      const absorber = await declare(context);
      const id = idOf(await declare(context));
      await link(context, id, idOf(absorber), "duplicate");
      const text = JSON.stringify(await timelineOf(context, id));
      const named = text.includes(textAt(absorber, "identifier")) || text.includes(textAt(absorber, "name"));
      expectThat(named, `the timeline to name ${textAt(absorber, "identifier")}`, text);
    },
  },
  {
    id: "lifecycle.duplicate.recorded",
    title: "a duplicate link is recorded on both timelines",
    async check(context) {
      const [id, other] = [idOf(await declare(context)), idOf(await declare(context))];
      const before = await countEvents(context, id, other);
      await link(context, id, other, "duplicate");
      const after = await countEvents(context, id, other);
      for (const side of [0, 1]) {
        expectThat((after[side] ?? 0) > (before[side] ?? 0), "another event on both timelines", after);
      }
    },
  },
  {
    id: "lifecycle.duplicate.absorber",
    title: "a duplicate link asks only that the incident itself is live: the absorbing one may be canceled",
    async check(context) {
      const id = idOf(await declare(context));
      const other = idOf(await declareIn(context, "canceled"));
      expectSuccess(await link(context, id, other, "duplicate"));
      await expectStage(context, id, "canceled");
    },
  },
  {
    id: "lifecycle.duplicate.mutual",
    title: "an incident may be marked as a duplicate of its own duplicate: both are canceled",
    async check(context) {
      const [id, other] = [idOf(await declare(context)), idOf(await declare(context))];
      expectSuccess(await link(context, id, other, "duplicate"));
      expectSuccess(await link(context, other, id, "duplicate"));
      for (const each of [id, other]) await expectStage(context, each, "canceled");
    },
  },
  {
    id: "lifecycle.related.again",
    title: "a related link that exists already is taken again, and recorded again on both timelines",
    async check(context) {
      const [id, other] = [idOf(await declare(context)), idOf(await declare(context))];
      const expected = (await countEvents(context, id, other)).map((events) => events + 2);
      for (const _time of ["first", "second"]) expectSuccess(await link(context, id, other, "related"));
      expectSame("events on both timelines", await countEvents(context, id, other), expected);
    },
  },
  ...over.map(
    (stage): RuleDefinition => ({
      id: `lifecycle.duplicate.refused.${stage}`,
      title: `a duplicate link of a ${ended[stage]} incident is refused; reopen first`,
      async check(context) {
        const id = idOf(await declareIn(context, stage));
        const other = idOf(await declare(context));
        expectInactive(await link(context, id, other, "duplicate"));
        await expectStage(context, id, stage);
        expectStatus(await moveToStage(context, id, "active"), 200);
        expectSuccess(await link(context, id, other, "duplicate"));
      },
    }),
  ),
  ...[...live, ...over].map(
    (stage): RuleDefinition => ({
      id: `lifecycle.related.${stage}`,
      title: `a related link of an incident in the stage ${stage} leaves it unchanged and is recorded on both timelines`,
      async check(context) {
        const id = idOf(await declareIn(context, stage));
        const other = idOf(await declare(context));
        const expected = (await countEvents(context, id, other)).map((events) => events + 1);
        expectSuccess(await link(context, id, other, "related"));
        await expectStage(context, id, stage);
        expectSame("events on both timelines", await countEvents(context, id, other), expected);
      },
    }),
  ),
];

const leads: readonly RuleDefinition[] = [
  ...live.map(
    (stage): RuleDefinition => ({
      id: `lifecycle.lead.${stage}`,
      title: `lead_id on ${withArticle(stage)} incident assigns the lead and leaves the stage`,
      async check(context) {
        const id = idOf(await declareIn(context, stage));
        const exchange = await context.client.patch(`incidents/${id}`, { lead_id: context.person });
        expectStatus(exchange, 200);
        expectShape("lead", incidentOf(exchange).lead, object, exchange);
        await expectStage(context, id, stage);
      },
    }),
  ),
  {
    id: "lifecycle.lead.changed",
    title: "a lead may be followed by another",
    async check(context) {
      const id = idOf(await declare(context));
      const first = incidentOf(await context.client.patch(`incidents/${id}`, { lead_id: context.person })).lead;
      const second = incidentOf(await context.client.patch(`incidents/${id}`, { lead_id: context.otherPerson })).lead;
      expectThat(textAt(first, "id") !== textAt(second, "id"), "another lead", second ?? null);
    },
  },
  {
    id: "lifecycle.lead.announced",
    title: "a lead's assignment is seen on the timeline",
    basis: "wire",
    async check(context) {
      const id = idOf(await declare(context));
      await context.client.patch(`incidents/${id}`, { lead_id: context.person });
      const types = await eventTypes(context, id);
      expectThat(types.includes("lead.assigned"), "an event lead.assigned", types);
    },
  },
  ...over.map(
    (stage): RuleDefinition => ({
      id: `lifecycle.lead.refused.${stage}`,
      title: `lead_id on a ${ended[stage]} incident is refused with 422 incident_not_active`,
      async check(context) {
        const id = idOf(await declareIn(context, stage));
        expectInactive(await context.client.patch(`incidents/${id}`, { lead_id: context.person }));
        expectShape("lead", (await readIncident(context, id)).lead, nullValue);
      },
    }),
  ),
  {
    id: "lifecycle.lead.null",
    title: "once an incident has a lead, sending lead_id as null is refused with 422",
    async check(context) {
      const id = idOf(await declare(context));
      expectStatus(await context.client.patch(`incidents/${id}`, { lead_id: context.person }), 200);
      expectRefusal(await context.client.patch(`incidents/${id}`, { lead_id: null }), 422);
      expectShape("lead", (await readIncident(context, id)).lead, object);
    },
  },
  {
    id: "lifecycle.lead.service-id",
    title: "lead_id takes an email address or a chat user ID, and not the service ID that lead shows",
    async check(context) {
      const id = idOf(await declare(context));
      const led = incidentOf(await context.client.patch(`incidents/${id}`, { lead_id: context.person }));
      const member = textAt(led, "lead", "id");
      if (member === "") throw new NotApplicable("the service shows no member's ID on a lead");
      expectRefusal(await context.client.patch(`incidents/${id}`, { lead_id: member }), 404, "not_found");
    },
  },
  {
    id: "lifecycle.lead.nobody",
    title: "a lead_id that matches nobody returns 404",
    async check(context) {
      const id = idOf(await declare(context));
      const exchange = await context.client.patch(`incidents/${id}`, { lead_id: "nobody@conformance.invalid" });
      expectRefusal(exchange, 404, "not_found");
    },
  },
];

const wire: readonly RuleDefinition[] = [
  ["created", "active"] as const,
  ["resolved", "closed"] as const,
  ["canceled", "canceled"] as const,
].map(([word, stage]) => ({
  id: `lifecycle.event.incident.${word}`,
  basis: "wire",
  title: `the timeline records incident.${word}`,
  async check(context: RuleContext) {
    const types = await eventTypes(context, idOf(await declareIn(context, stage)));
    expectThat(types.includes(`incident.${word}`), `an event incident.${word}`, types);
  },
}));

const declared: readonly RuleDefinition[] = over.map((stage) => ({
  id: `lifecycle.event.declared.${stage}`,
  basis: "wire",
  title: `the timeline of an incident declared with a ${stage}-stage status records that it is over`,
  async check(context: RuleContext) {
    const id = idOf(await declare(context, { status_id: idOf(await statusIn(context, stage)) }));
    expectSame("the events", await eventTypes(context, id), ["incident.created", `incident.${ended[stage]}`]);
  },
}));

/** The rules of the incident's lifecycle. */
export const lifecycleRules: readonly ConformanceRule[] = rulesOf("Incident lifecycle stages", [
  ...moves,
  ...duplicates,
  ...leads,
  ...wire,
  ...declared,
]);

/** Rules of the tables "Timeline event" and "Timeline notes", and of what is recorded on a timeline. */

import { equal, type Fields } from "../../../core/json.ts";
import { expectSame, expectShape, expectStatus, expectThat, incidentOf, memberOf } from "../../expectation.ts";
import { every, rows, same } from "../../expected.ts";
import { noted } from "../../fixtures/given.ts";
import { declare, idOf, incidentWithNotes, moveToStage, readIncident, timelineOf } from "../../fixtures/incidents.ts";
import { rowsOf } from "../../fixtures/requests.ts";
import { fieldRules, type RowStep, type Rules, rulesOf } from "../../row.ts";
import type { RuleContext } from "../../rule.ts";
import { type ConformanceRule, NotApplicable } from "../../rule.ts";
import {
  at,
  boolean,
  nonEmptyString,
  nullValue,
  numberAt,
  object,
  oneOf,
  orNull,
  string,
  stringLike,
  textAt,
  timestamp,
  unknownId,
  url,
  type ValueShape,
} from "../../value-shape.ts";

const kinds: readonly string[] = [
  "hypothesis",
  "finding",
  "root_cause",
  "mitigation",
  "decision",
  "blocker",
  "impact",
  "recovery",
];

const eventFields: Readonly<Record<string, ValueShape>> = {
  event_type: nonEmptyString,
  description: string,
  automated: boolean,
  occurred_at: timestamp,
  actor: orNull(object),
  milestone: orNull(object),
};

const milestoneFields: Readonly<Record<string, ValueShape>> = {
  kind: oneOf(...kinds),
  statement: nonEmptyString,
  said_by: nonEmptyString,
  said_at: timestamp,
  message_text: string,
  permalink: url,
  dismissed_at: orNull(timestamp),
};

/** The timeline of the incident that rows may only read, which has no notes, or of the given one. */
function timeline(shows: RowStep["shows"] & {}, incident = "shared"): RowStep {
  return { request: `LIST incidents/{${incident}.id}/timeline?per_page=100`, shows };
}

const isNote = { event_type: "milestone.noted" };

/** The timeline of a new incident that was led, resolved and reopened: several events, none of them a note. */
async function eventful(context: RuleContext): Promise<{ id: string; events: readonly Fields[] }> {
  const id = idOf(await declare(context));
  for (const stage of ["triage", "closed", "active"] as const) expectStatus(await moveToStage(context, id, stage), 200);
  return { id, events: await timelineOf(context, id) };
}

function dismissPath(incident: string, event: Fields): string {
  return `incidents/${incident}/timeline/${idOf(event)}/dismiss`;
}

/** Dismissing cannot be undone, so it is only tried where the caller's workspace is ours or the incident was named. */
async function dismissable(context: RuleContext): Promise<{ id: string; note: Fields }> {
  const { id, notes } = await incidentWithNotes(context, 2);
  if (context.incident === undefined && !context.disposable) {
    throw new NotApplicable(
      "a dismissed note cannot be brought back; name an incident whose note may go (--incident ID)",
    );
  }
  const note = notes.at(-1);
  if (note === undefined) throw new NotApplicable("the incident has no note");
  return { id, note };
}

const events: Rules = {
  ...fieldRules({ id: "timeline.field", subject: "a timeline event's" }, eventFields, (field) => [
    timeline(every(field)),
  ]),
  ...fieldRules(
    { id: "timeline.milestone", subject: "a milestone's", given: { noted: noted(1) } },
    milestoneFields,
    (field) => [timeline(rows(isNote, every({ milestone: field })), "noted")],
  ),
  "timeline.milestone.null": {
    title: "milestone is null on every event that is no note from the channel",
    steps: [timeline(every({ milestone: nullValue }))],
  },
  "timeline.automated.actor": {
    title: "actor is null on automated events",
    given: { noted: noted(1) },
    steps: [timeline(every({ actor: nullValue }, { automated: true }), "noted")],
  },
};

const endpoints: Rules = {
  "timeline.list": {
    title: "GET timeline returns timeline events plus pagination",
    steps: [timeline(every({})), { request: "GET incidents/{shared.id}/timeline", shows: { pagination: { page: 1 } } }],
  },
  "timeline.ordered": {
    title: "the timeline is ordered by time",
    async check(context) {
      const { events } = await eventful(context);
      const times = events.map((event) => Date.parse(textAt(event, "occurred_at")));
      const rising = times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0));
      const falling = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0));
      expectThat(rising || falling, "events in the order of occurred_at", times);
    },
  },
  "timeline.ordered.parallel": {
    title: "changes sent at once are ordered on the timeline, and updated_at is the time of the last one",
    async check(context) {
      const id = idOf(await declare(context));
      const names = Array.from({ length: 20 }, (_, index) => context.name(`renamed ${index}`));
      const exchanges = await Promise.all(names.map((name) => context.client.patch(`incidents/${id}`, { name })));
      const changed = exchanges.map((exchange) => Date.parse(textAt(incidentOf(exchange), "updated_at")));
      const times = (await timelineOf(context, id)).map((event) => Date.parse(textAt(event, "occurred_at")));
      const sorted = [...times].sort((one, other) => one - other);
      expectThat(
        equal(times, sorted) || equal(times, sorted.toReversed()),
        "events in the order of occurred_at",
        times,
      );
      const last = Date.parse(textAt(await readIncident(context, id), "updated_at"));
      expectSame("updated_at", last, Math.max(...changed));
    },
  },
  "timeline.paged": {
    title: "the timeline takes page and per_page",
    async check(context) {
      const { id, events: all } = await eventful(context);
      const second = await context.client.get(`incidents/${id}/timeline?page=2&per_page=1`);
      expectSame("the second page of one", rowsOf(second).map(idOf), [textAt(all[1], "id")], second);
      expectSame("pagination.total", numberAt(second.body, "pagination", "total"), all.length, second);
    },
  },
};

const dismissal = "PATCH incidents/{shared.id}/timeline";

const notes: Rules = {
  "notes.dismissed": {
    title: "dismissing a note returns the note with dismissed_at, and it no longer appears in the timeline",
    async check(context) {
      const { id, note } = await dismissable(context);
      const before = (await timelineOf(context, id)).length;
      const exchange = await context.client.patch(dismissPath(id, note));
      expectStatus(exchange, 200);
      const answered = memberOf(exchange);
      const milestone = at(answered, "milestone") ?? answered;
      expectShape("dismissed_at", at(milestone, "dismissed_at"), timestamp, exchange);
      expectSame("the statement", at(milestone, "statement"), at(note, "milestone", "statement"), exchange);
      const after = await timelineOf(context, id);
      expectSame(
        "the note in the timeline",
        after.some((event) => event.id === note.id),
        false,
      );
      expectSame("the number of events", after.length, before - 1);
    },
  },
  "notes.refused": {
    title: "dismissing anything that is not a note is refused with 422",
    steps: [
      { request: "LIST incidents/{shared.id}/timeline", keep: "before" },
      { request: `${dismissal}/{before.0.id}/dismiss`, refusal: "422" },
      timeline(same("{before}")),
    ],
  },
  "notes.unknown": {
    title: "dismissing what the timeline does not hold returns 404",
    steps: [{ request: `${dismissal}/${unknownId}/dismiss`, refusal: "404 not_found" }],
  },
};

const families = /^(incident|lead|role|action|postmortem|relationship|message|alert|runbook|milestone)\.[a-z_]+$/;

const eventSection: Rules = {
  "events.1.note": {
    title: "1: an event milestone.noted has automated true, actor null and a milestone object",
    given: { noted: noted(1) },
    steps: [timeline(rows(isNote, every({ automated: true, actor: nullValue, milestone: object })), "noted")],
  },
  "events.2.kinds": {
    title: "2: every milestone is of one of the eight kinds",
    given: { noted: noted(1) },
    steps: [timeline(rows(isNote, every({ milestone: { kind: oneOf(...kinds) } })), "noted")],
  },
  "events.types": {
    basis: "wire",
    title: "every event_type is one of those the wire facts name",
    async check(context) {
      const known = stringLike("of a known family of events", families);
      for (const { event_type } of (await eventful(context)).events) expectShape("event_type", event_type, known);
    },
  },
};

/** The rules of timelines and notes. */
export const timelineRules: readonly ConformanceRule[] = [
  ...rulesOf("Timeline event", events),
  ...rulesOf("Endpoints: Timeline, notes, transcript", endpoints),
  ...rulesOf("Timeline notes", notes),
  ...rulesOf("Events", eventSection),
];

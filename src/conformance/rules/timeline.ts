/** Rules of the tables "Timeline event" and "Timeline notes", and of what is recorded on a timeline. */

import { equal, type Fields } from "../../core/json.ts";
import {
  expectRefusal,
  expectSame,
  expectShape,
  expectStatus,
  expectThat,
  incidentOf,
  memberOf,
} from "../expectation.ts";
import {
  declare,
  idOf,
  incidentWithNotes,
  isNote,
  moveToStage,
  readIncident,
  sharedIncident,
  timelineOf,
} from "../fixtures/incidents.ts";
import { rowsOf } from "../fixtures/requests.ts";
import { type ConformanceRule, NotApplicable, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
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
  textAt,
  timestamp,
  url,
  type ValueShape,
} from "../value-shape.ts";

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

const eventFields: readonly (readonly [string, ValueShape])[] = [
  ["event_type", nonEmptyString],
  ["description", string],
  ["automated", boolean],
  ["occurred_at", timestamp],
  ["actor", orNull(object)],
  ["milestone", orNull(object)],
];

const milestoneFields: readonly (readonly [string, ValueShape])[] = [
  ["kind", oneOf(...kinds)],
  ["statement", nonEmptyString],
  ["said_by", nonEmptyString],
  ["said_at", timestamp],
  ["message_text", string],
  ["permalink", url],
  ["dismissed_at", orNull(timestamp)],
];

const eventRows: readonly RuleDefinition[] = eventFields.map(([name, shape]) => ({
  id: `timeline.field.${name}`,
  title: `a timeline event's ${name} is ${shape.description}`,
  async check(context: RuleContext) {
    const events = await timelineOf(context, idOf(await sharedIncident(context)));
    expectThat(events.length > 0, "at least one event", []);
    for (const event of events) expectShape(name, event[name], shape);
  },
}));

const milestoneRows: readonly RuleDefinition[] = milestoneFields.map(([name, shape]) => ({
  id: `timeline.milestone.${name}`,
  title: `a milestone's ${name} is ${shape.description}`,
  async check(context: RuleContext) {
    for (const note of (await incidentWithNotes(context, 1)).notes) {
      expectShape(`milestone.${name}`, at(note, "milestone", name), shape);
    }
  },
}));

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

const events: readonly ConformanceRule[] = rulesOf("Timeline event", [
  ...eventRows,
  ...milestoneRows,
  {
    id: "timeline.milestone.null",
    title: "milestone is null on every event that is no note from the channel",
    async check(context) {
      const listed = await timelineOf(context, idOf(await sharedIncident(context)));
      for (const event of listed.filter((each) => !isNote(each))) expectShape("milestone", event.milestone, nullValue);
    },
  },
  {
    id: "timeline.automated.actor",
    title: "actor is null on automated events",
    async check(context) {
      const { id } = await incidentWithNotes(context, 1);
      for (const event of (await timelineOf(context, id)).filter((each) => each.automated === true)) {
        expectShape("actor", event.actor, nullValue);
      }
    },
  },
]);

const endpoints: readonly ConformanceRule[] = rulesOf("Endpoints: Timeline, notes, transcript", [
  {
    id: "timeline.list",
    title: "GET timeline returns timeline events plus pagination",
    async check(context) {
      const exchange = await context.client.get(`incidents/${idOf(await sharedIncident(context))}/timeline`);
      expectStatus(exchange, 200);
      expectThat(rowsOf(exchange).length > 0, "events", exchange.body ?? null, exchange);
      expectSame("pagination.page", numberAt(exchange.body, "pagination", "page"), 1, exchange);
    },
  },
  {
    id: "timeline.ordered",
    title: "the timeline is ordered by time",
    async check(context) {
      const { events } = await eventful(context);
      const times = events.map((event) => Date.parse(textAt(event, "occurred_at")));
      const rising = times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0));
      const falling = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0));
      expectThat(rising || falling, "events in the order of occurred_at", times);
    },
  },
  {
    id: "timeline.ordered.parallel",
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
  {
    id: "timeline.paged",
    title: "the timeline takes page and per_page",
    async check(context) {
      const { id, events: all } = await eventful(context);
      const second = await context.client.get(`incidents/${id}/timeline?page=2&per_page=1`);
      const rows = rowsOf(second);
      expectSame("the second page of one", rows.map(idOf), [textAt(all[1], "id")], second);
      expectSame("pagination.total", numberAt(second.body, "pagination", "total"), all.length, second);
    },
  },
]);

const notes: readonly ConformanceRule[] = rulesOf("Timeline notes", [
  {
    id: "notes.dismissed",
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
  {
    id: "notes.refused",
    title: "dismissing anything that is not a note is refused with 422",
    async check(context) {
      const id = idOf(await sharedIncident(context));
      const [event] = (await timelineOf(context, id)).filter((each) => !isNote(each));
      if (event === undefined || idOf(event) === "") throw new NotApplicable("the timeline shows no event with an id");
      const before = await timelineOf(context, id);
      expectRefusal(await context.client.patch(dismissPath(id, event)), 422);
      expectSame("the timeline", await timelineOf(context, id), before);
    },
  },
  {
    id: "notes.unknown",
    title: "dismissing what the timeline does not hold returns 404",
    async check(context) {
      const id = idOf(await sharedIncident(context));
      const event = { id: "00000000-0000-4000-8000-000000000000" };
      expectRefusal(await context.client.patch(dismissPath(id, event)), 404, "not_found");
    },
  },
]);

const eventSection: readonly ConformanceRule[] = rulesOf("Events", [
  {
    id: "events.1.note",
    title: "1: an event milestone.noted has automated true, actor null and a milestone object",
    async check(context) {
      for (const note of (await incidentWithNotes(context, 1)).notes) {
        const shown = [note.automated ?? null, note.actor ?? null];
        expectSame("automated and actor", shown, [true, null]);
        expectShape("milestone", note.milestone, object);
      }
    },
  },
  {
    id: "events.2.kinds",
    title: "2: every milestone is of one of the eight kinds",
    async check(context) {
      const listed = (await incidentWithNotes(context, 1)).notes.map((note) => at(note, "milestone", "kind"));
      for (const kind of listed) expectShape("kind", kind, oneOf(...kinds));
    },
  },
  {
    id: "events.types",
    basis: "wire",
    title: "every event_type is one of those the wire facts name",
    async check(context) {
      for (const event of (await eventful(context)).events) {
        const known = /^(incident|lead|role|action|postmortem|relationship|message|alert|runbook|milestone)\.[a-z_]+$/;
        expectThat(known.test(textAt(event, "event_type")), "a known family of events", event.event_type ?? null);
      }
    },
  },
]);

/** The rules of timelines and notes. */
export const timelineRules: readonly ConformanceRule[] = [...events, ...endpoints, ...notes, ...eventSection];

/** Rules of "Incident lifecycle stages": the table row by row, and the two sentences under it. */

import type { Fields } from "../../../core/json.ts";
import { column, longer, not, row } from "../../expected.ts";
import { incident, incidentIn, made } from "../../fixtures/given.ts";
import type { IncidentStage } from "../../fixtures/incidents.ts";
import { forEach, type RowStep, type Rules, rulesOf, type StepOutcome } from "../../row.ts";
import { type ConformanceRule, withArticle } from "../../rule.ts";
import { nullValue, object, oneOf, timestamp } from "../../value-shape.ts";

const live = ["triage", "active"] as const;
const over = ["closed", "canceled"] as const;
/** The word for an incident in each stage that is over. */
const ended = { closed: "resolved", canceled: "canceled" } as const;

const refused: StepOutcome = { refusal: "422 incident_not_active" };

function changed(body: Fields, outcome: StepOutcome = {}): RowStep {
  return { request: "PATCH incidents/{incident.id}", body, ...outcome };
}

function moved(stage: IncidentStage, outcome?: StepOutcome): RowStep {
  return changed({ status_id: `{status.${stage}.id}` }, outcome);
}

function led(outcome?: StepOutcome, person = "{person}"): RowStep {
  return changed({ lead_id: person }, outcome);
}

/** The incident has no time of resolution, as it is read and listed. */
const notResolved: readonly RowStep[] = [
  { request: "READ incidents/{incident.id}", shows: { resolved_at: nullValue } },
  {
    request: "GET incidents?per_page=100",
    shows: { incidents: row({ id: "{incident.id}" }, { resolved_at: nullValue }) },
  },
];

/** The incident is in the stage, as it is read. */
function inStage(stage: IncidentStage, name = "incident"): RowStep {
  return { request: `READ incidents/{${name}.id}`, shows: { status: { lifecycle_stage: stage } } };
}

function linked(relationship: string, outcome: StepOutcome = {}, [from, to] = ["incident", "other"]): RowStep {
  const body = { other_incident_id: `{${to}.id}`, relationship };
  return { request: `POST incidents/{${from}.id}/link`, body, ...outcome };
}

function timeline(outcome: StepOutcome, name = "incident"): RowStep {
  return { request: `LIST incidents/{${name}.id}/timeline?per_page=100`, ...outcome };
}

const two = { other: incident() };
const timelinesKept: readonly RowStep[] = [timeline({ keep: "own" }), timeline({ keep: "others" }, "other")];

/** Both timelines have so many events more than those that were kept. */
function recorded(events: number): readonly RowStep[] {
  return [timeline({ shows: longer("{own}", events) }), timeline({ shows: longer("{others}", events) }, "other")];
}

const moves: Rules = {
  ...forEach(live, (stage) => ({
    [`lifecycle.resolve.${stage}`]: {
      title: `${withArticle(stage)} incident put into a closed-stage status is resolved, and resolved_at is set`,
      given: { incident: incidentIn(stage) },
      steps: [
        moved("closed", {
          status: "200",
          shows: { incident: { status: { lifecycle_stage: "closed" }, resolved_at: timestamp } },
        }),
      ],
    },
  })),
  ...forEach(live, (stage) => ({
    [`lifecycle.cancel.${stage}`]: {
      title: `${withArticle(stage)} incident put into a canceled-stage status is canceled; resolved_at stays null`,
      given: { incident: incidentIn(stage) },
      steps: [
        moved("canceled", {
          status: "200",
          shows: { incident: { status: { lifecycle_stage: "canceled" }, resolved_at: nullValue } },
        }),
      ],
    },
  })),
  ...forEach(over, (from) =>
    forEach(live, (to) => ({
      [`lifecycle.reopen.${from}.${to}`]: {
        title: `a ${ended[from]} incident put into ${withArticle(to)} status is live again`,
        given: { incident: incidentIn(from) },
        // Only a live incident can be resolved.
        steps: [
          moved(to, { shows: { resolved_at: nullValue } }),
          inStage(to),
          ...notResolved,
          moved("closed", { shows: { resolved_at: timestamp } }),
        ],
      },
    })),
  ),
  "lifecycle.resolved.cancel": {
    title: "canceling a resolved incident is refused with 422 incident_not_active and a reason",
    given: { incident: incidentIn("closed") },
    steps: [moved("canceled", refused), inStage("closed")],
  },
  "lifecycle.canceled.resolve": {
    title: "resolving a canceled incident is refused with 422 incident_not_active and a reason",
    given: { incident: incidentIn("canceled") },
    steps: [moved("closed", refused), inStage("canceled")],
  },
  "lifecycle.stage.moved": {
    title:
      "state follows the stage of the status: moved to closed, the status resolves its incidents and sets resolved_at",
    given: { made: made("statuses"), incident: incident({ status_id: "{made.id}" }) },
    steps: [
      {
        request: "PATCH statuses/{made.slug}",
        body: { lifecycle_stage: "closed" },
        notApplicable: [422, "the service does not move a status with incidents"],
      },
      {
        request: "READ incidents/{incident.id}",
        shows: { status: { lifecycle_stage: "closed" }, resolved_at: timestamp },
      },
      led(refused),
    ],
  },
  "lifecycle.refused.single": {
    title: "a refused change of status leaves the other fields of its PATCH unapplied",
    given: { incident: incidentIn("canceled") },
    steps: [
      changed({ summary: "Never", status_id: "{status.closed.id}" }, refused),
      { request: "READ incidents/{incident.id}", shows: { summary: "{incident.summary}" } },
    ],
  },
};

const duplicates: Rules = {
  "lifecycle.duplicate.canceled": {
    title: "a live incident linked as duplicate is canceled; the other stays live",
    given: two,
    steps: [
      linked("duplicate"),
      inStage("canceled"),
      { request: "READ incidents/{other.id}", shows: { status: { lifecycle_stage: oneOf(...live) } } },
    ],
  },
  "lifecycle.duplicate.named": {
    title: "the cancellation by a duplicate link names the incident that absorbed it",
    given: two,
    steps: [linked("duplicate"), timeline({ mentions: ["{other.identifier}", "{other.name}"] })],
  },
  "lifecycle.duplicate.recorded": {
    title: "a duplicate link is recorded on both timelines",
    given: two,
    steps: [
      ...timelinesKept,
      linked("duplicate"),
      timeline({ shows: longer("{own}") }),
      timeline({ shows: longer("{others}") }, "other"),
    ],
  },
  "lifecycle.duplicate.absorber": {
    title: "a duplicate link asks only that the incident itself is live: the absorbing one may be canceled",
    given: { other: incidentIn("canceled") },
    steps: [linked("duplicate"), inStage("canceled")],
  },
  "lifecycle.duplicate.mutual": {
    title: "an incident may be marked as a duplicate of its own duplicate: both are canceled",
    given: two,
    steps: [
      linked("duplicate"),
      linked("duplicate", {}, ["other", "incident"]),
      inStage("canceled"),
      inStage("canceled", "other"),
    ],
  },
  "lifecycle.related.again": {
    title: "a related link that exists already is taken again, and recorded again on both timelines",
    given: two,
    steps: [...timelinesKept, linked("related"), linked("related"), ...recorded(2)],
  },
  ...forEach(over, (stage) => ({
    [`lifecycle.duplicate.refused.${stage}`]: {
      title: `a duplicate link of a ${ended[stage]} incident is refused; reopen first`,
      given: { incident: incidentIn(stage), other: incident() },
      steps: [linked("duplicate", refused), inStage(stage), moved("active"), linked("duplicate")],
    },
  })),
  ...forEach([...live, ...over], (stage) => ({
    [`lifecycle.related.${stage}`]: {
      title: `a related link of an incident in the stage ${stage} leaves it unchanged and is recorded on both timelines`,
      given: { incident: incidentIn(stage), other: incident() },
      steps: [...timelinesKept, linked("related"), inStage(stage), ...recorded(1)],
    },
  })),
};

const leads: Rules = {
  ...forEach(live, (stage) => ({
    [`lifecycle.lead.${stage}`]: {
      title: `lead_id on ${withArticle(stage)} incident assigns the lead and leaves the stage`,
      given: { incident: incidentIn(stage) },
      steps: [led({ status: "200", shows: { lead: object } }), inStage(stage)],
    },
  })),
  "lifecycle.lead.changed": {
    title: "a lead may be followed by another",
    steps: [led({ keep: "first" }), led({ shows: { lead: { id: not("{first.lead.id}") } } }, "{otherPerson}")],
  },
  "lifecycle.lead.announced": {
    title: "a lead's assignment is seen on the timeline",
    basis: "wire",
    steps: [led(), timeline({ shows: row({ event_type: "lead.assigned" }) })],
  },
  ...forEach(over, (stage) => ({
    [`lifecycle.lead.refused.${stage}`]: {
      title: `lead_id on a ${ended[stage]} incident is refused with 422 incident_not_active`,
      given: { incident: incidentIn(stage) },
      steps: [led(refused), { request: "READ incidents/{incident.id}", shows: { lead: nullValue } }],
    },
  })),
  "lifecycle.lead.null": {
    title: "once an incident has a lead, sending lead_id as null is refused with 422",
    steps: [
      led(),
      changed({ lead_id: null }, { refusal: "422" }),
      { request: "READ incidents/{incident.id}", shows: { lead: object } },
    ],
  },
  "lifecycle.lead.service-id": {
    title: "lead_id takes an email address or a chat user ID, and not the service ID that lead shows",
    steps: [led({ refusal: "404 not_found" }, "{memberId}")],
  },
  "lifecycle.lead.nobody": {
    title: "a lead_id that matches nobody returns 404",
    steps: [led({ refusal: "404 not_found" }, "nobody@conformance.invalid")],
  },
};

const wire: Rules = {
  ...forEach(
    [
      ["created", "active"],
      ["resolved", "closed"],
      ["canceled", "canceled"],
    ] as const,
    ([word, stage]) => ({
      [`lifecycle.event.incident.${word}`]: {
        basis: "wire",
        title: `the timeline records incident.${word}`,
        given: { incident: incidentIn(stage) },
        steps: [timeline({ shows: row({ event_type: `incident.${word}` }) })],
      },
    }),
  ),
  ...forEach(over, (stage) => ({
    [`lifecycle.event.declared.${stage}`]: {
      basis: "wire",
      title: `the timeline of an incident declared with a ${stage}-stage status records that it is over`,
      given: { incident: incident({ status_id: `{status.${stage}.id}` }) },
      steps: [timeline({ shows: column("event_type", ["incident.created", `incident.${ended[stage]}`]) })],
    },
  })),
};

const stageEvents: Rules = {
  "lifecycle.event.moves": {
    basis: "wire",
    title: "the timeline names each move: updated, accepted out of triage, resolved, reopened, canceled",
    steps: [
      ...(["triage", "active", "closed", "active", "canceled"] as const).map((stage) => moved(stage)),
      timeline({
        shows: column(
          "event_type",
          ["created", "updated", "accepted", "resolved", "reopened", "canceled"].map((word) => `incident.${word}`),
        ),
      }),
    ],
  },
  "lifecycle.event.related": {
    basis: "wire",
    title: "a related link returns { incident_id, other_incident_id, relationship } and is relationship.created",
    given: two,
    steps: [
      linked("related", {
        status: "201",
        shows: { incident_id: "{incident.id}", other_incident_id: "{other.id}", relationship: "related" },
      }),
      ...["incident", "other"].map((name) =>
        timeline({ shows: column("event_type", ["incident.created", "relationship.created"]) }, name),
      ),
    ],
  },
  "lifecycle.event.duplicate": {
    basis: "wire",
    title: "a duplicate link is incident.marked_duplicate and incident.canceled, and incident.merged_into of the other",
    given: two,
    steps: [
      linked("duplicate", { status: "201" }),
      timeline({
        shows: column("event_type", ["incident.created", "incident.marked_duplicate", "incident.canceled"]),
      }),
      timeline({ shows: column("event_type", ["incident.created", "incident.merged_into"]) }, "other"),
    ],
  },
};

/** The rules of the incident's lifecycle. */
export const lifecycleRules: readonly ConformanceRule[] = rulesOf("Incident lifecycle stages", {
  ...moves,
  ...duplicates,
  ...leads,
  ...wire,
  ...stageEvents,
});

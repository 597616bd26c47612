/** Rules of action items and of the other responder actions. */

import type { Fields } from "../../../core/json.ts";
import { type Expected, likeKept, row, rows } from "../../expected.ts";
import { incident, made, onSeverity, posted } from "../../fixtures/given.ts";
import { declare } from "../../fixtures/incidents.ts";
import { forEach, type Row, type RowStep, type Rules, rulesOf, type StepOutcome } from "../../row.ts";
import type { ConformanceRule } from "../../rule.ts";
import { type Given, openScope } from "../../scope.ts";
import { absent, nonEmptyString, object, oneOf, orNull, timestamp, unknownId, uuid } from "../../value-shape.ts";

const nobody = "nobody@conformance.invalid";
const itemsPath = "incidents/{incident.id}/action_items";

function item(fields: Fields = {}) {
  return posted(itemsPath, { description: "Restart the consumer", ...fields });
}

function added(fields: Fields, outcome: StepOutcome): RowStep {
  return { request: `POST ${itemsPath}`, body: { description: "Restart the consumer", ...fields }, ...outcome };
}

function changed(body: Fields, outcome: StepOutcome): RowStep {
  return { request: `PATCH ${itemsPath}/{item.id}`, body, ...outcome };
}

function listed(shows: Expected): RowStep {
  return { request: `LIST ${itemsPath}`, shows };
}

/** Somebody holds the item. The document shows no name for the field, so the wire facts' is read. */
const held: Expected = { assignee: object };

const itemShape: Expected = {
  id: uuid,
  description: nonEmptyString,
  status: oneOf("open", "in_progress", "done"),
  kind: nonEmptyString,
  incident_id: "{incident.id}",
  created_by: object,
  assignee: orNull(object),
  created_at: timestamp,
};

const items: Rules = {
  "items.post": {
    title: "POST adds an item, whose id is a UUID, and GET lists it",
    given: { item: item() },
    steps: [listed(row({ id: "{item.id}" }, { id: uuid, description: "Restart the consumer" }))],
  },
  "items.description": {
    title: "description is required",
    steps: [{ request: `POST ${itemsPath}`, body: { kind: "action" }, refusal: "400 or 422" }, listed([])],
  },
  "items.kind": {
    title: "kind is action or followup",
    steps: [
      ...["action", "followup"].map((kind) => added({ kind }, { shows: { kind } })),
      added({ kind: "wish" }, { refusal: "422 validation_error" }),
    ],
  },
  "items.kind.optional": {
    title: "kind is optional",
    steps: [added({}, { shows: { kind: oneOf("action", "followup") } })],
  },
  "items.assignee.email": {
    title: "assignee_id is a person by email address",
    steps: [added({ assignee_id: "{person}" }, { shows: held })],
  },
  "items.assignee.chat": {
    title: "assignee_id is a person by chat-platform user ID: the same person as by email",
    steps: [
      added({ assignee_id: "{chatId}" }, { shows: held, keep: "byChat" }),
      added({ assignee_id: "{person}" }, { shows: { assignee: "{byChat.assignee}" } }),
    ],
  },
  "items.assignee.none": {
    title: "assignee_id may be null: nobody holds the item yet",
    steps: [added({ assignee_id: null }, { shows: { assignee: orNull(absent) } })],
  },
  "items.assignee.nobody": {
    title: "an assignee_id that matches nobody yields 404",
    steps: [
      added({ assignee_id: nobody }, { refusal: "404 not_found" }),
      listed([]),
      added({}, { keep: "item" }),
      changed({ assignee_id: nobody }, { refusal: "404" }),
    ],
  },
  "items.taken": {
    title: "assignee_id null in a PATCH takes the item yourself",
    given: { item: item() },
    steps: [changed({ assignee_id: null }, { status: "200", shows: held })],
  },
  "items.handed": {
    title: "assignee_id of another person hands the item over",
    given: {
      incident: incident(),
      item: item({ assignee_id: "{person}" }),
      handed: item({ assignee_id: "{otherPerson}" }),
    },
    steps: [changed({ assignee_id: "{otherPerson}" }, { status: "200", shows: { assignee: "{handed.assignee}" } })],
  },
  "items.done": {
    title: "status done finishes the item: the open work no longer shows it as open",
    given: { open: item(), item: item() },
    steps: [
      changed({ status: "done" }, { status: "200", shows: { status: "done" } }),
      listed(rows({ status: "open" }, [{ id: "{open.id}" }])),
    ],
  },
  "items.unknown": {
    title: "an item the incident does not have returns 404",
    given: {
      other: incident(),
      item: posted("incidents/{other.id}/action_items", { description: "Elsewhere" }),
      incident: incident(),
    },
    steps: [
      changed({ status: "done" }, { refusal: "404 not_found" }),
      { request: `PATCH ${itemsPath}/${unknownId}`, body: { status: "done" }, refusal: "404 not_found" },
    ],
  },
  "items.status": {
    basis: "wire",
    title: "adding an item returns 201",
    steps: [added({}, { status: "201" })],
  },
  "items.shape": {
    basis: "wire",
    title: "an item is { id, description, status, kind, incident_id, created_by, assignee, created_at }",
    steps: [
      added({}, { shows: itemShape, keep: "item" }),
      listed(row({ id: "{item.id}" }, likeKept("item"))),
      { request: `PATCH ${itemsPath}/{item.id}`, body: { status: "done" }, shows: likeKept("item", "status") },
    ],
  },
};

/** The three actions that name a person, with the bodies the wire facts give. */
const naming: readonly (readonly [action: string, body: (person: string) => Fields])[] = [
  ["escalate", (person) => ({ member_id: person, reason: "You know the queue" })],
  ["invite", (person) => ({ member_ids: [person] })],
  ["shoutout", (person) => ({ member_id: person, message: "Thank you" })],
];

function asked(action: string, body: Fields, outcome: StepOutcome = {}): RowStep {
  return { request: `POST incidents/{incident.id}/${action}`, body, ...outcome };
}

/** An incident with a runbook of two steps: one for the session, since a runbook that was attached cannot be deleted. */
const attachedRunbook: Given = ({ context }) =>
  context.once("attached runbook", async () => {
    const scope = openScope(context);
    scope.keep("severity", await made("severities")(scope));
    const steps = [{ title: "Open the bridge" }, { title: "Say what is known" }];
    await made("runbooks", { steps, conditions: [onSeverity] })(scope);
    return declare(context, await scope.fill({ severity_id: "{severity.id}" }));
  });

/** The step of the attached runbook is claimed. */
function claimed(step: number, outcome: StepOutcome): Pick<Row, "given" | "steps"> {
  return {
    given: { incident: attachedRunbook },
    steps: [
      {
        request: "GET incidents/{incident.id}/runbooks",
        notApplicable: [404, "the interface shows nowhere the ids of an attached runbook and its steps"],
        keep: "attached",
      },
      asked(
        "runbook_steps/claim",
        { runbook_id: "{attached.runbooks.0.id}", step_id: `{attached.runbooks.0.steps.${step}.id}` },
        outcome,
      ),
    ],
  };
}

const actions: Rules = {
  ...forEach(naming, ([action, body]) => ({
    [`responders.${action}.email`]: {
      title: `${action} names a person by email address`,
      steps: [asked(action, body("{person}"))],
    },
    [`responders.${action}.chat`]: {
      title: `${action} names a person by chat-platform user ID`,
      steps: [asked(action, body("{chatId}"))],
    },
    [`responders.${action}.nobody`]: {
      title: `${action} of a name that matches nobody yields 404`,
      steps: [asked(action, body(nobody), { refusal: "404 not_found" })],
    },
  })),
  "responders.service-id": {
    title: "a person is named by email or chat user ID, not by a service ID",
    steps: [asked("escalate", { member_id: "{memberId}", reason: "x" }, { refusal: "404 not_found" })],
  },
  "responders.escalate.recorded": {
    basis: "wire",
    title:
      "escalate returns 201 with { incident_id, escalated_to, reason, acknowledged: false } and is seen on the timeline",
    steps: [
      asked(
        "escalate",
        { member_id: "{person}", reason: "You know the queue" },
        { status: "201", shows: { incident_id: "{incident.id}", reason: "You know the queue", acknowledged: false } },
      ),
      { request: "LIST incidents/{incident.id}/timeline", shows: row({ event_type: "incident.escalated" }) },
    ],
  },
  "responders.invite.again": {
    basis: "wire",
    title: "invite answers who was invited, and on a repeat who is already here",
    steps: [
      asked("invite", { member_ids: ["{otherPerson}"] }, { shows: { invited: [object] } }),
      asked("invite", { member_ids: ["{otherPerson}"] }, { shows: { invited: [] } }),
    ],
  },
  "responders.shoutout.status": {
    basis: "wire",
    title: "shoutout returns 201 with { id, incident_id, to }",
    steps: [
      asked(
        "shoutout",
        { member_id: "{person}", message: "Thank you" },
        { status: "201", shows: { id: uuid, incident_id: "{incident.id}", to: object } },
      ),
    ],
  },
  "responders.link.relationship": {
    title: "relationship is related or duplicate",
    given: { other: incident() },
    steps: [
      asked("link", { other_incident_id: "{other.id}", relationship: "cousin" }, { refusal: "422 validation_error" }),
    ],
  },
  "responders.link.unknown": {
    title: "a link to an incident that does not exist yields 404",
    steps: [asked("link", { other_incident_id: unknownId, relationship: "related" }, { refusal: "404 not_found" })],
  },
  "responders.link.itself": {
    basis: "wire",
    title: "a link of an incident to itself is refused with 422",
    steps: [asked("link", { other_incident_id: "{incident.id}", relationship: "related" }, { refusal: "422" })],
  },
  "responders.claim": {
    title: "a runbook step claim takes one step of an attached runbook",
    ...claimed(0, {}),
  },
  "responders.claim.status": {
    basis: "wire",
    title: "a runbook step claim returns 201 with the action item",
    ...claimed(1, { status: "201", shows: itemShape }),
  },
  "responders.claim.unknown": {
    title: "claiming a step of a runbook that is not attached is refused",
    steps: [asked("runbook_steps/claim", { runbook_id: unknownId, step_id: unknownId }, { status: "404 or 422" })],
  },
};

/** The rules of action items and responder actions. */
export const responderRules: readonly ConformanceRule[] = [
  ...rulesOf("Action item", items),
  ...rulesOf("Responder actions", actions),
];

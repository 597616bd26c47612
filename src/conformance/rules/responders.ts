/** Rules of action items and of the other responder actions. */

import type { Fields } from "../../core/json.ts";
import type { Exchange } from "../client.ts";
import {
  expectInvalid,
  expectRefusal,
  expectSame,
  expectShape,
  expectStatus,
  expectSuccess,
  expectThat,
  memberOf,
} from "../expectation.ts";
import { findResource } from "../fixtures/configuration-resources.ts";
import { declare, idOf, severityId, timelineOf } from "../fixtures/incidents.ts";
import { createMember, rowsOf } from "../fixtures/requests.ts";
import { type ConformanceRule, NotApplicable, type RuleDefinition, rulesOf } from "../rule.ts";
import type { RuleContext } from "../rule-context.ts";
import {
  at,
  nonEmptyString,
  object,
  objectWith,
  oneOf,
  orNull,
  rowsAt,
  textAt,
  timestamp,
  unknownId,
  uuid,
} from "../value-shape.ts";

const nobody = "nobody@conformance.invalid";

async function addItem(context: RuleContext, incident: string, fields: Fields = {}): Promise<Fields> {
  const body = { description: "Restart the consumer", ...fields };
  return memberOf(await context.client.post(`incidents/${incident}/action_items`, body));
}

async function itemsOf(context: RuleContext, incident: string): Promise<readonly Fields[]> {
  return rowsOf(await context.client.get(`incidents/${incident}/action_items`));
}

function changeItem(context: RuleContext, incident: string, item: Fields, fields: Fields): Promise<Exchange> {
  return context.client.patch(`incidents/${incident}/action_items/${idOf(item)}`, fields);
}

/** The holder of an item; the document shows no name for the field, so the wire facts' is read. */
function holderOf(item: Fields | undefined): string {
  return textAt(item, "assignee", "email") || textAt(item, "assignee", "id");
}

const items: readonly ConformanceRule[] = rulesOf("Action item", [
  {
    id: "items.post",
    title: "POST adds an item, whose id is a UUID, and GET lists it",
    async check(context) {
      const id = idOf(await declare(context));
      const item = await addItem(context, id);
      expectShape("id", item.id, uuid);
      const listed = (await itemsOf(context, id)).find((each) => each.id === item.id);
      expectSame("description", listed?.description, "Restart the consumer");
    },
  },
  {
    id: "items.description",
    title: "description is required",
    async check(context) {
      const id = idOf(await declare(context));
      expectInvalid(await context.client.post(`incidents/${id}/action_items`, { kind: "action" }));
      expectSame("the items", await itemsOf(context, id), []);
    },
  },
  {
    id: "items.kind",
    title: "kind is action or followup",
    async check(context) {
      const id = idOf(await declare(context));
      for (const kind of ["action", "followup"]) {
        expectSame("kind", (await addItem(context, id, { kind })).kind, kind);
      }
      const exchange = await context.client.post(`incidents/${id}/action_items`, { description: "x", kind: "wish" });
      expectRefusal(exchange, 422, "validation_error");
    },
  },
  {
    id: "items.kind.optional",
    title: "kind is optional",
    async check(context) {
      expectShape("kind", (await addItem(context, idOf(await declare(context)))).kind, oneOf("action", "followup"));
    },
  },
  {
    id: "items.assignee.email",
    title: "assignee_id is a person by email address",
    async check(context) {
      const item = await addItem(context, idOf(await declare(context)), { assignee_id: context.person });
      expectThat(holderOf(item) !== "", "a holder", item);
    },
  },
  {
    id: "items.assignee.chat",
    title: "assignee_id is a person by chat-platform user ID: the same person as by email",
    async check(context) {
      const id = idOf(await declare(context));
      const byChat = await addItem(context, id, { assignee_id: context.chatId });
      const byEmail = await addItem(context, id, { assignee_id: context.person });
      expectThat(holderOf(byChat) !== "", "a holder", byChat);
      expectSame("the holder", holderOf(byChat), holderOf(byEmail));
    },
  },
  {
    id: "items.assignee.none",
    title: "assignee_id may be null: nobody holds the item yet",
    async check(context) {
      const item = await addItem(context, idOf(await declare(context)), { assignee_id: null });
      expectSame("the holder", holderOf(item), "");
    },
  },
  {
    id: "items.assignee.nobody",
    title: "an assignee_id that matches nobody yields 404",
    async check(context) {
      const id = idOf(await declare(context));
      const path = `incidents/${id}/action_items`;
      const exchange = await context.client.post(path, { description: "x", assignee_id: nobody });
      expectRefusal(exchange, 404, "not_found");
      expectSame("the items", await itemsOf(context, id), []);
      expectRefusal(await changeItem(context, id, await addItem(context, id), { assignee_id: nobody }), 404);
    },
  },
  {
    id: "items.taken",
    title: "assignee_id null in a PATCH takes the item yourself",
    async check(context) {
      const id = idOf(await declare(context));
      const item = await addItem(context, id);
      const exchange = await changeItem(context, id, item, { assignee_id: null });
      expectStatus(exchange, 200);
      expectThat(holderOf(memberOf(exchange)) !== "", "a holder", memberOf(exchange), exchange);
    },
  },
  {
    id: "items.handed",
    title: "assignee_id of another person hands the item over",
    async check(context) {
      const id = idOf(await declare(context));
      const item = await addItem(context, id, { assignee_id: context.person });
      const exchange = await changeItem(context, id, item, { assignee_id: context.otherPerson });
      expectStatus(exchange, 200);
      const handed = await addItem(context, id, { assignee_id: context.otherPerson });
      expectSame("the holder", holderOf(memberOf(exchange)), holderOf(handed), exchange);
    },
  },
  {
    id: "items.done",
    title: "status done finishes the item: the open work no longer shows it as open",
    async check(context) {
      const id = idOf(await declare(context));
      const [open, done] = [await addItem(context, id), await addItem(context, id)];
      const exchange = await changeItem(context, id, done, { status: "done" });
      expectStatus(exchange, 200);
      expectSame("status", memberOf(exchange).status, "done", exchange);
      const rows = (await itemsOf(context, id)).filter((item) => item.status !== "done");
      expectSame("the open items", rows.map(idOf), [idOf(open)]);
    },
  },
  {
    id: "items.unknown",
    title: "an item the incident does not have returns 404",
    async check(context) {
      const id = idOf(await declare(context));
      const elsewhere = await addItem(context, idOf(await declare(context)));
      for (const item of [elsewhere, { id: unknownId }]) {
        expectRefusal(await changeItem(context, id, item, { status: "done" }), 404, "not_found");
      }
    },
  },
  {
    id: "items.shape",
    basis: "wire",
    title: "an item is { id, description, status, kind, incident_id, created_by, assignee, created_at }",
    async check(context) {
      const id = idOf(await declare(context));
      const shape = objectWith({
        id: uuid,
        description: nonEmptyString,
        status: oneOf("open", "in_progress", "done"),
        kind: nonEmptyString,
        incident_id: oneOf(id),
        created_by: object,
        assignee: orNull(object),
        created_at: timestamp,
      });
      expectShape("the item", await addItem(context, id), shape);
      for (const item of await itemsOf(context, id)) expectShape("the listed item", item, shape);
    },
  },
]);

/** The three actions that name a person, with the bodies the wire facts give. */
const naming: readonly (readonly [string, (person: string) => Fields])[] = [
  ["escalate", (person) => ({ member_id: person, reason: "You know the queue" })],
  ["invite", (person) => ({ member_ids: [person] })],
  ["shoutout", (person) => ({ member_id: person, message: "Thank you" })],
];

const namingRows: readonly RuleDefinition[] = naming.flatMap(([action, body]): readonly RuleDefinition[] => [
  {
    id: `responders.${action}.email`,
    title: `${action} names a person by email address`,
    async check(context) {
      const path = `incidents/${idOf(await declare(context))}/${action}`;
      expectSuccess(await context.client.post(path, body(context.person)));
    },
  },
  {
    id: `responders.${action}.chat`,
    title: `${action} names a person by chat-platform user ID`,
    async check(context) {
      const path = `incidents/${idOf(await declare(context))}/${action}`;
      expectSuccess(await context.client.post(path, body(context.chatId)));
    },
  },
  {
    id: `responders.${action}.nobody`,
    title: `${action} of a name that matches nobody yields 404`,
    async check(context) {
      const path = `incidents/${idOf(await declare(context))}/${action}`;
      expectRefusal(await context.client.post(path, body(nobody)), 404, "not_found");
    },
  },
]);

const actions: readonly ConformanceRule[] = rulesOf("Responder actions", [
  ...namingRows,
  {
    id: "responders.service-id",
    title: "a person is named by email or chat user ID, not by a service ID",
    async check(context) {
      const id = idOf(await declare(context));
      const led = await context.client.patch(`incidents/${id}`, { lead_id: context.person });
      const member = textAt(led.body, "incident", "lead", "id");
      if (member === "") throw new NotApplicable("the service shows no member's ID on a lead");
      const body = { member_id: member, reason: "x" };
      expectRefusal(await context.client.post(`incidents/${id}/escalate`, body), 404, "not_found");
    },
  },
  {
    id: "responders.escalate.recorded",
    basis: "wire",
    title:
      "escalate returns 201 with { incident_id, escalated_to, reason, acknowledged: false } and is seen on the timeline",
    async check(context) {
      const id = idOf(await declare(context));
      const exchange = await context.client.post(`incidents/${id}/escalate`, {
        member_id: context.person,
        reason: "You know the queue",
      });
      expectStatus(exchange, 201);
      const shown = ["incident_id", "reason", "acknowledged"].map((name) => at(exchange.body, name) ?? null);
      expectSame("incident_id, reason and acknowledged", shown, [id, "You know the queue", false], exchange);
      const types = (await timelineOf(context, id)).map((event) => textAt(event, "event_type"));
      expectThat(types.includes("incident.escalated"), "an event incident.escalated", types);
    },
  },
  {
    id: "responders.invite.again",
    basis: "wire",
    title: "invite answers who was invited, and on a repeat who is already here",
    async check(context) {
      const path = `incidents/${idOf(await declare(context))}/invite`;
      const first = await context.client.post(path, { member_ids: [context.otherPerson] });
      expectSame("the number invited", rowsAt(first.body, "invited").length, 1, first);
      const second = await context.client.post(path, { member_ids: [context.otherPerson] });
      expectSame("the number invited again", rowsAt(second.body, "invited").length, 0, second);
    },
  },
  {
    id: "responders.link.relationship",
    title: "relationship is related or duplicate",
    async check(context) {
      const [id, other] = [idOf(await declare(context)), idOf(await declare(context))];
      const body = { other_incident_id: other, relationship: "cousin" };
      expectRefusal(await context.client.post(`incidents/${id}/link`, body), 422, "validation_error");
    },
  },
  {
    id: "responders.link.unknown",
    title: "a link to an incident that does not exist yields 404",
    async check(context) {
      const id = idOf(await declare(context));
      const body = { other_incident_id: unknownId, relationship: "related" };
      expectRefusal(await context.client.post(`incidents/${id}/link`, body), 404, "not_found");
    },
  },
  {
    id: "responders.claim",
    title: "a runbook step claim takes one step of an attached runbook",
    async check(context) {
      const kind = findResource("severities");
      const severity = await createMember(context, kind);
      const condition = { condition_field: "severity", operator: "one_of", values: [textAt(severity, "slug")] };
      await createMember(context, findResource("runbooks"), {
        steps: [{ title: "Open the bridge" }, { title: "Say what is known" }],
        conditions: [condition],
      });
      const id = idOf(await declare(context, { severity_id: idOf(severity) }));
      const attached = await attachedRunbook(context, id);
      const exchange = await context.client.post(`incidents/${id}/runbook_steps/claim`, attached);
      await context.client.patch(`incidents/${id}`, { severity_id: await severityId(context) });
      expectSuccess(exchange);
    },
  },
  {
    id: "responders.claim.unknown",
    title: "claiming a step of a runbook that is not attached is refused",
    async check(context) {
      const id = idOf(await declare(context));
      const body = { runbook_id: unknownId, step_id: unknownId };
      const exchange = await context.client.post(`incidents/${id}/runbook_steps/claim`, body);
      expectStatus(exchange, 404, 422);
    },
  },
]);

/** The attachment and the first step of an attached runbook, where the service shows them on any incident surface. */
async function attachedRunbook(context: RuleContext, incident: string): Promise<Fields> {
  const exchange = await context.client.get(`incidents/${incident}/runbooks`);
  const [attachment] = rowsAt(exchange.body, "runbooks");
  const step = textAt(attachment, "steps", 0, "id");
  if (attachment === undefined || step === "") {
    throw new NotApplicable("the interface shows nowhere the ids of an attached runbook and its steps");
  }
  return { runbook_id: idOf(attachment), step_id: step };
}

/** The rules of action items and responder actions. */
export const responderRules: readonly ConformanceRule[] = [...items, ...actions];

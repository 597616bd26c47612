/** The room in which one step of an attached runbook is taken: the step becomes an action item of whoever takes it. */

import type { BodyShape, ValueOf } from "../../http/body-schema.ts";
import { refused } from "../../http/http-error.ts";
import { findIncident } from "../incidents/incident.ts";
import { createItem, itemView } from "../responders/action-items.ts";
import { actorOf, findPerson, memberActor } from "../responders/people.ts";
import { type Answer, type Call, created, type Room, route } from "../room.ts";
import { attachedSteps, findAttachedStep } from "./runbook-attachments.ts";

const claim = {
  type: "object",
  required: ["runbook_id", "step_id"],
  properties: {
    runbook_id: { type: "string", description: "The id of the attachment, from GET /incidents/:id/runbooks." },
    step_id: { type: "string" },
    member_id: {
      type: ["string", "null"],
      description: "Who takes it, by email or chat user ID; the caller when absent.",
    },
  },
} as const satisfies BodyShape;

/** The room of claims. */
export const runbookClaims: Room = {
  tables: [],
  routes: [
    route({
      method: "POST",
      path: "/incidents/:id/runbook_steps/claim",
      summary: "Takes one step of an attached runbook.",
      needs: "incidents.update",
      body: claim,
      handle: claimStep,
    }),
  ],
};

function claimStep(call: Call<ValueOf<typeof claim>>): Answer {
  const { database, body, principal } = call;
  const incident = findIncident(database, call.param("id"));
  const step = findAttachedStep(database, incident, body.runbook_id, body.step_id);
  if (step.action_item_id !== null) throw refused("Somebody has taken this step already.");
  const caller = actorOf(principal);
  const assignee = body.member_id == null ? caller : memberActor(findPerson(database, body.member_id));
  const item = createItem(call, incident, {
    description: step.title,
    kind: "action",
    created_by: caller,
    assignee,
    status: "in_progress",
  });
  database.update(attachedSteps, step.id, { action_item_id: item.id });
  return created(itemView(item));
}

/** Claims of runbook steps: a claimed step becomes an action item of its assignee. */

import { unprocessable } from "../../http/http-error.ts";
import { present } from "../../http/response-schema.ts";
import type { BodySchema, SchemaValue } from "../../http/value-schema.ts";
import {
  created,
  type DeclaredResult,
  endpoint,
  type RequestContext,
  type ServiceModule,
} from "../../service/module.ts";
import { findIncident } from "../incident-record/incident.ts";
import { actorOf, findPerson, memberActor } from "../people.ts";
import { actionItemSchema, createItem } from "../responders/action-items.ts";
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
} as const satisfies BodySchema;

/** The module of claims. */
export const runbookClaims: ServiceModule = {
  tables: [],
  endpoints: [
    endpoint({
      method: "POST",
      path: "/incidents/:id/runbook_steps/claim",
      operationId: "claimRunbookStep",
      summary: "Takes one step of an attached runbook.",
      requiredAbility: "incidents.update",
      body: claim,
      responses: { 201: actionItemSchema },
      handle: claimStep,
    }),
  ],
};

function claimStep(
  request: RequestContext<SchemaValue<typeof claim>>,
): DeclaredResult<{ 201: typeof actionItemSchema }> {
  const { database, body, principal } = request;
  const incident = findIncident(database, request.param("id"));
  const step = findAttachedStep(database, incident, body.runbook_id, body.step_id);
  if (step.action_item_id !== null) throw unprocessable("Somebody has taken this step already.");
  const caller = actorOf(principal);
  const assignee = body.member_id == null ? caller : memberActor(findPerson(database, body.member_id));
  const item = createItem(request, incident, {
    description: step.title,
    kind: "action",
    created_by: caller,
    assignee,
    status: "in_progress",
  });
  database.update(attachedSteps, step.id, { action_item_id: item.id });
  return created(present(actionItemSchema, item));
}

/** Links between incidents: related ones and duplicates. */

import { randomUUID } from "node:crypto";
import { unprocessable } from "../../http/http-error.ts";
import { objectSchema, uuid } from "../../http/response-schema.ts";
import type { BodySchema } from "../../http/value-schema.ts";
import { created, endpoint, type ServiceModule } from "../../service/module.ts";
import type { TransactionContext } from "../../service/service-context.ts";
import type { Database } from "../../store/database.ts";
import { type RowOfColumns, rowTable, type Table } from "../../store/table.ts";
import { recordEvent } from "../incident-record/event.ts";
import {
  findIncident,
  type IncidentRow,
  identifierOf,
  incidentNotActive,
  isLive,
  stageOf,
  stateWord,
  statusOf,
} from "../incident-record/incident.ts";
import type { OptionRow } from "../option-lists/option-list.ts";
import { statusTable } from "../option-lists/option-lists.ts";
import { type Actor, actorOf } from "../people.ts";
import { moveIncident } from "./change.ts";

const relationships = ["related", "duplicate"] as const;

const linkColumns = {
  id: { type: "string" },
  incident_id: { type: "string" },
  other_incident_id: { type: "string" },
  relationship: { type: "string", enum: relationships as typeof relationships },
} as const;

/** A link from one incident to another. */
type LinkRow = RowOfColumns<typeof linkColumns>;

/** The links of all incidents. */
export const links: Table<LinkRow> = rowTable(
  "incident_links",
  linkColumns,
  "UNIQUE (incident_id, other_incident_id, relationship)",
);

const link = {
  type: "object",
  required: ["other_incident_id", "relationship"],
  properties: {
    other_incident_id: { type: "string", examples: ["0f8c3a52-6c1d-4f0e-9b7a-2d5e8c4b1a90"] },
    relationship: { type: "string", enum: relationships },
  },
} as const satisfies BodySchema;

const linkResult = objectSchema("IncidentLink", {
  incident_id: uuid,
  other_incident_id: uuid,
  relationship: { type: "string", enum: relationships },
  status: { type: "string", description: "The slug of the incident's status.", examples: ["investigating"] },
});

export const linkModule: ServiceModule = {
  tables: [links],
  endpoints: [
    endpoint({
      method: "POST",
      path: "/incidents/:id/link",
      operationId: "linkIncident",
      summary: "Links an incident to another: as related, or as its duplicate, which cancels the incident.",
      requiredAbility: "incidents.update",
      body: link,
      responses: { 201: linkResult },
      handle: (request) => {
        const { database, body } = request;
        const incident = findIncident(database, request.param("id"));
        const other = findIncident(database, body.other_incident_id);
        if (incident.id === other.id) throw unprocessable("An incident cannot be linked to itself.");
        const actor = actorOf(request.principal);
        if (body.relationship === "related") linkAsRelated(request, incident, other, actor);
        else markDuplicate(request, incident, other, actor);
        return created({
          incident_id: incident.id,
          other_incident_id: other.id,
          relationship: body.relationship,
          status: statusOf(database, findIncident(database, incident.id)).slug,
        });
      },
    }),
  ],
};

function linkAsRelated(transaction: TransactionContext, incident: IncidentRow, other: IncidentRow, actor: Actor): void {
  storeLink(transaction.database, incident, other, "related");
  for (const [from, to] of [
    [incident, other],
    [other, incident],
  ] as const) {
    const description = `${actor.name} linked ${identifierOf(to)} (${to.name}) as related`;
    recordEvent(transaction, from, { type: "relationship.created", description, actor });
  }
}

/** Cancels a duplicate and records the link on both timelines. Throws 422 unless the duplicate is live. */
export function markDuplicate(
  transaction: TransactionContext,
  duplicate: IncidentRow,
  absorber: IncidentRow,
  actor: Actor,
): void {
  const { database } = transaction;
  const stage = stageOf(database, duplicate);
  if (!isLive(stage))
    throw incidentNotActive(`The incident is ${stateWord(stage)}; reopen it before marking it as a duplicate`);
  storeLink(database, duplicate, absorber, "duplicate");
  const name = `${identifierOf(absorber)} (${absorber.name})`;
  const marked = `${actor.name} marked this incident as a duplicate of ${name}`;
  recordEvent(transaction, duplicate, { type: "incident.marked_duplicate", description: marked, actor });
  const description = `Canceled as a duplicate: ${name} absorbed this incident`;
  moveIncident(transaction, duplicate, canceledStatus(database), { type: "incident.canceled", description, actor });
  const merged = `${identifierOf(duplicate)} (${duplicate.name}) was merged into this incident as a duplicate`;
  recordEvent(transaction, absorber, { type: "incident.merged_into", description: merged, actor });
}

/** Stores the link unless it exists. */
function storeLink(
  database: Database,
  { id: incident_id }: IncidentRow,
  { id: other_incident_id }: IncidentRow,
  relationship: LinkRow["relationship"],
): void {
  const row = { incident_id, other_incident_id, relationship };
  if (database.find(links, row) === undefined) database.insert(links, { id: randomUUID(), ...row });
}

/** The first enabled status of the canceled stage. */
function canceledStatus(database: Database): OptionRow {
  const [status] = database.list(
    statusTable,
    { lifecycle_stage: "canceled", enabled: true },
    { order: "position", limit: 1 },
  );
  if (status === undefined) throw unprocessable("The workspace has no enabled status of the stage canceled.");
  return status;
}

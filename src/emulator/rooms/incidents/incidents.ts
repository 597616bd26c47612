/** The room of /api/v1/incidents: declaring, listing, reading and changing. */

import { notFound } from "../../http/http-error.ts";
import { pageOf, pagination, rowsOf } from "../../http/pagination.ts";
import type { Reference } from "../../store/references.ts";
import { posts } from "../chat/service-posts.ts";
import { isStage } from "../option-lists/option-list.ts";
import { type Answer, type Call, ok, type Room, route } from "../room.ts";
import { changeIncident } from "./change.ts";
import { valueReferences } from "./custom-values.ts";
import { declareIncident } from "./declare.ts";
import { findIncident, incidents, incidentView } from "./incident.ts";

/** The room of the incidents themselves. */
export const incidentRoom: Room = {
  tables: [incidents, posts],
  references: [
    pointing("severities", "severity_id"),
    pointing("statuses", "status_id"),
    pointing("incident_types", "incident_type_id"),
    ...valueReferences,
  ],
  routes: [
    declareIncident,
    route({
      method: "GET",
      path: "/incidents",
      summary: "Lists incidents, the newest first.",
      needs: "incidents.read",
      query: {
        page: { type: "integer", minimum: 1 },
        per_page: { type: "integer", minimum: 1, maximum: 100 },
        severity_id: { type: "string" },
        status_id: { type: "string" },
        lifecycle_stage: { type: "string", enum: ["triage", "active", "closed", "canceled"] },
      },
      handle: list,
    }),
    route({
      method: "GET",
      path: "/incidents/:id",
      summary: "Reads an incident.",
      needs: "incidents.read",
      handle: ({ database, param }) => ok({ incident: incidentView(database, findIncident(database, param("id"))) }),
    }),
    changeIncident,
  ],
};

/** Incidents point at an entry by one of their columns. */
function pointing(target: string, column: "severity_id" | "status_id" | "incident_type_id"): Reference {
  return {
    target,
    noun: "incident",
    always: true,
    count: (database, id) => database.count(incidents, { [column]: id }),
  };
}

function list({ database, query }: Call<unknown>): Answer {
  const tests: string[] = [];
  const values: string[] = [];
  for (const column of ["severity_id", "status_id"] as const) {
    const id = query.get(column);
    if (id === null || id === "") continue;
    tests.push(`${column} = ?`);
    values.push(id);
  }
  const stage = query.get("lifecycle_stage") ?? "";
  if (stage !== "") {
    if (!isStage(stage)) throw notFound();
    tests.push("status_id IN (SELECT id FROM statuses WHERE lifecycle_stage = ?)");
    values.push(stage);
  }
  const where = tests.length === 0 ? "" : `WHERE ${tests.join(" AND ")}`;
  const page = pageOf(query);
  const total = database.scalar(`SELECT COUNT(*) FROM incidents ${where}`, values);
  const { limit, offset } = rowsOf(page, total);
  const rows = database.query(incidents, `${where} ORDER BY number DESC LIMIT ? OFFSET ?`, [...values, limit, offset]);
  return ok({ incidents: rows.map((row) => incidentView(database, row)), pagination: pagination(page, total) });
}

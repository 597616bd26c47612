/** Endpoints of incidents: declare, list, read and change. */

import { notFound } from "../../http/http-error.ts";
import { pageQuery, pageSchema, pagination, readPageRequest, rowRange } from "../../http/pagination.ts";
import type { ReferenceCounter } from "../../store/references.ts";
import { posts } from "../chat/service-posts.ts";
import { type DeclaredResult, endpoint, ok, type RequestContext, type ServiceModule } from "../module.ts";
import { isStage, lifecycleStages } from "../option-lists/option-list.ts";
import { changeIncident } from "./change.ts";
import { valueReferences } from "./custom-values.ts";
import { declareIncident } from "./declare.ts";
import { findIncident, incidentEnvelope, incidentSchema, incidents, serializeIncident } from "./incident.ts";

const page = pageSchema("IncidentPage", "incidents", incidentSchema);

/** The module of /api/v1/incidents. */
export const incidentModule: ServiceModule = {
  tables: [incidents, posts],
  referenceCounters: [
    columnReference("severities", "severity_id"),
    columnReference("statuses", "status_id"),
    columnReference("incident_types", "incident_type_id"),
    ...valueReferences,
  ],
  endpoints: [
    declareIncident,
    endpoint({
      method: "GET",
      path: "/incidents",
      operationId: "listIncidents",
      summary: "Lists incidents, the newest first.",
      requiredAbility: "incidents.read",
      query: {
        ...pageQuery,
        severity_id: { type: "string", description: "Only incidents of this severity." },
        status_id: { type: "string", description: "Only incidents of this status." },
        lifecycle_stage: { type: "string", enum: lifecycleStages, description: "Only incidents of this stage." },
      },
      responses: { 200: page },
      errors: [404],
      handle: list,
    }),
    endpoint({
      method: "GET",
      path: "/incidents/:id",
      operationId: "getIncident",
      summary: "Reads an incident.",
      requiredAbility: "incidents.read",
      responses: { 200: incidentEnvelope },
      handle: ({ database, param }) =>
        ok({ incident: serializeIncident(database, findIncident(database, param("id"))) }),
    }),
    changeIncident,
  ],
};

/** Counts the incidents that reference an entry in a column. */
function columnReference(target: string, column: "severity_id" | "status_id" | "incident_type_id"): ReferenceCounter {
  return {
    target,
    noun: "incident",
    isAlwaysCounted: true,
    count: (database, id) => database.count(incidents, { [column]: id }),
  };
}

function list({ database, query }: RequestContext<unknown>): DeclaredResult<{ 200: typeof page }> {
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
  const request = readPageRequest(query);
  const total = database.scalar(`SELECT COUNT(*) FROM incidents ${where}`, values);
  const { limit, offset } = rowRange(request, total);
  const rows = database.query(incidents, `${where} ORDER BY number DESC LIMIT ? OFFSET ?`, [...values, limit, offset]);
  return ok({ incidents: rows.map((row) => serializeIncident(database, row)), pagination: pagination(request, total) });
}

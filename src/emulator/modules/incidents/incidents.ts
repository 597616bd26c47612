/** Endpoints of incidents: declare, list, read and change. */

import { notFound } from "../../http/http-error.ts";
import { pageQuery, pageSchema, readPage } from "../../http/pagination.ts";
import { endpoint, ok, type ServiceModule } from "../../service/module.ts";
import type { Database } from "../../store/database.ts";
import { type ReferenceCounter, rowCounter } from "../../store/references.ts";
import { posts } from "../chat/service-posts.ts";
import {
  countIncidents,
  findIncident,
  type IncidentFilter,
  type IncidentRow,
  incidentEnvelope,
  incidentSchema,
  incidents,
  serializeIncident,
  valueReferences,
  whereAll,
} from "../incident-record/incident.ts";
import { isStage, lifecycleStages } from "../option-lists/option-list.ts";
import { changeIncident } from "./change.ts";
import { declareIncident } from "./declare.ts";

/** The module of /api/v1/incidents. */
export const incidentModule: ServiceModule = {
  tables: [incidents, posts],
  referenceCounters: [
    incidentReference("severities", "severity_id"),
    incidentReference("statuses", "status_id"),
    rowCounter("incident_types", "incident", "incidents WHERE incident_type_id = ?", true),
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
      responses: { 200: pageSchema("IncidentPage", "incidents", incidentSchema) },
      errors: [404],
      handle: ({ database, query }) => {
        const filter = readFilter(query);
        const { rows, pagination } = readPage(query, countIncidents(database, filter), (limit, offset) =>
          newestIncidents(database, filter, limit, offset),
        );
        return ok({ incidents: rows.map((row) => serializeIncident(database, row)), pagination });
      },
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

/** A counter of the incidents that reference an entry, by the counts that are kept. */
function incidentReference(target: string, column: "severity_id" | "status_id"): ReferenceCounter {
  const count: ReferenceCounter["count"] = (database, id) =>
    countIncidents(database, { tests: [`${column} = ?`], values: [id] });
  return { target, noun: "incident", isAlwaysCounted: true, count };
}

function readFilter(query: URLSearchParams): IncidentFilter {
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
  return { tests, values };
}

/** A page of the incidents that match the filter, the newest first. */
function newestIncidents(
  database: Database,
  { tests, values }: IncidentFilter,
  limit: number,
  offset: number,
): IncidentRow[] {
  const order = "ORDER BY number DESC LIMIT ?";
  if (tests.length === 0) return database.query(incidents, `${order} OFFSET ?`, [limit, offset]);
  // An index gives the newest incidents of each status and severity; the page is among those of the matching ones.
  const newestOfGroup = `SELECT number FROM incidents
    WHERE status_id = matching.status_id AND severity_id = matching.severity_id ${order}`;
  const candidates = `SELECT candidate.number FROM incident_counts AS matching
    CROSS JOIN incidents AS candidate ON candidate.number IN (${newestOfGroup})
    ${whereAll(tests.map((test) => `matching.${test}`))}`;
  const parameters = [limit + offset, ...values, limit, offset];
  return database.query(incidents, `WHERE number IN (${candidates}) ${order} OFFSET ?`, parameters);
}

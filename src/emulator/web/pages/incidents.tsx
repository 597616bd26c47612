/** The list of incidents. */

import { counted } from "../../../core/value-text.ts";
import {
  type IncidentRow,
  identifierOf,
  incidents,
  isLiveSql,
  statusOf,
} from "../../modules/incident-record/incident.ts";
import { severityTable } from "../../modules/option-lists/option-lists.ts";
import type { Database } from "../../store/database.ts";
import type { StoredValue } from "../../store/table.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { DataTable, Pager, StatusPill, Swatch, Tabs, Time } from "../parts.tsx";

const perPage = 50;

/** The SQL clause for live incidents. */
export const liveClause: string = `WHERE ${isLiveSql}`;

const filters: readonly (readonly [stage: string, name: string, clause: string])[] = [
  ["", "All", "WHERE 1"],
  ["live", "Live", liveClause],
  ["closed", "Resolved", "WHERE status_id IN (SELECT id FROM statuses WHERE lifecycle_stage = 'closed')"],
  ["canceled", "Canceled", "WHERE status_id IN (SELECT id FROM statuses WHERE lifecycle_stage = 'canceled')"],
];

/** The page `/incidents`. */
export const incidentPages: readonly WebPage[] = [{ method: "GET", path: "/incidents", view: list }];

function list({ database, query, path }: PageContext): PageResult {
  const stage = query.get("stage") ?? "";
  const severity = database.find(severityTable, { id: query.get("severity") ?? "" });
  const [, , clause = "WHERE 1"] = filters.find(([name]) => name === stage) ?? [];
  const narrowed = severity === undefined ? clause : `${clause} AND severity_id = ?`;
  const values: readonly StoredValue[] = severity === undefined ? [] : [severity.id];
  const total = database.scalar(`SELECT COUNT(*) FROM incidents ${narrowed}`, values);
  const pages = Math.max(1, Math.ceil(total / perPage));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get("page"))) || 1));
  const rows = database.query(incidents, `${narrowed} ORDER BY number DESC LIMIT ? OFFSET ?`, [
    ...values,
    perPage,
    (page - 1) * perPage,
  ]);
  return {
    title: "Incidents",
    note: counted(total, "incident"),
    body: (
      <>
        <Tabs
          label="Stages"
          tabs={filters.map(([name, label]) => [name === "" ? path : `${path}?stage=${name}`, label, name === stage])}
        />
        {severity === undefined ? null : (
          <p>
            Only <b class="text">{severity.name}</b>. <a href={`${path}?stage=${stage}`}>Show every severity</a>
          </p>
        )}
        <section class="panel">{incidentTable(database, rows, "No incident is here.")}</section>
        <Pager path={path} query={query} page={page} pages={pages} />
      </>
    ),
  };
}

/** Incidents as a table, or the sentence if there are none. */
export function incidentTable(database: Database, rows: readonly IncidentRow[], empty: string): Markup {
  const severities = database.rowsById(severityTable);
  return (
    <DataTable
      label="Incidents"
      columns={{
        Incident: incidentLink,
        Name: ({ name }) => name,
        Severity: ({ severity_id }) => {
          const severity = severities.get(severity_id);
          return (
            <>
              <Swatch color={severity?.color ?? null} /> {severity?.name}
            </>
          );
        },
        Status: (incident) => <StatusPill status={statusOf(database, incident)} />,
        Declared: ({ declared_at }) => <Time at={declared_at} />,
      }}
      rows={rows}
      empty={empty}
    />
  );
}

/** The identifier of an incident, as a link to its page; "none" without an incident. */
export function incidentLink(incident: Pick<IncidentRow, "number"> | undefined): Markup {
  if (incident === undefined) return "none";
  const identifier = identifierOf(incident);
  return <a href={`/incidents/${identifier}`}>{identifier}</a>;
}

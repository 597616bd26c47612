/** The list of incidents. */

import { type IncidentRow, identifierOf, incidents, statusOf } from "../../modules/incident-record/incident.ts";
import { severityTable } from "../../modules/option-lists/severities.ts";
import type { Database } from "../../store/database.ts";
import type { StoredValue } from "../../store/table.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { counted, DataTable, Heading, Pager, StatusPill, Swatch, Time } from "../parts.tsx";

const perPage = 50;

/** The SQL condition for incidents whose status is live. */
export const liveClause = "WHERE status_id IN (SELECT id FROM statuses WHERE lifecycle_stage IN ('triage', 'active'))";

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
    body: (
      <>
        <Heading title="Incidents" note={counted(total, "incident")} />
        <nav class="tabs" aria-label="Stages">
          {filters.map(([name, label]) => (
            <a href={name === "" ? path : `${path}?stage=${name}`} aria-current={name === stage ? "true" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        {severity === undefined ? null : (
          <p>
            Only <b class="text">{severity.name}</b>. <a href={`${path}?stage=${stage}`}>Show every severity</a>
          </p>
        )}
        <section class="panel">
          <IncidentTable database={database} rows={rows} empty="No incident is here." />
        </section>
        <Pager path={path} query={query} page={page} pages={pages} />
      </>
    ),
  };
}

/** Incidents as a table. */
export function IncidentTable({
  database,
  rows,
  empty,
}: {
  readonly database: Database;
  readonly rows: readonly IncidentRow[];
  readonly empty: string;
}): Markup {
  const severities = new Map(database.list(severityTable).map((row) => [row.id, row]));
  return (
    <DataTable
      label="Incidents"
      head={["Incident", "Name", "Severity", "Status", "Declared"]}
      empty={empty}
      rows={rows.map((incident) => {
        const { name: status, lifecycle_stage } = statusOf(database, incident);
        const severity = severities.get(incident.severity_id);
        return [
          <a href={`/incidents/${identifierOf(incident)}`}>{identifierOf(incident)}</a>,
          incident.name,
          <>
            <Swatch color={severity?.color ?? null} /> {severity?.name}
          </>,
          <StatusPill name={status} stage={lifecycle_stage} />,
          <Time at={incident.declared_at} />,
        ];
      })}
    />
  );
}

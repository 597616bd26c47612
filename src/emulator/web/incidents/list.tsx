/** The list of incidents, with a search. */

import { counted } from "../../../core/value-text.ts";
import {
  type IncidentFilter,
  type IncidentRow,
  identifierOf,
  incidents,
  isLiveSql,
  statusOf,
} from "../../modules/incident-record/incident.ts";
import type { OptionRow } from "../../modules/option-lists/option-list.ts";
import { incidentTypeTable, severityTable, statusTable } from "../../modules/option-lists/option-lists.ts";
import type { Database } from "../../store/database.ts";
import { Choice, TextField } from "../fields.tsx";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { DataTable, Pager, SeverityName, StatusPill, Tabs, Time } from "../parts.tsx";

const perPage = 50;

/** The SQL clause for live incidents. */
export const liveClause: string = `WHERE ${isLiveSql}`;

const stages: readonly (readonly [stage: string, name: string, test: string])[] = [
  ["", "All", "1"],
  ["live", "Live", isLiveSql],
  ["closed", "Resolved", "status_id IN (SELECT id FROM statuses WHERE lifecycle_stage = 'closed')"],
  ["canceled", "Canceled", "status_id IN (SELECT id FROM statuses WHERE lifecycle_stage = 'canceled')"],
];

/** The choices that narrow the list, by the name of the input. */
const filters = {
  severity: { label: "Severity", table: severityTable, column: "severity_id" },
  status: { label: "Status", table: statusTable, column: "status_id" },
  type: { label: "Type", table: incidentTypeTable, column: "incident_type_id" },
} as const;

/** The page `/incidents`. */
export const incidentPages: readonly WebPage[] = [{ method: "GET", path: "/incidents", view: list }];

function list(context: PageContext): PageResult {
  const { database, query, path, isWritable } = context;
  const { tests, values } = readFilter(query);
  const clause = `WHERE ${tests.join(" AND ")}`;
  const total = database.scalar(`SELECT COUNT(*) FROM incidents ${clause}`, values);
  const pages = Math.max(1, Math.ceil(total / perPage));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get("page"))) || 1));
  const rows = database.query(incidents, `${clause} ORDER BY number DESC LIMIT ? OFFSET ?`, [
    ...values,
    perPage,
    (page - 1) * perPage,
  ]);
  return {
    title: "Incidents",
    mark: isWritable ? <DeclareLink /> : undefined,
    body: (
      <>
        <form method="get" action={path} data-live="" class="panel fill search" aria-label="Search">
          <div class="inputs">
            <TextField id="q" label="Identifier, name or summary" value={query.get("q") ?? ""} />
            {Object.entries(filters).map(([name, { label, table }]) => (
              <Choice
                id={name}
                label={label}
                value={query.getAll(name)}
                options={[["", "any"], ...database.list(table, {}, { order: "position" }).map(optionOf)]}
              />
            ))}
          </div>
          <input type="hidden" name="stage" value={query.get("stage") ?? ""} />
          <button type="submit">Search</button>
        </form>
        <div data-part="incidents">
          <Tabs
            label="Stages"
            tabs={stages.map(([stage, name]) => [
              hrefOf(path, query, stage),
              name,
              stage === (query.get("stage") ?? ""),
            ])}
          />
          <section class="panel">
            <h2>
              <span role="status">{counted(total, "incident")}</span>
            </h2>
            {incidentTable(database, rows, "No incident matches.")}
          </section>
          <Pager path={path} query={query} page={page} pages={pages} />
        </div>
      </>
    ),
  };
}

/** The link to the form that declares an incident. */
export function DeclareLink(): Markup {
  return (
    <a class="main" href="/forms/declare">
      Declare incident
    </a>
  );
}

function optionOf({ id, name }: OptionRow): readonly [value: string, label: string] {
  return [id, name];
}

/** The address of the list with another stage and the same filters. */
function hrefOf(path: string, query: URLSearchParams, stage: string): string {
  const kept = [...query].filter(([name, value]) => value !== "" && name !== "stage" && name !== "page");
  const next = new URLSearchParams(stage === "" ? kept : [...kept, ["stage", stage]]);
  return next.size === 0 ? path : `${path}?${next}`;
}

/** Enough words for any search by a person. */
const maximumWords = 20;

/** The incidents of the stage and the choices that contain every word. */
function readFilter(query: URLSearchParams): IncidentFilter {
  const [, , stage = "1"] = stages.find(([name]) => name === query.get("stage")) ?? [];
  const chosen = Object.entries(filters).flatMap(([name, { column }]) => {
    const id = query.get(name) ?? "";
    return id === "" ? [] : [{ column, id }];
  });
  const words = (query.get("q") ?? "").split(/\s+/).filter(Boolean).slice(0, maximumWords);
  const inWords = "instr(lower('INC-' || number || ' ' || name || ' ' || coalesce(summary, '')), lower(?)) > 0";
  return {
    tests: [stage, ...chosen.map(({ column }) => `${column} = ?`), ...words.map(() => inWords)],
    values: [...chosen.map(({ id }) => id), ...words],
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
        Severity: ({ severity_id }) => <SeverityName severity={severities.get(severity_id)} />,
        Status: (incident) => <StatusPill status={statusOf(database, incident)} />,
        Declared: ({ declared_at }) => <Time at={declared_at} />,
      }}
      rows={rows}
      empty={empty}
    />
  );
}

/** The severity and the status of an incident, beside its name. */
export function IncidentMarks({ database, incident }: IncidentProps): Markup {
  return (
    <>
      <SeverityName severity={database.find(severityTable, { id: incident.severity_id })} />
      <StatusPill status={statusOf(database, incident)} />
    </>
  );
}

interface IncidentProps {
  readonly database: Database;
  readonly incident: IncidentRow;
}

/** The identifier of an incident, as a link to its page; "none" without an incident. */
export function incidentLink(incident: Pick<IncidentRow, "number"> | undefined): Markup {
  if (incident === undefined) return "none";
  const identifier = identifierOf(incident);
  return <a href={`/incidents/${identifier}`}>{identifier}</a>;
}

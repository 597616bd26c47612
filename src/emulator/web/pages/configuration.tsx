/** The configuration of the workspace: the resources of each kind, and one resource with what refers to it. */

import { isFields, isList, type Json } from "../../../core/json.ts";
import { requireFound } from "../../http/http-error.ts";
import { catalogAttributes, catalogEntries, catalogTypes } from "../../modules/catalog/catalog-tables.ts";
import { customFieldOptions, customFieldTable } from "../../modules/custom-fields/custom-field-tables.ts";
import { incidentRoleTable } from "../../modules/option-lists/incident-roles.ts";
import { incidentTypeTable } from "../../modules/option-lists/incident-types.ts";
import { severityTable } from "../../modules/option-lists/severities.ts";
import { statusTable } from "../../modules/option-lists/statuses.ts";
import { alertSourceTable } from "../../modules/routing/alert-sources.ts";
import { routingRuleTable } from "../../modules/routing/routing-rule-sets.ts";
import { runbookSteps, runbookTable } from "../../modules/runbooks/runbook-tables.ts";
import { webhookTable } from "../../modules/webhooks/webhooks.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { counted, DataTable, Facts, JsonText, Panel, Pill, Swatch, TablePanel, Tabs } from "../parts.tsx";
import { findUses } from "./references.ts";
import { outcomeText, ruleName } from "./routing-text.ts";

type Row = { readonly id: string; readonly [column: string]: Json };

/** One kind of resources. */
interface ListedKind {
  readonly title: string;
  readonly table: Table<Row>;
  readonly order: string;
  /** Columns that no page shows. */
  readonly hidden?: readonly string[];
  /** Rows of another table that belong to a resource, under their heading. */
  readonly parts?: { readonly title: string; readonly table: Table<Row>; readonly column: string };
}

const kinds: { readonly [name: string]: ListedKind } = {
  severities: { title: "Severities", table: rowsOf(severityTable), order: "position" },
  statuses: { title: "Statuses", table: rowsOf(statusTable), order: "position" },
  incident_types: { title: "Incident types", table: rowsOf(incidentTypeTable), order: "position" },
  incident_roles: { title: "Incident roles", table: rowsOf(incidentRoleTable), order: "position" },
  custom_fields: {
    title: "Custom fields",
    table: rowsOf(customFieldTable),
    order: "rowid",
    parts: { title: "Options", table: rowsOf(customFieldOptions), column: "field_id" },
  },
  runbooks: {
    title: "Runbooks",
    table: rowsOf(runbookTable),
    order: "rowid",
    parts: { title: "Steps", table: rowsOf(runbookSteps), column: "runbook_id" },
  },
  catalog_types: {
    title: "Catalog types",
    table: rowsOf(catalogTypes),
    order: "name",
    parts: { title: "Attributes", table: rowsOf(catalogAttributes), column: "type_id" },
  },
  catalog_entries: { title: "Catalog entries", table: rowsOf(catalogEntries), order: "name" },
  alert_sources: { title: "Alert sources", table: rowsOf(alertSourceTable), order: "name" },
  routing_rules: { title: "Routing rules", table: rowsOf(routingRuleTable), order: "rule_set_id, priority" },
  webhooks: { title: "Webhooks", table: rowsOf(webhookTable), order: "name", hidden: ["secret"] },
};

const maximumRows = 500;

/** The pages of the configuration. */
export const configurationPages: readonly WebPage[] = [
  { method: "GET", path: "/configuration", view: (context) => list(context, "severities") },
  { method: "GET", path: "/configuration/:kind", view: (context) => list(context, context.param("kind")) },
  { method: "GET", path: "/configuration/:kind/:id", view: detail },
];

/** The table with its rows read as JSON. Every column of these tables is a JSON value. */
function rowsOf<R extends { readonly id: string }>(table: Table<R>): Table<Row> {
  return table as unknown as Table<Row>;
}

function kindOf(name: string): ListedKind {
  return requireFound(Object.hasOwn(kinds, name) ? kinds[name] : undefined);
}

function list({ database }: PageContext, name: string): PageResult {
  const { title, table, order } = kindOf(name);
  const count = database.count(table);
  return {
    title,
    note: count > maximumRows ? `the first ${maximumRows} of ${count}` : counted(count, "resource"),
    body: (
      <>
        <Tabs
          label="Kinds"
          tabs={Object.entries(kinds).map(([kind, { title: label }]) => [
            `/configuration/${kind}`,
            label,
            kind === name,
          ])}
        />
        <section class="panel">
          <DataTable
            label={title}
            columns={{
              Resource: (row) => (
                <>
                  <Swatch color={typeof row.color === "string" ? row.color : null} />{" "}
                  <a href={`/configuration/${name}/${row.id}`}>{labelOf(database, row)}</a>
                </>
              ),
              Key: (row) => <code>{String(row.slug ?? row.priority ?? "")}</code>,
              Description: (row) => descriptionOf(database, row),
              State: statePills,
            }}
            rows={database.list(table, {}, { order, limit: maximumRows })}
            empty="There is none."
          />
        </section>
      </>
    ),
  };
}

function labelOf(database: Database, row: Row): string {
  if (typeof row.name === "string") return row.name;
  return ruleName(database, { rule_set_id: String(row.rule_set_id), priority: Number(row.priority) });
}

function descriptionOf(database: Database, row: Row): string {
  if (isFields(row.outcome)) return outcomeText(database, row.outcome);
  return String(row.description ?? row.summary ?? row.url ?? "");
}

function statePills(row: Row): Markup {
  return (
    <>
      {row.enabled === false ? <Pill tone="removed">disabled</Pill> : null}{" "}
      {row.is_default === true ? <Pill>default</Pill> : null}
    </>
  );
}

function detail({ database, param }: PageContext): PageResult {
  const name = param("kind");
  const { title, table, parts, hidden = [] } = kindOf(name);
  const row = requireFound(database.find(table, { id: param("id") }));
  const label = labelOf(database, row);
  return {
    title: label,
    crumbs: [`/configuration/${name}`, title, <span class="text">{label}</span>],
    mark: statePills(row),
    body: (
      <>
        <Panel title="Fields">{facts(row, hidden)}</Panel>
        <TablePanel
          label="Referenced by"
          columns={{
            Resource: ({ name: referrer, href }) => (href === undefined ? referrer : <a href={href}>{referrer}</a>),
            Through: ({ via }) => via,
          }}
          rows={findUses(database, row.id)}
          empty="Nothing refers to it."
        />
        {parts === undefined ? null : (
          <Panel title={parts.title}>
            {database
              .list(parts.table, { [parts.column]: row.id }, { order: "position" })
              .map((part) => facts(part, [parts.column]))}
          </Panel>
        )}
      </>
    ),
  };
}

/** The columns of a row, except hidden ones. */
function facts(row: Row, hidden: readonly string[]): Markup {
  const columns = Object.entries(row).filter(([column]) => !hidden.includes(column));
  return <Facts facts={columns.map(([column, value]) => [column, fieldValue(value)])} />;
}

function fieldValue(value: Json): Markup {
  if (value === null) return <span class="quiet">none</span>;
  if (isFields(value) || isList(value)) return <JsonText label="Value" value={value} />;
  return String(value);
}

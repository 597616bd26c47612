/** The overview: live incidents, what the workspace contains, and how the emulator is set. */

import { agents, serviceKeys } from "../../modules/access/principals.ts";
import { catalogEntries, catalogTypes } from "../../modules/catalog/catalog-tables.ts";
import { customFieldTable } from "../../modules/custom-fields/custom-field-tables.ts";
import { incidents } from "../../modules/incident-record/incident.ts";
import { incidentRoleTable } from "../../modules/option-lists/incident-roles.ts";
import { incidentTypeTable } from "../../modules/option-lists/incident-types.ts";
import { severityTable } from "../../modules/option-lists/severities.ts";
import { statusTable } from "../../modules/option-lists/statuses.ts";
import { members } from "../../modules/people.ts";
import { alertSourceTable } from "../../modules/routing/alert-sources.ts";
import { routingRuleTable } from "../../modules/routing/routing-rule-sets.ts";
import { runbookTable } from "../../modules/runbooks/runbook-tables.ts";
import { webhookTable } from "../../modules/webhooks/webhooks.ts";
import { settingsOf } from "../../modules/workspace-settings.ts";
import type { AnyTable, Database } from "../../store/database.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { counted, Facts, Panel, Swatch } from "../parts.tsx";
import { incidentTable, liveClause } from "./incidents.tsx";

const maximumIncidents = 8;

/** The page `/`. */
export const overviewPages: readonly WebPage[] = [{ method: "GET", path: "/", view: overview }];

function overview({ database, control, emulator, isWritable }: PageContext): PageResult {
  const { name, transcript_access } = settingsOf(database);
  const live = database.scalar(`SELECT COUNT(*) FROM incidents ${liveClause}`);
  const newest = database.query(incidents, `${liveClause} ORDER BY number DESC LIMIT ?`, [maximumIncidents]);
  return {
    title: "Overview",
    heading: name,
    note: "The content of the emulator.",
    body: (
      <>
        <Panel
          title="Live incidents"
          note={live > newest.length ? `the newest of ${counted(live, "incident")}` : counted(live, "incident")}
        >
          {severityCounts(database)}
          {incidentTable(database, newest, "No incident is live.")}
        </Panel>
        <div class="pair">
          <Panel title="Contents">
            <Facts facts={contents(database)} />
          </Panel>
          <Panel title="Emulator">
            <Facts
              facts={[
                [
                  "Pages",
                  isWritable ? "can change the workspace" : "read only; --control lets them change the workspace",
                ],
                ["Transcripts", transcript_access ? "readable" : "turned off"],
                ["Requests so far", control.log.list().at(-1)?.number.toLocaleString("en") ?? "0"],
                ...Object.entries(emulator.dialects).map(([dialect, value]): readonly [string, Markup] => [
                  `Dialect ${dialect}`,
                  <code>{value}</code>,
                ]),
              ]}
            />
          </Panel>
        </div>
      </>
    ),
  };
}

function severityCounts(database: Database): Markup {
  const severities = database.list(severityTable, { enabled: true }, { order: "position" });
  return (
    <ul class="counts">
      {severities.map(({ id, name, color }) => (
        <li>
          <a href={`/incidents?stage=live&severity=${id}`}>
            <b>
              {database
                .scalar(`SELECT COUNT(*) FROM incidents ${liveClause} AND severity_id = ?`, [id])
                .toLocaleString("en")}
            </b>
            <span class="text">
              <Swatch color={color} /> {name}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function contents(database: Database): readonly (readonly [name: Markup, value: Markup])[] {
  const tables: readonly (readonly [name: string, table: AnyTable, href: string])[] = [
    ["Severities", severityTable, "/configuration/severities"],
    ["Statuses", statusTable, "/configuration/statuses"],
    ["Incident types", incidentTypeTable, "/configuration/incident_types"],
    ["Incident roles", incidentRoleTable, "/configuration/incident_roles"],
    ["Custom fields", customFieldTable, "/configuration/custom_fields"],
    ["Runbooks", runbookTable, "/configuration/runbooks"],
    ["Catalog types", catalogTypes, "/configuration/catalog_types"],
    ["Catalog entries", catalogEntries, "/configuration/catalog_entries"],
    ["Alert sources", alertSourceTable, "/configuration/alert_sources"],
    ["Routing rules", routingRuleTable, "/configuration/routing_rules"],
    ["Webhooks", webhookTable, "/configuration/webhooks"],
    ["People", members, "/access"],
    ["Agents", agents, "/access"],
    ["Service keys", serviceKeys, "/access"],
    ["Incidents", incidents, "/incidents"],
  ];
  return tables.map(([name, { name: table }, href]) => [
    <a href={href}>{name}</a>,
    database.scalar(`SELECT COUNT(*) FROM "${table}"`).toLocaleString("en"),
  ]);
}

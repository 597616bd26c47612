/** The overview: live incidents, what the workspace contains, and how the emulator is set. */

import { counted } from "../../../core/value-text.ts";
import { incidents } from "../../modules/incident-record/incident.ts";
import { severityTable } from "../../modules/option-lists/option-lists.ts";
import { members } from "../../modules/people.ts";
import { settingsOf } from "../../modules/workspace-settings.ts";
import type { Database } from "../../store/database.ts";
import { DeclareLink, incidentTable, liveClause } from "../incidents/list.tsx";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { Facts, Panel, SeverityName } from "../parts.tsx";
import { pageResources } from "./configuration.tsx";

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
    mark: isWritable ? <DeclareLink /> : undefined,
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
      {severities.map((severity) => (
        <li>
          <a href={`/incidents?stage=live&severity=${severity.id}`}>
            <b>
              {database
                .scalar(`SELECT COUNT(*) FROM incidents ${liveClause} AND severity_id = ?`, [severity.id])
                .toLocaleString("en")}
            </b>
            <SeverityName severity={severity} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function contents(database: Database): readonly (readonly [name: Markup, value: Markup])[] {
  const counts: readonly (readonly [name: string, count: number, href: string])[] = [
    ...pageResources.map(({ name, title, count }) => [title, count(database), `/configuration/${name}`] as const),
    ["People", database.count(members), "/access"],
    ["Incidents", database.count(incidents), "/incidents"],
  ];
  return counts.map(([name, count, href]) => [<a href={href}>{name}</a>, count.toLocaleString("en")]);
}

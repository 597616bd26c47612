/** One incident: its facts, timeline, conversation and everything that belongs to it. */

import { fieldsIn, isFields, type Json } from "../../../core/json.ts";
import { requireFound } from "../../http/http-error.ts";
import { posts } from "../../modules/chat/service-posts.ts";
import { type MessageRow, messages } from "../../modules/chat/transcript.ts";
import { type EventRow, events } from "../../modules/incident-record/event.ts";
import {
  type IncidentRow,
  identifierOf,
  incidents,
  serializeIncident,
  statusOf,
} from "../../modules/incident-record/incident.ts";
import { links } from "../../modules/incidents/links.ts";
import { postmortems } from "../../modules/postmortems/postmortems.ts";
import { actionItems } from "../../modules/responders/action-items.ts";
import { alerts } from "../../modules/routing/alert.ts";
import { settingsOf } from "../../modules/workspace-settings.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { Facts, JsonText, Panel, Pill, Source, StatusPill, TablePanel, Time } from "../parts.tsx";
import { incidentLink } from "./incidents.tsx";

/** Events and messages to show; an incident with more of them shows the newest. */
const maximumRows = 500;

/** The page `/incidents/INC-1`, which the id of the incident opens too. */
export const incidentDetailPages: readonly WebPage[] = [{ method: "GET", path: "/incidents/:incident", view }];

function view({ database, param }: PageContext): PageResult {
  const incident = findByName(database, param("incident"));
  const identifier = identifierOf(incident);
  return {
    title: `${identifier}: ${incident.name}`,
    heading: incident.name,
    crumbs: ["/incidents", "Incidents", identifier],
    mark: <StatusPill status={statusOf(database, incident)} />,
    note: incident.summary ?? undefined,
    body: (
      <>
        <Panel title="Facts">
          <Facts facts={factsOf(database, incident)} />
        </Panel>
        <Panel title="Timeline">{timeline(newest(database, events, "occurred_at", incident))}</Panel>
        <Panel title="Conversation" note="messages of people in the channel">
          {settingsOf(database).transcript_access ? (
            conversation(newest(database, messages, "said_at", incident))
          ) : (
            <p class="quiet empty">Transcripts are turned off in this workspace.</p>
          )}
        </Panel>
        <TablePanel
          label="Posts of the service"
          note="in the channel, and to people directly"
          columns={{
            Time: ({ posted_at }) => <Time at={posted_at} />,
            To: ({ member_id }) => (member_id === null ? "the channel" : "a person"),
            Text: ({ text }) => text,
          }}
          rows={database.list(posts, { incident_id: incident.id })}
          empty="The service has posted nothing."
        />
        <TablePanel
          label="Action items"
          columns={{
            Description: ({ description }) => description,
            Kind: ({ kind }) => kind,
            Status: ({ status }) => <Pill tone={status === "done" ? "added" : ""}>{status.replace("_", " ")}</Pill>,
            Assignee: ({ assignee }) => assignee?.name ?? "nobody",
          }}
          rows={database.list(actionItems, { incident_id: incident.id })}
          empty="There is no action item."
        />
        {alertPanel(database, incident)}
        {linkPanel(database, incident)}
        {postmortemPanel(database, incident)}
        <Panel title="As the interface returns it">
          <JsonText label="The incident as JSON" value={serializeIncident(database, incident)} />
        </Panel>
      </>
    ),
  };
}

function findByName(database: Database, name: string): IncidentRow {
  const number = /^INC-(\d{1,15})$/i.exec(name)?.[1];
  return requireFound(database.find(incidents, number === undefined ? { id: name } : { number: Number(number) }));
}

function factsOf(database: Database, incident: IncidentRow): readonly (readonly [name: string, value: Markup])[] {
  const { severity, type, lead, custom_fields } = serializeIncident(database, incident);
  const optional = (name: string, at: string | null): readonly (readonly [string, Markup])[] =>
    at === null ? [] : [[name, <Time at={at} />]];
  return [
    ["Severity", nameIn(severity)],
    ["Type", nameIn(type)],
    ["Lead", nameIn(lead)],
    ["Declared by", incident.declared_by?.name ?? "nobody: an alert created it"],
    ["Source", incident.source],
    ["Visibility", incident.visibility],
    ["Declared", <Time at={incident.declared_at} />],
    ...optional("Detected", incident.detected_at),
    ...optional("Resolved", incident.resolved_at),
    ["Updated", <Time at={incident.updated_at} />],
    ...Object.entries(fieldsIn(custom_fields)).map(([slug, value]): readonly [string, Markup] => [
      slug,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ];
}

function nameIn(value: Json | undefined): string {
  return isFields(value) ? String(value.name) : "none";
}

/** The newest rows of an incident, the oldest of them first. */
function newest<Row extends { readonly id: string }>(
  database: Database,
  table: Table<Row>,
  time: keyof Row & string,
  { id }: IncidentRow,
): readonly Row[] {
  const clause = `WHERE incident_id = ? ORDER BY ${time} DESC, rowid DESC LIMIT ?`;
  return database.query(table, clause, [id, maximumRows]).reverse();
}

function timeline(rows: readonly EventRow[]): Markup {
  return (
    <ol class="timeline">
      {rows.map(({ event_type, description, occurred_at, actor, milestone, dismissed_at }) => (
        <li class={milestone === null ? "" : "note"}>
          <p>
            <span class="text">{description}</span> {dismissed_at === null ? null : <Pill>dismissed</Pill>}
          </p>
          {milestone === null ? null : (
            <blockquote class="text">
              {milestone.said_by}: {milestone.message_text}
            </blockquote>
          )}
          <p class="quiet">
            <Time at={occurred_at} /> · <code>{event_type}</code> ·{" "}
            <span class="text">{actor?.name ?? "automated"}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}

function conversation(rows: readonly MessageRow[]): Markup {
  if (rows.length === 0) return <p class="quiet empty">Nobody has said anything.</p>;
  return (
    <ol class="conversation">
      {rows.map(({ said_by, said_at, text, redacted, thread_id }) => (
        <li class={thread_id === null ? "" : "reply"}>
          <p class="quiet">
            <b class="text">{said_by.name}</b> <Time at={said_at} /> {redacted ? <Pill>redacted</Pill> : null}
          </p>
          <p class="text said">{text}</p>
        </li>
      ))}
    </ol>
  );
}

/** The alerts of the incident, if there are any. */
function alertPanel(database: Database, { id }: IncidentRow): Markup {
  const rows = database.list(alerts, { incident_id: id });
  if (rows.length === 0) return null;
  return (
    <TablePanel
      label="Alerts"
      columns={{
        Received: ({ received_at }) => <Time at={received_at} />,
        State: ({ status }) => status,
        Fields: ({ fields }) => <code>{JSON.stringify(fields)}</code>,
      }}
      rows={rows}
      empty=""
    />
  );
}

/** The links with other incidents, in both directions, if there are any. */
function linkPanel(database: Database, { id }: IncidentRow): Markup {
  const linked = [
    ...database.list(links, { incident_id: id }).map((link) => ({ ...link, other: link.other_incident_id })),
    ...database.list(links, { other_incident_id: id }).map((link) => ({ ...link, other: link.incident_id })),
  ];
  if (linked.length === 0) return null;
  return (
    <Panel title="Links">
      <ul>
        {linked.map(({ relationship, other }) => {
          const incident = database.find(incidents, { id: other });
          return (
            <li>
              {relationship}: {incidentLink(incident)} <span class="text">{incident?.name}</span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function postmortemPanel(database: Database, { id }: IncidentRow): Markup {
  const postmortem = database.find(postmortems, { incident_id: id });
  if (postmortem === undefined) return null;
  return (
    <Panel title="Postmortem" note={`${postmortem.status.replace("_", " ")}, version ${postmortem.version}`}>
      <p class="quiet">The source of its body. Markup of the workspace is never rendered on these pages.</p>
      <Source label="Body of the postmortem" text={postmortem.html} />
    </Panel>
  );
}

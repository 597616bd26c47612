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
import type { Markup } from "../markup.ts";
import type { PageContext, PageResult, WebPage } from "../page.ts";
import { DataTable, Facts, Heading, JsonText, Panel, Pill, StatusPill, Time } from "../parts.tsx";

/** Events and messages to show; an incident with more of them shows the newest. */
const maximumRows = 500;

/** The page `/incidents/INC-1`, which the id of the incident opens too. */
export const incidentDetailPages: readonly WebPage[] = [{ method: "GET", path: "/incidents/:incident", view }];

function view({ database, param }: PageContext): PageResult {
  const incident = findByName(database, param("incident"));
  const status = statusOf(database, incident);
  const identifier = identifierOf(incident);
  return {
    title: `${identifier}: ${incident.name}`,
    body: (
      <>
        <p class="crumbs">
          <a href="/incidents">Incidents</a> / {identifier}
        </p>
        <Heading title={incident.name} note={incident.summary ?? undefined}>
          <StatusPill name={status.name} stage={status.lifecycle_stage} />
        </Heading>
        <Panel title="Facts">
          <Facts facts={factsOf(database, incident)} />
        </Panel>
        <Panel title="Timeline">
          <Timeline rows={eventsOf(database, incident)} />
        </Panel>
        <Panel title="Conversation" note="messages of people in the channel">
          {settingsOf(database).transcript_access ? (
            <Conversation rows={messagesOf(database, incident)} />
          ) : (
            <p class="quiet empty">Transcripts are turned off in this workspace.</p>
          )}
        </Panel>
        <Panel title="Posts of the service" note="in the channel, and to people directly">
          <DataTable
            label="Posts of the service"
            head={["Time", "To", "Text"]}
            empty="The service has posted nothing."
            rows={database
              .list(posts, { incident_id: incident.id })
              .map(({ posted_at, member_id, text }) => [
                <Time at={posted_at} />,
                member_id === null ? "the channel" : "a person",
                text,
              ])}
          />
        </Panel>
        <Panel title="Action items">
          <DataTable
            label="Action items"
            head={["Description", "Kind", "Status", "Assignee"]}
            empty="There is no action item."
            rows={database
              .list(actionItems, { incident_id: incident.id })
              .map(({ description, kind, status: state, assignee }) => [
                description,
                kind,
                <Pill tone={state === "done" ? "added" : ""}>{state.replace("_", " ")}</Pill>,
                assignee?.name ?? "nobody",
              ])}
          />
        </Panel>
        <Attached database={database} incident={incident} />
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

function eventsOf(database: Database, { id }: IncidentRow): readonly EventRow[] {
  const clause = "WHERE incident_id = ? ORDER BY occurred_at DESC, rowid DESC LIMIT ?";
  return database.query(events, clause, [id, maximumRows]).reverse();
}

function messagesOf(database: Database, { id }: IncidentRow): readonly MessageRow[] {
  const clause = "WHERE incident_id = ? ORDER BY said_at DESC, rowid DESC LIMIT ?";
  return database.query(messages, clause, [id, maximumRows]).reverse();
}

function Timeline({ rows }: { readonly rows: readonly EventRow[] }): Markup {
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

function Conversation({ rows }: { readonly rows: readonly MessageRow[] }): Markup {
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

/** Alerts, linked incidents and the postmortem, if there are any. */
function Attached({ database, incident }: { readonly database: Database; readonly incident: IncidentRow }): Markup {
  const own = database.list(alerts, { incident_id: incident.id });
  const linked = [
    ...database
      .list(links, { incident_id: incident.id })
      .map(({ other_incident_id: id, relationship }) => ({ id, relationship })),
    ...database
      .list(links, { other_incident_id: incident.id })
      .map(({ incident_id: id, relationship }) => ({ id, relationship })),
  ];
  const postmortem = database.find(postmortems, { incident_id: incident.id });
  return (
    <>
      {own.length === 0 ? null : (
        <Panel title="Alerts">
          <DataTable
            label="Alerts"
            head={["Received", "State", "Fields"]}
            empty=""
            rows={own.map(({ received_at, status, fields }) => [
              <Time at={received_at} />,
              status,
              <code>{JSON.stringify(fields)}</code>,
            ])}
          />
        </Panel>
      )}
      {linked.length === 0 ? null : (
        <Panel title="Links">
          <ul>
            {linked.map(({ id, relationship }) => {
              const other = requireFound(database.find(incidents, { id }));
              return (
                <li>
                  {relationship}: <a href={`/incidents/${identifierOf(other)}`}>{identifierOf(other)}</a>{" "}
                  <span class="text">{other.name}</span>
                </li>
              );
            })}
          </ul>
        </Panel>
      )}
      {postmortem === undefined ? null : (
        <Panel title="Postmortem" note={`${postmortem.status.replace("_", " ")}, version ${postmortem.version}`}>
          <p class="quiet">The source of its body. Markup of the workspace is never rendered on these pages.</p>
          <section class="wide" tabindex={0} aria-label="Body of the postmortem">
            <pre>{postmortem.html}</pre>
          </section>
        </Panel>
      )}
    </>
  );
}

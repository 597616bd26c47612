/** The timeline of an incident, and its conversation. */

import { counted } from "../../../core/value-text.ts";
import { posts } from "../../modules/chat/service-posts.ts";
import { type MessageRow, messages } from "../../modules/chat/transcript.ts";
import { type EventRow, events } from "../../modules/incident-record/event.ts";
import { firstAdmin } from "../../modules/people.ts";
import { settingsOf } from "../../modules/workspace-settings.ts";
import type { Table } from "../../store/table.ts";
import type { Markup } from "../markup.ts";
import { Panel, Pill, TablePanel, Time } from "../parts.tsx";
import { ActionForm, ActionPanel, type IncidentScope } from "./action-form.tsx";

/** Events and messages to show; an incident with more of them shows the newest. */
const maximumRows = 500;

/** Events and messages at first sight; the earlier ones are folded. */
const recentRows = 25;

/** Items in the order of their time, the earlier ones folded. */
function Recent({
  items,
  list,
  noun,
}: {
  readonly items: readonly Markup[];
  readonly list: "timeline" | "conversation";
  readonly noun: string;
}): Markup {
  const earlier = items.slice(0, -recentRows);
  return (
    <>
      {earlier.length === 0 ? null : (
        <details class="action">
          <summary>{counted(earlier.length, `earlier ${noun}`)}</summary>
          <ol class={list}>{earlier}</ol>
        </details>
      )}
      <ol class={list}>{items.slice(-recentRows)}</ol>
    </>
  );
}

/** The newest rows of an incident, the oldest of them first. */
function newest<Row extends { readonly id: string }>(
  { context, incident }: IncidentScope,
  table: Table<Row>,
  time: keyof Row & string,
): readonly Row[] {
  const clause = `WHERE incident_id = ? ORDER BY ${time} DESC, rowid DESC LIMIT ?`;
  return context.database.query(table, clause, [incident.id, maximumRows]).reverse();
}

/** The events, and the notes, which can be dismissed. */
export function TimelinePanel({ scope }: { readonly scope: IncidentScope }): Markup {
  return (
    <Panel title="Timeline" id="timeline">
      <Recent
        items={newest(scope, events, "occurred_at").map((event) => timelineEvent(scope, event))}
        list="timeline"
        noun="event"
      />
    </Panel>
  );
}

function timelineEvent(
  scope: IncidentScope,
  { id, event_type, description, occurred_at, actor, milestone, dismissed_at }: EventRow,
): Markup {
  return (
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
        <Time at={occurred_at} /> · <code>{event_type}</code> · <span class="text">{actor?.name ?? "automated"}</span>
      </p>
      {milestone === null || dismissed_at !== null ? null : (
        <ActionForm scope={scope} action="dismiss" carried={{ note_id: id }} of={description} />
      )}
    </li>
  );
}

/** The messages of people in the channel. */
export function ConversationPanel({ scope }: { readonly scope: IncidentScope }): Markup {
  const { database } = scope.context;
  return (
    <Panel title="Conversation" note="messages of people in the channel" id="conversation">
      {settingsOf(database).transcript_access ? (
        conversation(newest(scope, messages, "said_at"))
      ) : (
        <p class="quiet empty">Transcripts are turned off in this workspace.</p>
      )}
      <ActionPanel scope={scope} action="say" title="Post a message" values={{ said_by: firstAdmin(database).email }} />
      <ActionPanel scope={scope} action="note" title="Note a message on the timeline" />
    </Panel>
  );
}

function conversation(rows: readonly MessageRow[]): Markup {
  if (rows.length === 0) return <p class="quiet empty">Nobody has said anything.</p>;
  return (
    <Recent
      list="conversation"
      noun="message"
      items={rows.map(({ said_by, said_at, text, redacted, thread_id }) => (
        <li class={thread_id === null ? "" : "reply"}>
          <p class="quiet">
            <b class="text">{said_by.name}</b> <Time at={said_at} /> {redacted ? <Pill>redacted</Pill> : null}
          </p>
          <p class="text said">{text}</p>
        </li>
      ))}
    />
  );
}

/** The posts of the service. */
export function PostPanel({ scope: { context, incident } }: { readonly scope: IncidentScope }): Markup {
  return (
    <TablePanel
      label="Posts of the service"
      note="in the channel, and to people directly"
      columns={{
        Time: ({ posted_at }) => <Time at={posted_at} />,
        To: ({ member_id }) => (member_id === null ? "the channel" : "a person"),
        Text: ({ text }) => text,
      }}
      rows={context.database.list(posts, { incident_id: incident.id })}
      empty="The service has posted nothing."
    />
  );
}

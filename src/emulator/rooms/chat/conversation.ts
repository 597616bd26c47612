/** What people do in an incident's channel on the chat platform: they speak, and what they say is noted. */

import type { Act } from "../../transaction.ts";
import type { MemberRow } from "../access/principals.ts";
import { type EventRow, type MilestoneKind, record } from "../incidents/event.ts";
import { type IncidentRow, identifierOf } from "../incidents/incident.ts";
import { join } from "../responders/participants.ts";
import { memberActor } from "../responders/people.ts";
import { keepMessage, type MessageRow } from "./transcript.ts";

/** A person says something in the channel, or in the thread of an earlier message. */
export function say(
  act: Act,
  incident: IncidentRow,
  person: MemberRow,
  text: string,
  thread: MessageRow | null = null,
): MessageRow {
  join(act.database, incident, person);
  return keepMessage(act.database, {
    incident_id: incident.id,
    thread_id: thread?.thread_id ?? thread?.id ?? null,
    said_by: memberActor(person),
    said_at: act.timestamp,
    text,
  });
}

/** A message of the channel is noted on the timeline as a milestone of the kind. */
export function note(
  act: Act,
  incident: IncidentRow,
  message: MessageRow,
  kind: MilestoneKind,
  statement: string,
): EventRow {
  const milestone = {
    kind,
    statement,
    said_by: message.said_by.name,
    said_at: message.said_at,
    message_text: message.text,
    permalink: `https://chat.example.com/${identifierOf(incident).toLowerCase()}/${message.id}`,
  };
  return record(act, incident, {
    type: "milestone.noted",
    description: statement,
    milestone,
    objects: { milestone: { ...milestone, dismissed_at: null } },
  });
}

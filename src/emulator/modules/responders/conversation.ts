/** The conversation in an incident's channel: messages of people, and milestones noted from them. */

import type { TransactionContext } from "../../service/service-context.ts";
import { type MessageRow, storeMessage } from "../chat/transcript.ts";
import { type EventRow, type MilestoneKind, recordEvent } from "../incident-record/event.ts";
import { type IncidentRow, identifierOf } from "../incident-record/incident.ts";
import type { MemberRow } from "../people.ts";
import { memberActor } from "../people.ts";
import { joinChannel } from "./participants.ts";

/** Posts a person's message in the channel, or in the thread of an earlier message. */
export function postMessage(
  transaction: TransactionContext,
  incident: IncidentRow,
  person: MemberRow,
  text: string,
  thread: MessageRow | null = null,
): MessageRow {
  joinChannel(transaction.database, incident, person);
  return storeMessage(transaction.database, {
    incident_id: incident.id,
    thread_id: thread?.thread_id ?? thread?.id ?? null,
    said_by: memberActor(person),
    said_at: transaction.timestamp,
    text,
  });
}

/** Notes a message on the timeline as a milestone. */
export function noteMilestone(
  transaction: TransactionContext,
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
    permalink: permalinkOf(incident, message.id),
  };
  return recordEvent(transaction, incident, {
    type: "milestone.noted",
    description: statement,
    milestone,
    objects: { milestone: { ...milestone, dismissed_at: null } },
  });
}

/** The link to a message of the channel. */
export function permalinkOf(incident: Pick<IncidentRow, "number">, messageId: string): string {
  return `https://chat.example.com/${identifierOf(incident).toLowerCase()}/${messageId}`;
}

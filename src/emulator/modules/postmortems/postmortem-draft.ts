/** The draft of a postmortem, generated from the timeline in place of the service's AI draft. */

import type { Database } from "../../store/database.ts";
import { type EventRow, events, type MilestoneKind } from "../incident-record/event.ts";
import { type IncidentRow, identifierOf } from "../incident-record/incident.ts";

const sections: readonly (readonly [title: string, kinds: readonly MilestoneKind[]])[] = [
  ["Impact", ["impact"]],
  ["Root cause", ["root_cause"]],
  ["What was found", ["hypothesis", "finding", "blocker"]],
  ["What was done", ["decision", "mitigation", "recovery"]],
];

/** The draft as HTML: summary, a section for each group of milestones, and the timeline. */
export function draftHtml(database: Database, incident: IncidentRow): string {
  const visible = "WHERE incident_id = ? AND dismissed_at IS NULL ORDER BY occurred_at, rowid";
  const timeline = database.query(events, visible, [incident.id]);
  const parts = [
    heading("Summary"),
    paragraph(incident.summary ?? `${identifierOf(incident)}: ${incident.name}.`),
    ...sections.flatMap(([title, kinds]) => section(title, noteTexts(timeline, kinds))),
    ...section(
      "Timeline",
      timeline.map(({ occurred_at, description }) => `${occurred_at} ${description}`),
    ),
  ];
  return parts.join("\n");
}

function noteTexts(timeline: readonly EventRow[], kinds: readonly MilestoneKind[]): readonly string[] {
  return timeline.flatMap(({ milestone }) => {
    return milestone !== null && kinds.includes(milestone.kind)
      ? [`${milestone.statement} (${milestone.said_by})`]
      : [];
  });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return [heading(title), `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`];
}

function heading(text: string): string {
  return `<h2>${escapeHtml(text)}</h2>`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

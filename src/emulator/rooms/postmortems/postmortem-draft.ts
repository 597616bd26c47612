/** The first version of a postmortem, written from what the timeline holds; it stands in for the service's AI draft. */

import type { Database } from "../../store/database.ts";
import { type EventRow, events, type MilestoneKind } from "../incidents/event.ts";
import { type IncidentRow, identifierOf } from "../incidents/incident.ts";

const sections: readonly (readonly [title: string, kinds: readonly MilestoneKind[]])[] = [
  ["Impact", ["impact"]],
  ["Root cause", ["root_cause"]],
  ["What was found", ["hypothesis", "finding", "blocker"]],
  ["What was done", ["decision", "mitigation", "recovery"]],
];

/** The draft as HTML: a summary, a section for every sort of note there is, and the timeline. */
export function draftOf(database: Database, incident: IncidentRow): string {
  const shown = "WHERE incident_id = ? AND dismissed_at IS NULL ORDER BY occurred_at, rowid";
  const timeline = database.query(events, shown, [incident.id]);
  const parts = [
    heading("Summary"),
    paragraph(incident.summary ?? `${identifierOf(incident)}: ${incident.name}.`),
    ...sections.flatMap(([title, kinds]) => section(title, notesOf(timeline, kinds))),
    ...section(
      "Timeline",
      timeline.map(({ occurred_at, description }) => `${occurred_at} ${description}`),
    ),
  ];
  return parts.join("\n");
}

function notesOf(timeline: readonly EventRow[], kinds: readonly MilestoneKind[]): readonly string[] {
  return timeline.flatMap(({ milestone }) => {
    return milestone !== null && kinds.includes(milestone.kind)
      ? [`${milestone.statement} (${milestone.said_by})`]
      : [];
  });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return [heading(title), `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`];
}

function heading(text: string): string {
  return `<h2>${escaped(text)}</h2>`;
}

function paragraph(text: string): string {
  return `<p>${escaped(text)}</p>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** An incident of the service, reduced to what its declaration answered. Nothing that anybody wrote is kept but choices. */

import { type Fields, isFields, isList, type Json } from "../core/json.ts";
import type { State } from "../match/resolved-state.ts";
import type { Answer, PastIncident } from "./incident.ts";

/** Reduces an incident; `state` knows the slugs of severities and types. */
export function pastIncident(row: Fields, state: State): PastIncident {
  const type = row.type === null ? null : slugOf(row.type, "incident_types", state);
  return {
    source: typeof row.source === "string" ? row.source : "",
    severity: slugOf(row.severity, "severities", state),
    type,
    system: {
      name: true,
      severity: true,
      ...(type === undefined ? {} : { incident_type: type !== null }),
      ...(row.summary === undefined ? {} : { summary: String(row.summary ?? "").trim() !== "" }),
      // An incident is public when nothing is said, so only the other answer is known to have been given.
      ...(row.visibility === "private" ? { visibility: true } : {}),
    },
    custom: new Map(
      Object.entries(isFields(row.custom_fields) ? row.custom_fields : {}).flatMap(([slug, value]) => {
        const answers = answersIn(value);
        return answers.length === 0 ? [] : [[slug, answers] as const];
      }),
    ),
  };
}

/** The slug that the service tells, or the one of the entry with that id. */
function slugOf(value: Json | undefined, kind: string, state: State): string | undefined {
  if (!isFields(value)) return undefined;
  return typeof value.slug === "string" ? value.slug : state.key(kind, String(value.id));
}

function answersIn(value: Json): readonly Answer[] {
  return (isList(value) ? value : [value]).map(words).filter(({ length }) => length > 0);
}

/** The words of one answer: where a service tells a choice as an object, its id, its label and its slug. */
function words(value: Json): Answer {
  const parts = isFields(value) ? [value.id, value.label, value.name, value.slug] : [value];
  return parts.flatMap((part) => {
    const text = part === null || part === undefined ? "" : String(part).trim();
    return text === "" ? [] : [text];
  });
}

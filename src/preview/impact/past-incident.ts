/** Past incidents, reduced to the values that the declare form asks for: no name, no summary, no other text. */

import { type Fields, fieldsIn, isFields, isList, type Json, textIn } from "../../core/json.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";

/** One value of a field: the spellings of a choice, such as its label and its id; for other fields its text. */
export type FieldAnswer = readonly string[];

/** An incident in its current state, which stands in for the declaration that opened it. */
export interface PastIncident {
  /** Source of the declaration; empty if unknown. */
  readonly source: string;
  /** Slug; undefined if unknown. */
  readonly severity: string | undefined;
  /** Slug; null if there is none, undefined if unknown. */
  readonly type: string | null | undefined;
  /** System field → whether it has a value. A missing field may have had one. */
  readonly systemAnswers: Readonly<Record<string, boolean | undefined>>;
  /** Slug of a custom field → its values. Fields without a value are missing. */
  readonly customAnswers: ReadonlyMap<string, readonly FieldAnswer[]>;
}

/** The reduced incident; `state` has the slugs of severities and types. */
export function pastIncident(row: Fields, state: ResolvedState): PastIncident {
  const type = row.type === null ? null : slugOf(row.type, "incident_types", state);
  return {
    source: textIn(row.source) ?? "",
    severity: slugOf(row.severity, "severities", state),
    type,
    systemAnswers: {
      name: true,
      severity: true,
      incident_type: type === undefined ? undefined : type !== null,
      summary: row.summary === undefined ? undefined : String(row.summary ?? "").trim() !== "",
      // Public is the default, so only `private` proves that a value was sent.
      visibility: row.visibility === "private" ? true : undefined,
    },
    customAnswers: new Map(
      Object.entries(fieldsIn(row.custom_fields)).flatMap(([slug, value]) => {
        const answers = answersIn(value);
        return answers.length === 0 ? [] : [[slug, answers] as const];
      }),
    ),
  };
}

/** The slug in the response, or the slug of the resource with that id. */
function slugOf(value: Json | undefined, kind: string, state: ResolvedState): string | undefined {
  if (!isFields(value)) return undefined;
  return textIn(value.slug) ?? state.key(kind, String(value.id));
}

function answersIn(value: Json): readonly FieldAnswer[] {
  return (isList(value) ? value : [value]).map(spellingsOf).filter(({ length }) => length > 0);
}

/** The spellings of one value: id, label, name and slug if the service returns an object. */
function spellingsOf(value: Json): FieldAnswer {
  const parts = isFields(value) ? [value.id, value.label, value.name, value.slug] : [value];
  return parts.flatMap((part) => {
    const text = part === null || part === undefined ? "" : String(part).trim();
    return text === "" ? [] : [text];
  });
}

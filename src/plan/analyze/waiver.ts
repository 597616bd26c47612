/** Waivers: comments in files that accept a finding, with a reason and a last day. */

import type { Directive } from "../../config/source/directives.ts";
import { isDay } from "../../core/clock.ts";
import type { Location } from "../../core/diagnostic.ts";
import type { AnalyzerRule, Hit } from "./analyzer.ts";

/** A comment that waives the findings of a line. */
export interface Waiver {
  readonly ids: readonly string[];
  /** Last day on which it applies, in UTC. */
  readonly until: string;
  readonly reason: string;
  readonly at: Location;
  readonly line: number;
}

/** Rule about waivers, which no waiver applies to. */
export const malformedWaiver: AnalyzerRule = {
  id: "A098",
  name: "malformed-waiver",
  severity: "warning",
  title: "A comment for incidentctl is not a valid waiver.",
  why: "The comment waives nothing, although its author believes that it does.",
  fix: "Write it like this: # incidentctl: allow A004 until 2026-12-31 because the source is removed in January",
};

/** Rule about waivers, which no waiver applies to. */
export const unusedWaiver: AnalyzerRule = {
  id: "A099",
  name: "unused-waiver",
  severity: "note",
  title: "A waiver waives nothing.",
  why: "The finding is fixed or has moved. The waiver would hide the next finding at its place, which nobody has reviewed.",
  fix: "Remove the comment, or move it above the line of the finding.",
};

const FORMAT = /^allow\s+(?<ids>\S+(?:\s*,\s*\S+)*)\s+until\s+(?<until>\S+)\s+because\s+(?<reason>\S.*)$/;

/** The waiver in a comment, or the error in it. */
export function readWaiver(directive: Directive, known: ReadonlySet<string>): Waiver | { readonly error: string } {
  const { ids: list, until = "", reason = "" } = FORMAT.exec(directive.text)?.groups ?? {};
  if (list === undefined) return { error: "the comment does not have the form: allow ID until DATE because REASON" };
  const ids = list.split(",").map((id) => id.trim());
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) return { error: `no analyzer has the id "${unknown}"` };
  if (!isDay(until)) return { error: `"${until}" is not a date of the form 2026-12-31` };
  return { ids, until, reason, at: directive.at, line: directive.line };
}

/** Whether the waiver is in force; its last day ends at midnight UTC. */
export function isInForce({ until }: Waiver, now: Date): boolean {
  return now.toISOString().slice(0, 10) <= until;
}

/** Whether the waiver is for a hit of the rule: on its line, on the line where its resource starts, or on that of what made the value. */
export function appliesTo(
  waiver: Waiver,
  id: string,
  { at, resourceAt, madeAt }: Pick<Hit, "at" | "resourceAt" | "madeAt">,
): boolean {
  return (
    waiver.ids.includes(id) &&
    [at, resourceAt, madeAt].some((place) => place?.file === waiver.at.file && place.line === waiver.line)
  );
}

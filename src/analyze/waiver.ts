/** Waivers: comments by which a reviewed file says that it does not want to hear of a finding, why, and until when. */

import type { Remark } from "../config/load/configuration.ts";
import type { Location } from "../core/diagnostic.ts";
import type { Hit, Rule } from "./analyzer.ts";

/** A comment that waives findings of its line. */
export interface Waiver {
  readonly ids: readonly string[];
  /** The last day on which it counts, in UTC. */
  readonly until: string;
  readonly reason: string;
  readonly at: Location;
  readonly line: number;
}

/** A rule about waivers themselves; nobody can waive it. */
export const malformedWaiver: Rule = {
  id: "A098",
  name: "malformed-waiver",
  severity: "warning",
  title: "A comment addresses this program and cannot be understood.",
  why: "A waiver that is not understood waives nothing, and whoever wrote it believes that it does.",
  fix: "Write it like this: # incidentctl: allow A004 until 2026-12-31 because the source goes away in January",
};

/** A rule about waivers themselves; nobody can waive it. */
export const unusedWaiver: Rule = {
  id: "A099",
  name: "unused-waiver",
  severity: "note",
  title: "A waiver waives nothing.",
  why: "What it was for is repaired or has moved, and the next finding at its place would be waived without anybody having thought about it.",
  fix: "Remove the comment, or put it above the line of the finding.",
};

const SHAPE = /^allow\s+(?<ids>\S+(?:\s*,\s*\S+)*)\s+until\s+(?<until>\S+)\s+because\s+(?<reason>\S.*)$/;

/** The waiver that a remark is, or why it is none. */
export function readWaiver(remark: Remark, known: ReadonlySet<string>): Waiver | { readonly flaw: string } {
  const { ids: list, until = "", reason = "" } = SHAPE.exec(remark.text)?.groups ?? {};
  if (list === undefined) return { flaw: "the comment is not of the form allow ID until DATE because REASON" };
  const ids = list.split(",").map((id) => id.trim());
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) return { flaw: `no analyzer has the id "${unknown}"` };
  if (!isDay(until)) return { flaw: `"${until}" is not a day of the form 2026-12-31` };
  return { ids, until, reason, at: remark.at, line: remark.line };
}

/** Whether the waiver still counts; its last day ends at midnight UTC. */
export function counts({ until }: Waiver, now: Date): boolean {
  return now.toISOString().slice(0, 10) <= until;
}

/** Whether the waiver speaks about a place where a rule found something: the line of the place, or of the entry's start. */
export function speaksOf(waiver: Waiver, id: string, { at, entry }: Pick<Hit, "at" | "entry">): boolean {
  return (
    waiver.ids.includes(id) && [at, entry].some((place) => place?.file === waiver.at.file && place.line === waiver.line)
  );
}

/** Whether the text is a day of the calendar: `2026-12-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Some parsers let the 30th of February run over into March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

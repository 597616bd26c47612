/** Accepted, expired and resolved differences, and the fingerprint, in drift reports. */

import type { Drift, JudgedDifference } from "../../plan/drift/drift.ts";
import type { ReportStyle } from "./change-lines.ts";
import { type PlaceItem, type PlaceSection, placeItem, sectionBlocks, sectionMarkdown } from "./left-alone.ts";

/** Blocks of lines for the text report, before its summary. */
export function driftBlocks(drift: Drift, style: ReportStyle): readonly (readonly string[])[] {
  const blocks = sectionBlocks(driftSections(drift), style);
  return drift.fingerprint === null ? blocks : [...blocks, [`Fingerprint: ${drift.fingerprint}`]];
}

/** The same as lines of Markdown, short enough for a comment, with a hidden mark that holds the fingerprint. */
export function driftStatusMarkdown(drift: Drift, verbose: boolean): readonly string[] {
  return [...sectionMarkdown(driftSections(drift), verbose), fingerprintMark(drift)];
}

/** The numbers of accepted, expired, resolved and ignored differences, as a sentence after the summary; empty if there are none. */
export function driftStatusSummary({ known, expired, resolved }: Drift, ignored: number): string {
  const parts = [
    ...(known.length === 0 ? [] : [`${known.length} accepted`]),
    ...(expired.length === 0 ? [] : [`${expired.length} expired`]),
    ...(resolved.length === 0 ? [] : [`${resolved.length} resolved`]),
    ...(ignored === 0 ? [] : [`${ignored} ignored`]),
  ];
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}

/** `<!-- incidentctl:fingerprint 0123456789abcdef -->`, or `none`: lets a pipeline recognize drift that it has reported before. */
function fingerprintMark({ fingerprint }: Drift): string {
  return `<!-- incidentctl:fingerprint ${fingerprint ?? "none"} -->`;
}

/** The lists of a drift report: changed, expired, accepted and resolved differences; none is empty. */
export function driftSections({ new: fresh, known, expired, resolved }: Drift): readonly PlaceSection[] {
  const changed = fresh.filter(({ accepted }) => accepted !== undefined);
  const all: readonly PlaceSection[] = [
    { title: "Accepted, but changed since", items: changed.map(acceptedItem) },
    { title: "Expired", items: expired.map(acceptedItem) },
    { title: "Accepted", items: known.map(acceptedItem) },
    { title: "Resolved", items: resolved.map((one) => acceptedItem({ ...one, accepted: one })) },
  ];
  return all.filter(({ items }) => items.length > 0);
}

/** The place of a difference, with the terms of its acceptance. */
export function acceptedItem({
  address,
  path,
  accepted,
}: Pick<JudgedDifference, "address" | "path" | "accepted">): PlaceItem {
  const { until = "", because: why = "", by } = accepted ?? {};
  return placeItem({ address, path, until, why, ...(by === undefined ? {} : { by }) });
}

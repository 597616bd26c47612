/** Accepted, expired and resolved differences, and the fingerprint, in drift reports. */

import { sanitised } from "../../core/sanitise.ts";
import type { Acceptance, Drift, JudgedDifference } from "../../drift/drift.ts";
import { code, foldedList, prose, takeFitting } from "../format/markdown.ts";
import { counted, fieldPath } from "../format/value.ts";
import type { ReportStyle } from "../plan/change-lines.ts";

/** Differences to name in each section before the rest is counted. */
const MAX_ITEMS = 50;
/** Characters of each section in Markdown. */
const MAX_CHARACTERS = 2_000;

/** Blocks of lines for the text report, before its summary. */
export function driftBlocks(drift: Drift, style: ReportStyle): readonly (readonly string[])[] {
  const blocks = driftSections(drift).map(({ title, items }) => {
    const visible = style.verbose ? items : items.slice(0, MAX_ITEMS);
    const rest = items.length - visible.length;
    return [
      style.paint("heading", title),
      ...visible.map(
        ({ where, note }) => `  ${[where.map(sanitised).join("  "), style.paint("quiet", sanitised(note))].join("  ")}`,
      ),
      ...(rest === 0 ? [] : [`  … and ${counted(rest, "more")}; --verbose names all`]),
    ];
  });
  return drift.fingerprint === null ? blocks : [...blocks, [`Fingerprint: ${drift.fingerprint}`]];
}

/** The same as lines of Markdown, short enough for a comment, with a hidden mark that holds the fingerprint. */
export function driftStatusMarkdown(drift: Drift, verbose: boolean): readonly string[] {
  const lists = driftSections(drift).flatMap(({ title, items }) => {
    const lines = items.map(({ where, note }) => `- ${where.map(code).join(" ")}: ${prose(note)}`);
    return foldedList(title, items.length, verbose ? lines : takeFitting(lines, MAX_CHARACTERS));
  });
  return [...lists, fingerprintMark(drift)];
}

/** The numbers of accepted, expired and resolved differences, as a sentence after the summary; empty if there are none. */
export function driftStatusSummary({ known, expired, resolved }: Drift): string {
  const parts = [
    ...(known.length === 0 ? [] : [`${known.length} accepted`]),
    ...(expired.length === 0 ? [] : [`${expired.length} expired`]),
    ...(resolved.length === 0 ? [] : [`${resolved.length} resolved`]),
  ];
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}

/** `<!-- incidentctl:fingerprint 0123456789abcdef -->`, or `none`: lets a pipeline recognize drift that it has reported before. */
function fingerprintMark({ fingerprint }: Drift): string {
  return `<!-- incidentctl:fingerprint ${fingerprint ?? "none"} -->`;
}

interface DriftSection {
  readonly title: string;
  readonly items: readonly { readonly where: readonly string[]; readonly note: string }[];
}

/** The lists of a drift report: changed, expired, accepted and resolved differences; none is empty. */
export function driftSections({ new: fresh, known, expired, resolved }: Drift): readonly DriftSection[] {
  const changed = fresh.filter(({ accepted }) => accepted !== undefined);
  const all: readonly DriftSection[] = [
    { title: "Accepted, but changed since", items: changed.map(item) },
    { title: "Expired", items: expired.map(item) },
    { title: "Accepted", items: known.map(item) },
    { title: "Resolved", items: resolved.map((one) => item({ ...one, accepted: one })) },
  ];
  return all.filter(({ items }) => items.length > 0);
}

function item({
  address,
  path,
  accepted,
}: Pick<JudgedDifference, "address" | "path" | "accepted">): DriftSection["items"][number] {
  const { until, because }: Pick<Acceptance, "until" | "because"> = accepted ?? { until: "", because: "" };
  return { where: path === "" ? [address] : [address, fieldPath(path)], note: `until ${until}: ${because}` };
}

/** What a drift report says of its memory: what is expired, accepted and resolved, and by what it is known again. */

import { sanitised } from "../../core/sanitise.ts";
import type { Acceptance, Drift, Remembered } from "../../drift/drift.ts";
import { code, fitting, folded, prose } from "../format/markdown.ts";
import { counted, place } from "../format/value.ts";
import type { ReportStyle } from "../plan/change-lines.ts";

/** Differences of each sort that are named before the rest is counted. */
const MOST = 50;
/** Characters of each list in Markdown. */
const SECTION = 2_000;

/** Blocks of lines for a text report, to stand before its summary. */
export function memoryBlocks(drift: Drift, style: ReportStyle): readonly (readonly string[])[] {
  const blocks = sorts(drift).map(({ title, items }) => {
    const shown = style.verbose ? items : items.slice(0, MOST);
    const rest = items.length - shown.length;
    return [
      style.paint("heading", title),
      ...shown.map(
        ({ where, note }) => `  ${[where.map(sanitised).join("  "), style.paint("quiet", sanitised(note))].join("  ")}`,
      ),
      ...(rest === 0 ? [] : [`  … and ${counted(rest, "more")}; --verbose names all`]),
    ];
  });
  return drift.fingerprint === null ? blocks : [...blocks, [`Fingerprint: ${drift.fingerprint}`]];
}

/** The same as lines of Markdown, no longer than a part of a comment may be, with a hidden mark that tells the fingerprint to programs. */
export function memoryMarkdown(drift: Drift, verbose: boolean): readonly string[] {
  const lists = sorts(drift).flatMap(({ title, items }) => {
    const lines = items.map(({ where, note }) => `- ${where.map(code).join(" ")}: ${prose(note)}`);
    return folded(title, items.length, verbose ? lines : fitting(lines, SECTION));
  });
  return [...lists, fingerprintMark(drift)];
}

/** How many are accepted, expired and resolved, as sentences behind a summary; empty when nothing was ever accepted. */
export function memorySummary({ known, expired, resolved }: Drift): string {
  const parts = [
    ...(known.length === 0 ? [] : [`${known.length} accepted`]),
    ...(expired.length === 0 ? [] : [`${expired.length} accepted until a day that has passed`]),
    ...(resolved.length === 0 ? [] : [`${resolved.length} resolved`]),
  ];
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}

/** `<!-- incidentctl:fingerprint 0123456789abcdef -->`, or `none`: by it a pipeline knows whether it has told this already. */
function fingerprintMark({ fingerprint }: Drift): string {
  return `<!-- incidentctl:fingerprint ${fingerprint ?? "none"} -->`;
}

interface Sort {
  readonly title: string;
  readonly items: readonly { readonly where: readonly string[]; readonly note: string }[];
}

function sorts({ new: fresh, known, expired, resolved }: Drift): readonly Sort[] {
  const changed = fresh.filter(({ accepted }) => accepted !== undefined);
  const all: readonly Sort[] = [
    { title: "Accepted, but changed since", items: changed.map(item) },
    { title: "Expired", items: expired.map(item) },
    { title: "Accepted", items: known.map(item) },
    { title: "Resolved", items: resolved.map((one) => item({ ...one, accepted: one })) },
  ];
  return all.filter(({ items }) => items.length > 0);
}

function item({ address, path, accepted }: Pick<Remembered, "address" | "path" | "accepted">): Sort["items"][number] {
  const { until, because }: Pick<Acceptance, "until" | "because"> = accepted ?? { until: "", because: "" };
  return { where: path === "" ? [address] : [address, place(path)], note: `until ${until}: ${because}` };
}

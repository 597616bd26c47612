/** The report of a pull, as text, as a patch and as JSON. */

import type { SourcePlace } from "../../core/diagnostic.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted, placeText } from "../../core/value-text.ts";
import type { Paint } from "../format/ansi.ts";
import { patchLines } from "../format/line-diff.ts";
import { shorten } from "../format/shorten.ts";

/** A file that a pull writes. */
export interface PulledText {
  readonly file: string;
  /** Undefined for a new file. */
  readonly before?: string;
  readonly after: string;
  readonly entries: readonly { readonly address: string; readonly action: string }[];
}

/** A live value that was not written to a file. */
export interface PullConflict {
  readonly address: string;
  /** JSON Pointer into the resource; empty for the whole resource. */
  readonly path: string;
  readonly reason: string;
  readonly at?: SourcePlace;
}

/** The result of a pull. */
export interface PullReport {
  readonly written: boolean;
  readonly files: readonly PulledText[];
  readonly conflicts: readonly PullConflict[];
  /** Kinds that the token may not read. */
  readonly unread: readonly string[];
  /** Declared fields that the service does not return; the files keep their values. */
  readonly untold: readonly { readonly address: string; readonly path: string; readonly reason: string }[];
}

/** `others` counts files that the command has written besides. */
export function pullText({ files, conflicts, written }: PullReport, others = 0): string {
  const lines = files.map((one) => {
    const state = one.before === undefined ? "new" : "changed";
    return `  ${sanitised(one.file)}  ${state}: ${counts(one)}`;
  });
  if (files.length === 0 && conflicts.length === 0) return "The files match the workspace.\n";
  const sum =
    files.length === 0
      ? "Nothing to write."
      : `${written ? "Wrote" : "Would write"} ${counted(files.length + others, "file")}.`;
  const open = conflicts.length === 0 ? "" : ` ${counted(conflicts.length, "conflict")} to resolve by hand.`;
  return `${[...lines, ...(lines.length === 0 ? [] : [""]), sum + open].join("\n")}\n`;
}

function counts({ before, entries }: PulledText): string {
  const actions = [...new Set(entries.map(({ action }) => action))];
  const words = actions.map((action) => {
    const count = entries.filter((entry) => entry.action === action).length;
    return `${counted(count, "resource")} ${PAST_TENSE[action] ?? action}`;
  });
  return words.length === 0 ? (before === undefined ? "empty list" : "layout") : words.join(", ");
}

const PAST_TENSE: Readonly<Record<string, string>> = {
  change: "changed",
  add: "added",
  remove: "removed",
  move: "moved",
  rename: "renamed",
};

/** One line for each conflict. */
export function conflictLines({ conflicts }: Pick<PullReport, "conflicts">): readonly string[] {
  return conflicts.map(({ address, path, reason, at }) => {
    const place = at === undefined ? "" : ` (${placeText(at)})`;
    return sanitised(`conflict: ${address}${path === "" ? "" : ` ${path.slice(1)}`}: ${reason}${place}`);
  });
}

/** Fields to list before the rest is counted. */
const MAX_NOT_COMPARED = 10;

/** The lines about fields that could not be compared; empty if there are none. */
export function notComparedLines({ untold }: PullReport): readonly string[] {
  if (untold.length === 0) return [];
  const lines = untold.map(({ address, path, reason }) => sanitised(`  ${address} ${path.slice(1)}: ${reason}`));
  const some = shorten(lines, MAX_NOT_COMPARED, (more) => `  and ${counted(more, "more field")}`);
  return ["preserved in the files, because the live value is unknown:", ...some];
}

/** The changes to files as a unified diff for `patch` and `git apply`. */
export function pullDiff({ files }: PullReport, paint: Paint): string {
  return files.map((file) => fileDiff(file, paint)).join("");
}

/** One file as a unified diff. */
export function fileDiff({ file, before, after }: Pick<PulledText, "file" | "before" | "after">, paint: Paint): string {
  const name = sanitised(file);
  const head = before === undefined ? ["--- /dev/null", `+++ b/${name}`] : [`--- a/${name}`, `+++ b/${name}`];
  const lines = patchLines(before ?? "", after).map((raw) => {
    const line = sanitisedLine(raw);
    if (/^[@\\]/.test(line)) return paint("quiet", line);
    if (line.startsWith(" ")) return line;
    return paint(line.startsWith("-") ? "removed" : "added", line);
  });
  return `${[...head, ...lines].join("\n")}\n`;
}

/** The line with invisible characters escaped, except for tabs and a carriage return at its end, which a patch needs. */
function sanitisedLine(line: string): string {
  const end = line.endsWith("\r") ? "\r" : "";
  return (
    line
      .slice(0, line.length - end.length)
      .split("\t")
      .map(sanitised)
      .join("\t") + end
  );
}

export function pullJson({ written, files, conflicts, unread, untold }: PullReport): object {
  return {
    format_version: 1,
    written,
    files: files.map(({ file, before, entries }) => ({ file, new: before === undefined, entries })),
    conflicts,
    unread,
    untold,
  };
}

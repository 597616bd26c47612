/** What a pull has found and written, for people and for programs. */

import { sanitised } from "../core/sanitise.ts";
import type { Paint } from "./format/ansi.ts";
import { patchLines } from "./format/line-diff.ts";
import { counted } from "./format/value.ts";

/** A file that a pull writes. */
export interface PulledText {
  readonly file: string;
  /** Undefined for a new file. */
  readonly before?: string;
  readonly after: string;
  readonly entries: readonly { readonly address: string; readonly action: string }[];
}

/** Something live that no file was made to say. */
export interface NotPulled {
  readonly address: string;
  /** JSON Pointer into the entry; empty: all of it. */
  readonly path: string;
  readonly reason: string;
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
}

/** What came of a pull. */
export interface PullReport {
  readonly written: boolean;
  readonly files: readonly PulledText[];
  readonly conflicts: readonly NotPulled[];
  /** Kinds that this token does not reach. */
  readonly unread: readonly string[];
  /** Fields that files state and the service does not tell: they stay as they are written. */
  readonly untold: readonly { readonly address: string; readonly path: string; readonly reason: string }[];
}

/** The answer of a pull that has written. */
export function pullText({ files, conflicts, written }: PullReport): string {
  const lines = files.map(({ file, before, entries }) => {
    const what = before === undefined ? "new" : "changed";
    return `  ${sanitised(file)}  ${what}: ${counts(entries)}`;
  });
  if (files.length === 0 && conflicts.length === 0) return "The files say what is live.\n";
  const sum =
    files.length === 0 ? "Nothing to write." : `${written ? "Wrote" : "Would write"} ${counted(files.length, "file")}.`;
  const left = conflicts.length === 0 ? "" : ` ${counted(conflicts.length, "conflict")} left to you.`;
  return `${[...lines, ...(lines.length === 0 ? [] : [""]), sum + left].join("\n")}\n`;
}

function counts(entries: PulledText["entries"]): string {
  const actions = [...new Set(entries.map(({ action }) => action))];
  const words = actions.map((action) => {
    const count = entries.filter((entry) => entry.action === action).length;
    return `${counted(count, "entry", "entries")} ${PAST[action] ?? action}`;
  });
  return words.length === 0 ? "layout" : words.join(", ");
}

const PAST: Readonly<Record<string, string>> = {
  change: "changed",
  add: "added",
  remove: "removed",
  move: "moved",
};

/** One line for each thing that was not pulled. */
export function conflictLines({ conflicts }: Pick<PullReport, "conflicts">): readonly string[] {
  return conflicts.map(({ address, path, reason, at }) => {
    const place = at === undefined ? "" : ` (${at.file}:${at.line}:${at.column})`;
    return sanitised(`conflict: ${address}${path === "" ? "" : ` ${path.slice(1)}`}: ${reason}${place}`);
  });
}

/** Longer lists are counted. */
const MOST_UNTOLD = 10;

/** What stays as it is written because nobody knows what is live; nothing where everything was told. */
export function untoldLines({ untold }: PullReport): readonly string[] {
  if (untold.length === 0) return [];
  const lines = untold
    .slice(0, MOST_UNTOLD)
    .map(({ address, path, reason }) => sanitised(`  ${address} ${path.slice(1)}: ${reason}`));
  const rest = untold.length > MOST_UNTOLD ? [`  and ${counted(untold.length - MOST_UNTOLD, "more field")}`] : [];
  return ["left as it is written, since it could not be compared:", ...lines, ...rest];
}

/** The texts as a unified diff, as `patch` and `git apply` take it. */
export function pullDiff({ files }: PullReport, paint: Paint): string {
  return files.map((file) => fileDiff(file, paint)).join("");
}

/** One file as a unified diff. */
export function fileDiff({ file, before, after }: Pick<PulledText, "file" | "before" | "after">, paint: Paint): string {
  const name = sanitised(file);
  const head = before === undefined ? ["--- /dev/null", `+++ b/${name}`] : [`--- a/${name}`, `+++ b/${name}`];
  const lines = patchLines(before ?? "", after).map((raw) => {
    const line = harmless(raw);
    if (/^[@\\]/.test(line)) return paint("quiet", line);
    if (line.startsWith(" ")) return line;
    return paint(line.startsWith("-") ? "removed" : "added", line);
  });
  return `${[...head, ...lines].join("\n")}\n`;
}

/** The line with what cannot be seen written out, but for tabs and the end of a line: a patch must hold them as they are. */
function harmless(line: string): string {
  const end = line.endsWith("\r") ? "\r" : "";
  return (
    line
      .slice(0, line.length - end.length)
      .split("\t")
      .map(sanitised)
      .join("\t") + end
  );
}

/** For programs. */
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

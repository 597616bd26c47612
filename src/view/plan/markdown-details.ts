/** The changes of a plan in Markdown, as a folded diff for each kind. If there is no room for all, the risky ones are shown. */

import { sanitised } from "../../core/sanitise.ts";
import { counted, cut, cutBoth, thousands, valueText } from "../../core/value-text.ts";
import type { Change, Risk } from "../../plan/model/plan.ts";
import { escaped } from "../format/html.ts";
import { fence, prose, takeFitting } from "../format/markdown.ts";
import { cutLines } from "./field-lines.ts";
import { diffOf, type FieldRow, fieldRows } from "./field-rows.ts";
import { type ChangeView, type KindView, type PlanView, transitionSentences } from "./plan-view.ts";
import { countActions } from "./verdict.ts";

/** The details as lines. */
export interface MarkdownDetails {
  readonly lines: readonly string[];
  /** The number of changes that are shown without their fields. */
  readonly withoutFields: number;
  /** The number of changes that are not shown. */
  readonly leftOut: number;
}

interface DetailEntry {
  readonly change: Change;
  readonly head: string;
  readonly fields: readonly string[];
}

/** Changes up to which the folds are open. */
const MAX_OPEN = 12;
/** Lines of one diff in a report that is not verbose. */
const MAX_LINES = 60;
/** Characters of the first line of a change, and of the name of a field. */
const MAX_HEAD = 300;
const MAX_LABEL = 120;
/** Ranked lists may take one part in so many of the room. */
const LISTS = 4;
/** Ranked lists to describe below one kind. */
const MAX_LISTS = 30;
/** Characters of a fold without its changes. */
const FRAME = 240;

const RISKS: readonly Risk[] = ["destructive", "attention", "safe"];
/** Signs of a diff, by the symbols of the text report. */
const SIGNS = { "+": "+", "-": "-", o: "-", "~": "!", ">": "!" } as const;

/** The folds of the kinds, in the order of the plan. If the report is not verbose, they take this many characters at most. */
export function details({ sections, wording }: PlanView, verbose: boolean, room: number): MarkdownDetails {
  const kinds = sections.flatMap(({ title, kinds: own }) =>
    own.map((kind, at) => ({ ...kind, title: at === 0 ? title : "" })),
  );
  const share = room / LISTS / kinds.length;
  const groups = kinds.map(({ title, kind, changes, transitions }) => ({
    title,
    kind,
    entries: changes.map((view) => entryOf(view, wording.isPlan, verbose)),
    lists: listLines(transitions, share, verbose),
  }));
  const all = groups.flatMap(({ entries }) => entries);
  const frames = groups.reduce((sum, { lists }) => sum + FRAME + sizeOf(lists), 0);
  const { named, whole } = chooseEntries(all, verbose ? Number.POSITIVE_INFINITY : room - frames);
  const open = all.length <= MAX_OPEN ? " open" : "";
  const counts = (entries: readonly DetailEntry[]): string =>
    countActions(
      entries.map(({ change }) => change),
      wording,
    );
  const lines = groups.flatMap(({ title, kind, entries, lists }) => {
    const visible = entries.filter((entry) => named.has(entry));
    const rest = entries.filter((entry) => !named.has(entry));
    const diff = visible.flatMap((entry) => (whole.has(entry) ? [entry.head, ...entry.fields] : [entry.head]));
    return [
      ...(title === "" ? [] : [`### ${title}`, ""]),
      `<details${open}><summary><code>${escaped(cut(sanitised(kind)))}</code>: ${counts(entries)}</summary>`,
      "",
      ...(diff.length === 0 ? [] : [...fence("diff", diff), ""]),
      ...(rest.length === 0 ? [] : [`… and ${thousands(rest.length)} more: ${counts(rest)}`, ""]),
      ...lists,
      "</details>",
      "",
    ];
  });
  return { lines, leftOut: all.length - named.size, withoutFields: named.size - whole.size };
}

/** The changes to name and those to show with fields, as many as fit. Names come before fields, and risky changes first. */
function chooseEntries(
  entries: readonly DetailEntry[],
  room: number,
): { readonly named: ReadonlySet<DetailEntry>; readonly whole: ReadonlySet<DetailEntry> } {
  const ordered = RISKS.flatMap((risk) => entries.filter(({ change }) => change.risk === risk));
  let remaining = room;
  const take = (some: readonly DetailEntry[], size: (entry: DetailEntry) => number): ReadonlySet<DetailEntry> => {
    const visible = new Set<DetailEntry>();
    for (const entry of some) {
      if (size(entry) > remaining) continue;
      remaining -= size(entry);
      visible.add(entry);
    }
    return visible;
  };
  const named = take(ordered, ({ head }) => head.length + 1);
  const whole = take(
    ordered.filter((entry) => named.has(entry)),
    ({ fields }) => sizeOf(fields),
  );
  return { named, whole };
}

function entryOf(
  { change, word, label, position, reason, takeover }: ChangeView,
  isPlan: boolean,
  verbose: boolean,
): DetailEntry {
  const notes = [label, word.note ?? "", position, isPlan ? reason : "", takeover]
    .filter((note) => note !== "")
    .join("; ");
  const head = `${SIGNS[word.symbol]} ${sanitised(change.address)}${notes === "" ? "" : `  (${notes})`}`;
  return {
    change,
    head: verbose ? head : cut(head, MAX_HEAD),
    fields: fieldRows(change.fields).flatMap((row) => rowLines(row, change.action === "create", verbose)),
  };
}

function rowLines(row: FieldRow, isNew: boolean, verbose: boolean): readonly string[] {
  const label = verbose ? row.label : cut(row.label, MAX_LABEL);
  if ("sides" in row) {
    const all = diffOf(row.sides, isNew);
    const visible = verbose ? all : cutLines(all).slice(0, MAX_LINES);
    const hidden = all.slice(visible.length);
    const count = (sign: string): string => thousands(hidden.filter((line) => line.sign === sign).length);
    return [
      `    ${label}`,
      ...visible.map(({ sign, text }) =>
        sign === "@" ? (text.startsWith("") ? text : `      ${text}`) : `${sign}     ${text}`,
      ),
      ...(hidden.length === 0 ? [] : [`      … ${count("-")} more removed, ${count("+")} more added`]),
    ];
  }
  const { before, after } = row;
  if (before !== null && after !== null) {
    const [was, is] = verbose ? [before, after] : cutBoth(before, after);
    return [`-   ${label}: ${was}`, `+   ${label}: ${is}`];
  }
  const value = before ?? after ?? valueText(null);
  return [`${before === null ? "+" : "-"}   ${label}: ${verbose ? value : cut(value)}`];
}

/** The summaries of the ranked lists of a kind. */
function listLines(lists: KindView["transitions"], room: number, verbose: boolean): readonly string[] {
  if (lists.length === 0) return [];
  const lines = lists.map((transition) => `- ${transitionSentences(transition).map(prose).join("; ")}`);
  const visible = verbose ? lines : takeFitting(lines.slice(0, MAX_LISTS), room);
  const rest = lists.length - visible.length;
  return [...visible, ...(rest === 0 ? [] : [`- … and ${counted(rest, "more list")}`]), ""];
}

/** The number of characters of lines with their ends. */
export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

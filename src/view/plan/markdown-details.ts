/** The changes of a plan in Markdown, as a folded diff for each kind. If there is no room for all, the risky ones are shown. */

import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted, cut, cutBoth, thousands, valueText } from "../../core/value-text.ts";
import type { Change, Plan, Risk } from "../../plan/model/plan.ts";
import { fence, prose } from "../format/markdown.ts";
import { escaped } from "../format/xml.ts";
import { positionText, quotedLabel, takeoverText } from "./change-lines.ts";
import { cutLines } from "./field-lines.ts";
import { diffOf, type FieldRow, fieldRows } from "./field-rows.ts";
import { countActions } from "./overview.ts";
import { transitionSentences } from "./transitions.ts";
import type { Wording } from "./wording.ts";

/** The style of the details. */
export interface DetailStyle {
  readonly wording: Wording;
  /** Characters that the details may take. */
  readonly room: number;
  /** Shows everything. */
  readonly verbose: boolean;
}

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

/** The folds of the kinds, in the order of the plan. */
export function details(plan: Plan, style: DetailStyle): MarkdownDetails {
  const entries = groupBy(
    plan.changes.map((change) => entryOf(change, style)),
    ({ change }) => change.kind,
  );
  const share = style.room / LISTS / entries.size;
  const lists = new Map([...entries.keys()].map((kind) => [kind, listLines(plan, kind, share, style)]));
  const frameSize = [...entries].reduce((sum, [kind]) => sum + FRAME + sizeOf(lists.get(kind) ?? []), 0);
  const all = [...entries.values()].flat();
  const { named, whole } = chooseEntries(all, style.verbose ? Number.POSITIVE_INFINITY : style.room - frameSize);
  const open = all.length <= MAX_OPEN ? " open" : "";
  const lines = [...entries].flatMap(([kind, group]) => {
    const visible = group.filter((entry) => named.has(entry));
    const rest = group.filter((entry) => !named.has(entry)).map(({ change }) => change);
    const diff = visible.flatMap((entry) => (whole.has(entry) ? [entry.head, ...entry.fields] : [entry.head]));
    const counts = countActions(
      group.map(({ change }) => change),
      style.wording,
    );
    return [
      `<details${open}><summary><code>${escaped(cut(sanitised(kind)))}</code>: ${counts}</summary>`,
      "",
      ...(diff.length === 0 ? [] : [...fence("diff", diff), ""]),
      ...(rest.length === 0 ? [] : [`… and ${thousands(rest.length)} more: ${countActions(rest, style.wording)}`, ""]),
      ...(lists.get(kind) ?? []),
      "</details>",
      "",
    ];
  });
  return {
    lines,
    leftOut: all.length - named.size,
    withoutFields: all.filter((entry) => named.has(entry) && !whole.has(entry)).length,
  };
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

function entryOf(change: Change, style: DetailStyle): DetailEntry {
  const word = style.wording.actions[change.action];
  const notes = [
    quotedLabel(change),
    word.note,
    positionText(change, style.wording),
    style.wording.isPlan ? sanitised(change.reason) : undefined,
    ...(style.wording.isPlan ? takeoverText(change) : []),
  ]
    .filter((note) => note !== undefined && note !== "")
    .join("; ");
  const head = `${SIGNS[word.symbol]} ${sanitised(change.address)}${notes === "" ? "" : `  (${notes})`}`;
  return {
    change,
    head: style.verbose ? head : cut(head, 300),
    fields: fieldRows(change.fields).flatMap((row) => rowLines(row, change.action === "create", style)),
  };
}

function rowLines(row: FieldRow, isNew: boolean, { verbose }: DetailStyle): readonly string[] {
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
function listLines(
  { transitions = [] }: Plan,
  kind: string,
  room: number,
  { wording, verbose }: DetailStyle,
): readonly string[] {
  const own = wording.isPlan ? transitions.filter((transition) => transition.kind === kind) : [];
  const lines = (verbose ? own : own.slice(0, MAX_LISTS)).map(
    (transition) => `- ${transitionSentences(transition).map(prose).join("; ")}`,
  );
  const visible = verbose ? lines : lines.filter((_line, at) => sizeOf(lines.slice(0, at + 1)) <= room);
  const rest = own.length - visible.length;
  return own.length === 0 ? [] : [...visible, ...(rest === 0 ? [] : [`- … and ${counted(rest, "more list")}`]), ""];
}

/** The number of characters of lines with their ends. */
export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

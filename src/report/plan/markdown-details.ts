/** The changes of a plan in Markdown, kind by kind, as diffs that fold; where there is no room for all, the risky ones stay. */

import { sanitised } from "../../core/sanitise.ts";
import type { Change, Plan, Risk } from "../../plan/plan.ts";
import { fence, prose } from "../format/markdown.ts";
import { counted, cut, cutBoth, shown, thousands } from "../format/value.ts";
import { escaped } from "../format/xml.ts";
import { label, neighbours } from "./change-lines.ts";
import { pairsCut } from "./field-lines.ts";
import { diffOf, type FieldRow, fieldRows } from "./field-rows.ts";
import { grouped, totals } from "./overview.ts";
import { transitionSentences } from "./transitions.ts";
import type { Wording } from "./wording.ts";

/** How the details are written. */
export interface DetailStyle {
  readonly wording: Wording;
  /** Characters that they may take. */
  readonly room: number;
  /** Nothing is cut. */
  readonly verbose: boolean;
}

/** The details, and what had to be left out of them. */
export interface Details {
  readonly lines: readonly string[];
  readonly withoutFields: number;
  readonly leftOut: number;
}

interface Entry {
  readonly change: Change;
  readonly head: string;
  readonly fields: readonly string[];
}

/** Up to this many changes the folds are open. */
const OPEN = 12;
/** Lines of one diff, unless the report is verbose. */
const MOST_LINES = 60;
const LONGEST_LABEL = 120;
/** What all lists in which the first match wins may take: this part of the room. */
const LISTS = 4;
/** Of them, those named below one kind. */
const MOST_LISTS = 30;
/** What a kind takes besides its entries. */
const FRAME = 240;

const RISKS: readonly Risk[] = ["destructive", "attention", "safe"];
/** Signs of a diff: what comes, what goes, what changes. */
const SIGNS = { "+": "+", "-": "-", o: "-", "~": "!", ">": "!" } as const;

/** One fold for each kind, in the order of the plan. */
export function details(plan: Plan, style: DetailStyle): Details {
  const entries = grouped(
    plan.changes.map((change) => entryOf(change, style)),
    ({ change }) => change.kind,
  );
  const share = style.room / LISTS / entries.size;
  const lists = new Map([...entries.keys()].map((kind) => [kind, listLines(plan, kind, share, style)]));
  const taken = [...entries].reduce((sum, [kind]) => sum + FRAME + sizeOf(lists.get(kind) ?? []), 0);
  const all = [...entries.values()].flat();
  const { named, whole } = chosen(all, style.verbose ? Number.POSITIVE_INFINITY : style.room - taken);
  const open = all.length <= OPEN ? " open" : "";
  const lines = [...entries].flatMap(([kind, group]) => {
    const kept = group.filter((entry) => named.has(entry));
    const rest = group.filter((entry) => !named.has(entry)).map(({ change }) => change);
    const diff = kept.flatMap((entry) => (whole.has(entry) ? [entry.head, ...entry.fields] : [entry.head]));
    const counts = totals(
      group.map(({ change }) => change),
      style.wording,
    );
    return [
      `<details${open}><summary><code>${escaped(cut(sanitised(kind)))}</code>: ${counts}</summary>`,
      "",
      ...(diff.length === 0 ? [] : [...fence("diff", diff), ""]),
      ...(rest.length === 0 ? [] : [`… and ${thousands(rest.length)} more: ${totals(rest, style.wording)}`, ""]),
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

/** Which entries are named and which are shown whole: first every name, then fields, the risky ones before the others. */
function chosen(
  entries: readonly Entry[],
  room: number,
): { readonly named: ReadonlySet<Entry>; readonly whole: ReadonlySet<Entry> } {
  const ordered = RISKS.flatMap((risk) => entries.filter(({ change }) => change.risk === risk));
  let left = room;
  const take = (some: readonly Entry[], size: (entry: Entry) => number): ReadonlySet<Entry> => {
    const kept = new Set<Entry>();
    for (const entry of some) {
      if (size(entry) > left) continue;
      left -= size(entry);
      kept.add(entry);
    }
    return kept;
  };
  const named = take(ordered, ({ head }) => head.length + 1);
  const whole = take(
    ordered.filter((entry) => named.has(entry)),
    ({ fields }) => sizeOf(fields),
  );
  return { named, whole };
}

function entryOf(change: Change, style: DetailStyle): Entry {
  const word = style.wording.actions[change.action];
  const notes = [
    label(change),
    word.note,
    neighbours(change),
    style.wording.asks ? sanitised(change.reason) : undefined,
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

function rowLines(row: FieldRow, fresh: boolean, { verbose }: DetailStyle): readonly string[] {
  const label = verbose ? row.label : cut(row.label, LONGEST_LABEL);
  if ("sides" in row) {
    const all = diffOf(row.sides, fresh);
    const kept = verbose ? all : pairsCut(all).slice(0, MOST_LINES);
    const left = all.slice(kept.length);
    const count = (sign: string): string => thousands(left.filter((line) => line.sign === sign).length);
    return [
      `    ${label}`,
      ...kept.map(({ sign, text }) =>
        sign === "@" ? (text.startsWith("@@") ? text : `      ${text}`) : `${sign}     ${text}`,
      ),
      ...(left.length === 0 ? [] : [`      … ${count("-")} more removed and ${count("+")} more added`]),
    ];
  }
  const { before, after } = row;
  if (before !== null && after !== null) {
    const [was, is] = verbose ? [before, after] : cutBoth(before, after);
    return [`-   ${label}: ${was}`, `+   ${label}: ${is}`];
  }
  const value = before ?? after ?? shown(null);
  return [`${before === null ? "+" : "-"}   ${label}: ${verbose ? value : cut(value)}`];
}

/** What is said of the lists of a kind in which the first match wins. */
function listLines(
  { transitions = [] }: Plan,
  kind: string,
  room: number,
  { wording, verbose }: DetailStyle,
): readonly string[] {
  const own = wording.asks ? transitions.filter((transition) => transition.kind === kind) : [];
  const lines = (verbose ? own : own.slice(0, MOST_LISTS)).map(
    (transition) => `- ${transitionSentences(transition).map(prose).join("; ")}`,
  );
  const kept = verbose ? lines : lines.filter((_line, at) => sizeOf(lines.slice(0, at + 1)) <= room);
  const rest = own.length - kept.length;
  return own.length === 0 ? [] : [...kept, ...(rest === 0 ? [] : [`- … and ${counted(rest, "more list")}`]), ""];
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

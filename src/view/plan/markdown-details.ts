/**
 * The changes of a plan in Markdown, as a folded diff of the deletions to review and one for each kind. If there is no room for all, new
 * resources are shortened first, and then those of the lowest risk.
 */

import { sanitised } from "../../core/sanitise.ts";
import { counted, cut, cutBoth, thousands, valueText } from "../../core/value-text.ts";
import type { Action, Risk } from "../../plan/model/plan.ts";
import { escaped } from "../format/html.ts";
import { fence, prose, takeFitting } from "../format/markdown.ts";
import { aboveText } from "./base-view.ts";
import { cutLines } from "./field-lines.ts";
import { diffOf, type FieldRow, fieldRows, shownFields } from "./field-rows.ts";
import { type ChangeView, type KindView, type PlanView, transitionSentences } from "./plan-view.ts";
import { countActions } from "./verdict.ts";
import { placesOf, type Wording } from "./wording.ts";

/** The details as lines. */
export interface MarkdownDetails {
  /** The deletions to review, with their last values. */
  readonly deletions: readonly string[];
  /** The other changes by kind. */
  readonly lines: readonly string[];
  /** The number of changes that are shown without their fields. */
  readonly withoutFields: number;
  /** The number of changes that are not shown. */
  readonly leftOut: number;
}

interface DetailEntry {
  readonly view: ChangeView;
  readonly head: string;
  readonly fields: readonly string[];
  /** The fields with long values cut. */
  readonly cutFields: readonly string[];
}

/** The entries to name, and the fields to show of some of them. */
interface ChosenEntries {
  readonly named: ReadonlySet<DetailEntry>;
  readonly fields: ReadonlyMap<DetailEntry, readonly string[]>;
}

/** Changes up to which the folds are open. */
const MAX_OPEN = 12;
/** Lines of one diff with cut values. */
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
export function details({ review, sections, wording }: PlanView, verbose: boolean, room: number): MarkdownDetails {
  // Kinds with nothing but deletions have no fold of their own.
  const parts = sections.map((section) => ({
    title: section.title,
    above: aboveText(section),
    kinds: section.kinds
      .map((kind) => ({ ...kind, changes: kind.changes.filter(({ standsFirst }) => !standsFirst) }))
      .filter(({ changes, transitions }) => changes.length + transitions.length > 0),
  }));
  const share = room / LISTS / parts.flatMap(({ kinds }) => kinds).length;
  const entriesOf = (changes: readonly ChangeView[]): readonly DetailEntry[] =>
    changes.map((view) => entryOf(view, wording, verbose));
  const deletions = entriesOf(review.filter(({ standsFirst }) => standsFirst));
  const sectioned = parts.map(({ kinds, ...part }) => ({
    ...part,
    groups: kinds.map(({ kind, changes, transitions }) => ({
      kind,
      entries: entriesOf(changes),
      lists: listLines(transitions, share, verbose),
    })),
  }));
  const groups = sectioned.flatMap((part) => part.groups);
  const all = [...deletions, ...groups.flatMap(({ entries }) => entries)];
  const frames = groups.reduce((sum, { lists }) => sum + FRAME + sizeOf(lists), FRAME);
  const chosen = chooseEntries(all, verbose ? Number.POSITIVE_INFINITY : room - frames);
  const isOpen = all.length <= MAX_OPEN;
  const counts = (entries: readonly DetailEntry[]): string =>
    countActions(
      entries.map(({ view }) => view.change),
      wording,
    );
  const fold = (
    title: string,
    { entries, lists, open }: { entries: readonly DetailEntry[]; lists: readonly string[]; open: boolean },
  ): readonly string[] => {
    const visible = entries.filter((entry) => chosen.named.has(entry));
    const rest = entries.filter((entry) => !chosen.named.has(entry));
    const diff = visible.flatMap((entry) => [entry.head, ...(chosen.fields.get(entry) ?? [])]);
    return [
      `<details${open ? " open" : ""}><summary>${title}: ${counts(entries)}</summary>`,
      "",
      ...(diff.length === 0 ? [] : [...fence("diff", diff), ""]),
      ...(rest.length === 0 ? [] : [`… and ${thousands(rest.length)} more: ${counts(rest)}`, ""]),
      ...lists,
      "</details>",
      "",
    ];
  };
  return {
    deletions:
      deletions.length === 0
        ? []
        : fold("Deletions, with their last values", {
            entries: deletions,
            lists: [],
            open: deletions.length <= MAX_OPEN,
          }),
    lines: sectioned.flatMap(({ title, above, groups: own }) => [
      ...(title === "" ? [] : [`### ${title}`, ""]),
      ...(above === "" ? [] : [above, ""]),
      ...own.flatMap(({ kind, entries, lists }) =>
        fold(`<code>${escaped(cut(sanitised(kind)))}</code>`, { entries, lists, open: isOpen }),
      ),
    ]),
    leftOut: all.length - chosen.named.size,
    withoutFields: chosen.named.size - chosen.fields.size,
  };
}

/**
 * The changes to name and the fields to show, as many as fit. Names come before fields, whole fields before cut ones, new resources last,
 * and otherwise risky changes first.
 */
function chooseEntries(entries: readonly DetailEntry[], room: number): ChosenEntries {
  const ordered = [false, true].flatMap((isShortenable) =>
    RISKS.flatMap((risk) =>
      entries.filter(({ view }) => view.isShortenable === isShortenable && view.change.risk === risk),
    ),
  );
  let remaining = room;
  const fits = (size: number): boolean => {
    if (size > remaining) return false;
    remaining -= size;
    return true;
  };
  const named = ordered.filter(({ head }) => fits(head.length + 1));
  const fields = new Map(
    named.flatMap((entry) => {
      const lines = [entry.fields, entry.cutFields].find((some) => fits(sizeOf(some)));
      return lines === undefined ? [] : [[entry, lines] as const];
    }),
  );
  return { named: new Set(named), fields };
}

function entryOf(view: ChangeView, wording: Wording, verbose: boolean): DetailEntry {
  const { isPlan } = wording;
  const { change, word, label, position, reviewReason, origin, reason, takeover, standsFirst } = view;
  const why = standsFirst ? [reviewReason, origin].filter((note) => note !== "").join("; ") : reason;
  const notes = [label, word.note ?? "", position, isPlan ? why : "", takeover]
    .filter((note) => note !== "")
    .join("; ");
  const head = `${SIGNS[word.symbol]} ${sanitised(change.address)}${notes === "" ? "" : `  (${notes})`}`;
  const rows = fieldRows(shownFields(change));
  const linesOf = (isCut: boolean): readonly string[] => [
    ...(isPlan ? (change.cascades ?? []) : []).map((address) => `-   also deletes ${sanitised(address)}`),
    ...rows.flatMap((row) => rowLines(row, change.action, placesOf(wording), isCut)),
  ];
  const cutFields = verbose ? [] : linesOf(true);
  return {
    view,
    head: verbose ? head : cut(head, MAX_HEAD),
    fields: view.isShortenable && !verbose ? cutFields : linesOf(false),
    cutFields,
  };
}

function rowLines(
  row: FieldRow,
  action: Action,
  places: Wording["sides"] | undefined,
  isCut: boolean,
): readonly string[] {
  const label = isCut ? cut(row.label, MAX_LABEL) : row.label;
  if ("sides" in row) {
    const all = diffOf(row.sides, action === "create");
    const visible = isCut ? cutLines(all).slice(0, MAX_LINES) : all;
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
  const isDifference = places !== undefined && action !== "create" && action !== "delete";
  if (isDifference || (before !== null && after !== null)) {
    const values = [before ?? valueText(null), after ?? valueText(null)] as const;
    const [was, is] = isCut ? cutBoth(...values) : values;
    const [left, right] = places === undefined ? ["", ""] : places.map((place) => ` ${place}`);
    return [`-   ${label}${left}: ${was}`, `+   ${label}${right}: ${is}`];
  }
  const value = before ?? after ?? valueText(null);
  return [`${before === null ? "+" : "-"}   ${label}: ${isCut ? cut(value) : value}`];
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

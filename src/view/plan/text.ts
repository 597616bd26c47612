/** The text report of a plan or of drift: risks, changes by kind, side effects, warnings, and a summary in the last line. */

import { sanitised } from "../../core/sanitise.ts";
import { counted, cut, fieldPath, placeText, valueText } from "../../core/value-text.ts";
import { fingerprintOf } from "../../plan/checks/seal.ts";
import type { Blocked, Operation } from "../../plan/model/plan.ts";
import { repeatLines, shorten } from "../format/shorten.ts";
import type { ReportStyle } from "../format/style.ts";
import { aboveText } from "./base-view.ts";
import { changeLines, markOf, noteOf } from "./change-lines.ts";
import type { PlaceSection } from "./left-alone.ts";
import {
  type ChangeView,
  type KindView,
  type PlanView,
  type RenameView,
  reservationLines,
  transitionSentences,
  type WarningView,
} from "./plan-view.ts";
import type { Wording } from "./wording.ts";

/** Lines of new resources in a report that is not verbose. More of them are shown without fields, or counted by kind. */
const MAX_LINES = 400;
/** Lines of each section below the changes. */
const MAX_SECTION = 100;
/** Places in each section of what is left alone. */
const MAX_PLACES = 50;
/** Changes, and addresses of one of them, that need attention. */
const MAX_ITEMS = 20;
/** Changed rules of one list to show by themselves; of more, the list is shown. */
const MAX_RULES = 3;

type Lines = readonly string[];
type OperationsById = ReadonlyMap<string, Operation>;

/** The report, with a final line feed. */
export function planText(view: PlanView, style: ReportStyle): string {
  const { plan, wording, target, verdict, accepted, leftAlone, unread, fingerprint } = view;
  const operations = new Map(plan.operations.map((operation) => [operation.id, operation]));
  const baseLine = view.base === "" ? [] : [`Base: ${view.base}`];
  return blocksText(
    [
      wording.isPlan ? [`Plan for ${target}`, ...baseLine].map((line) => style.paint("quiet", line)) : [],
      attention(view, operations, style),
      ...changes(view, operations, style),
      derived(view, style).map((line) => style.paint("quiet", line)),
      ...view.released.map((places) => placeLines(places, style)),
      ...view.recorded.map((places) => placeLines(places, style)),
      section(
        "Warnings",
        repeatLines(view.warnings, (warning) => warningLine(warning, style), style.verbose),
        style,
      ),
      section(
        "Could not be compared",
        repeatLines(view.unreadable, (one) => sentence(one, ""), style.verbose),
        style,
      ),
      ...[...leftAlone, ...accepted].map((places) => placeLines(places, style)),
      typeof fingerprint === "string" ? [`Fingerprint: ${fingerprint}`] : [],
      reservationLines(view, "above"),
      style.verbose && wording.isPlan && plan.changes.length > 0
        ? [style.paint("quiet", `Fingerprint: ${fingerprintOf(plan)} (for apply --expect-plan)`)]
        : [],
      nextLines(view, style),
      [`${style.paint("heading", verdict.summary)}${unread === "" ? "" : ` ${unread}`}`],
    ],
    style,
  );
}

/** Blocks of lines with an empty line between them, wrapped for the terminal. */
export function blocksText(blocks: readonly Lines[], { fold = (text) => text }: ReportStyle): string {
  return fold(
    blocks
      .filter((block) => block.length > 0)
      .map((block) => `${block.join("\n")}\n`)
      .join("\n"),
  );
}

/** The changes to look at first, and the reasons why `apply` refuses the plan. */
function attention(
  { plan, wording, review, renames, blocked, verdict }: PlanView,
  operations: OperationsById,
  style: ReportStyle,
): Lines {
  const most = style.verbose ? Number.POSITIVE_INFINITY : MAX_ITEMS;
  const longLists = (plan.transitions ?? []).filter(({ edited, moved, added }) => edited + moved + added > MAX_RULES);
  const deletions = review.filter(({ standsFirst }) => standsFirst);
  // A creation with a token is among the blocked changes, which say the same of it.
  const items = review
    .filter(({ change, blocked: note, standsFirst }) => !standsFirst && (change.action !== "create" || note === ""))
    .map((item) => ({
      item,
      list: longLists.find(({ address }) => isIn(address, item)),
    }));
  const changed = items.filter(({ list }) => list === undefined).map(({ item }) => reviewLine(item, style));
  const mark = style.words === true ? "change" : style.paint("changed", "~");
  const lists = [...new Set(items.flatMap(({ list }) => list ?? []))].map(
    (list) => `  ${mark} ${transitionSentences(list)[0]}`,
  );
  const all = [...changed, ...lists];
  if (review.length + renames.length + blocked.length === 0) return [];
  return [
    style.paint("alarm", "Needs attention"),
    ...deletions.flatMap((view) => changeLines(view, wording, style, operations)),
    ...all.slice(0, most),
    ...(all.length > most ? [`  … and ${counted(all.length - most, "more change")}; --verbose shows all`] : []),
    ...renames.slice(0, most).flatMap((rename) => renameLines(rename, style)),
    ...(renames.length > most ? [`  … and ${counted(renames.length - most, "more possible rename")}`] : []),
    ...blocked.flatMap((reason) => blockedLines(reason, deletions, most, style)),
    ...(verdict.command === "" ? [] : [`  To approve: ${verdict.command}`]),
  ];
}

function isIn(list: string, { change: { action, address } }: ChangeView): boolean {
  return action !== "delete" && address.startsWith(`${list}/`);
}

function reviewLine({ change, word, label, reviewReason, origin }: ChangeView, style: ReportStyle): string {
  const notes = [[label, noteOf(word, style), reviewReason].filter((part) => part !== "").join(": "), origin]
    .filter((part) => part !== "")
    .join("; ");
  const tone = change.risk === "destructive" ? "removed" : word.tone;
  return `  ${style.paint(tone, `${markOf(word, style)} ${sanitised(change.address)}`)}  ${notes}`;
}

function renameLines({ sentence, at, line, orPull }: RenameView, style: ReportStyle): Lines {
  const mark = style.words === true ? "" : style.paint("changed", "? ");
  return [
    `  ${mark}${sentence}`,
    `      to keep it, write at ${at}: ${line}`,
    ...(orPull === "" ? [] : [`      ${orPull}`]),
  ];
}

/** A reason that blocks the plan. Resources are not named if all are among the deletions, each of which names the flag. */
function blockedLines(
  { message, addresses, flag }: Blocked,
  deletions: readonly ChangeView[],
  most: number,
  style: ReportStyle,
): Lines {
  const deleted = new Set(deletions.map(({ change }) => change.address));
  const named = addresses.every((address) => deleted.has(address)) ? [] : addresses;
  const names = shorten(named.map(sanitised), most, (more) => `… and ${counted(more, "more resource")}`);
  return [
    `  ${style.paint("alarm", style.words === true ? "blocked" : "! blocked")}: ${sanitised(message)}`,
    ...(names.length === 0 ? [] : [`      ${names.join(", ")}`]),
    ...(flag === undefined ? [] : [`      requires ${sanitised(flag)}`]),
  ];
}

/** One block for each kind. A long report cuts new resources and nothing else. */
function changes(view: PlanView, operations: OperationsById, style: ReportStyle): readonly Lines[] {
  const { wording, sections } = view;
  const linesOf = (change: ChangeView): Lines => changeLines(change, wording, style, operations);
  const additions = view.changes.filter(({ isShortenable }) => isShortenable);
  const most = style.verbose ? Number.POSITIVE_INFINITY : linesForEach(additions, linesOf);
  const blockOf = ({ kind, changes: own, transitions }: KindView): Lines => [
    style.paint("heading", sanitised(kind)),
    ...own
      .filter(({ standsFirst }) => !standsFirst)
      .filter(({ isShortenable }) => !isShortenable || most > 0)
      .flatMap((change) => (change.isShortenable ? linesOf(change).slice(0, most) : linesOf(change))),
    ...(most === 0 ? countLine(own, wording, style) : []),
    ...transitions.flatMap((transition) => transitionLines(transition, style)),
  ];
  const blocks = sections.flatMap((section) => {
    const { title, kinds } = section;
    const above = aboveText(section);
    return [
      title === ""
        ? []
        : [style.paint("heading", title), ...(above === "" ? [] : [style.paint("quiet", `  ${above}`)])],
      ...kinds.map(blockOf).filter(({ length }) => length > 1),
    ];
  });
  const { legend } = wording;
  const rest = most === 0 ? "counted by kind" : "shown without their fields";
  const note = `${wording.additions} are ${rest} in a ${wording.noun} this long; --verbose shows all`;
  return [
    legend === undefined || style.words === true || blocks.length === 0 ? [] : [style.paint("quiet", legend)],
    ...blocks,
    most > 1 ? [] : [style.paint("quiet", note)],
  ];
}

/** The lines that each new resource may take: all, the first one, or none if there are too many of them for that. */
function linesForEach(additions: readonly ChangeView[], linesOf: (change: ChangeView) => Lines): number {
  if (additions.length > MAX_LINES) return 0;
  return additions.flatMap(linesOf).length > MAX_LINES ? 1 : Number.POSITIVE_INFINITY;
}

/** The number of the new resources of a kind. */
function countLine(changes: readonly ChangeView[], { actions }: Wording, style: ReportStyle): Lines {
  const count = changes.filter(({ isShortenable }) => isShortenable).length;
  if (count === 0) return [];
  const { create } = actions;
  return [`  ${style.paint(create.tone, `${markOf(create, style)} ${create.count(count)}`)}`];
}

function transitionLines(transition: KindView["transitions"][number], style: ReportStyle): Lines {
  const [first, ...rest] = transitionSentences(transition);
  const lines = [`  ${style.words === true ? "" : "= "}${first}`, ...rest.map((line) => `      ${line}`)];
  return lines.map((line) => style.paint("quiet", line));
}

function derived(view: PlanView, style: ReportStyle): Lines {
  const arrow = style.words === true ? "to" : "→";
  const lines = view.derived.map((one) =>
    sentence(one, `${cut(valueText(one.before))} ${arrow} ${cut(valueText(one.after))}`),
  );
  return section("Side effects (not counted)", lines, style);
}

function warningLine({ code, message, subject, source }: WarningView, { words = false }: ReportStyle): string {
  const at = source === undefined ? "" : ` (${placeText(source)})`;
  const opening = `${words ? "" : "! "}${subject === "" ? "" : `${sanitised(subject)}: `}`;
  return `  ${opening}${sanitised(message)} [${sanitised(code)}]${at}`;
}

/** The commands to run next, in a column. */
function nextLines({ next }: PlanView, style: ReportStyle): Lines {
  if (next.length === 0) return [];
  const width = Math.max(...next.map(({ purpose }) => purpose.length));
  const lines = next.map(({ purpose, command }) => `  ${`${purpose}:`.padEnd(width + 1)} ${command}`);
  return [style.paint("heading", "Next"), ...lines];
}

/** The lines of places, each with its note. */
function placeLines({ title, items, isQuiet }: PlaceSection, style: ReportStyle): Lines {
  const lines = items.map(({ where, note }) => {
    const notes = note === "" ? [] : [isQuiet === true ? sanitised(note) : style.paint("quiet", sanitised(note))];
    const line = `  ${[...where.map(sanitised), ...notes].join("  ")}`;
    return isQuiet === true ? style.paint("quiet", line) : line;
  });
  const most = style.verbose ? lines.length : MAX_PLACES;
  return [
    style.paint(isQuiet === true ? "quiet" : "heading", title),
    ...shorten(lines, most, (more) => `  … and ${more} more; --verbose names all`),
  ];
}

function sentence(
  { address, path, reason }: { readonly address: string; readonly path: string; readonly reason: string },
  change: string,
): string {
  const words = [sanitised(address), fieldPath(path), change, sanitised(reason)];
  return `    ${words.filter((word) => word !== "").join("  ")}`;
}

function section(title: string, lines: Lines, style: ReportStyle): Lines {
  if (lines.length === 0) return [];
  const most = style.verbose ? lines.length : MAX_SECTION;
  const rest = (more: number): string => `    … and ${counted(more, "more line")}; --verbose shows all`;
  return [style.paint("heading", title), ...shorten(lines, most, rest)];
}

/** A plan or drift as Markdown for a comment on a pull request: verdict, risks, a table, and folded details. */

import type { Repeated } from "../../core/findings.ts";
import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted, cut, fieldPath, thousands, valueText } from "../../core/value-text.ts";
import { fingerprintOf } from "../../plan/checks/seal.ts";
import type { Action, Blocked, Derived, Plan, Unreadable } from "../../plan/model/plan.ts";
import { code, fence, foldedList, prose, proseAround, takeFitting } from "../format/markdown.ts";
import { othersText, shorten } from "../format/shorten.ts";
import type { PlaceSection } from "./left-alone.ts";
import { details, sizeOf } from "./markdown-details.ts";
import {
  type ChangeView,
  type KindView,
  narrowingFlags,
  type PlanView,
  type RenameView,
  reservationLines,
  type WarningView,
} from "./plan-view.ts";
import type { Concern } from "./verdict.ts";
import { ACTIONS } from "./wording.ts";

/** The style of the comment. */
export interface MarkdownStyle {
  /** Shows everything, for a file and not for a comment. */
  readonly verbose: boolean;
  /** Address of the page of the CI run, which has the full reports. */
  readonly run?: string;
}

/** Characters of a comment. GitHub and GitLab accept 65,536 or more; masked secrets may need the rest. */
export const MAX_COMMENT = 64_000;
/** Items under "Needs attention". */
const MAX_RISKS = 20;
/** Changes of one kind, action and reason with a line each; more of them share one line. */
const MAX_ALIKE = 3;
/** Kinds with a row in the table. */
const MAX_KINDS = 60;
/** Lines of each folded list. */
const MAX_LINES = 400;
/** Characters of each folded list, except the changes. */
const MAX_SECTION = 3_000;
/** Characters of each list of what is left alone. */
const MAX_PLACES = 2_000;
/** Addresses to name before the rest is counted. */
const MAX_ADDRESSES = 5;
/** Characters that the last lines of the comment may need. */
const FOOTER_ROOM = 1_500;

const SIGNS: Readonly<Record<Concern, string>> = {
  none: "✅",
  safe: "🟢",
  attention: "🟡",
  destructive: "🔴",
  blocked: "⛔",
};

/** The hidden first line of a comment, by which a later run for the same service, environment and filter finds it. */
export function marker(plan: Plan, noun: string): string {
  const { host, environment = "" } = plan.target;
  const subject = [noun, host, environment, ...(plan.partial ?? [])].filter((part) => part !== "").join(" ");
  return `<!-- incidentctl ${subject.replace(/[^\w .:/,@-]/g, "_")} -->`;
}

/** The report, with the marker in the first line and a final line feed. */
export function planMarkdown(view: PlanView, style: MarkdownStyle): string {
  const { plan, wording, fingerprint } = view;
  const { concern, summary, advice, flags } = view.verdict;
  const advised = proseAround(flags, advice);
  const head = [
    marker(plan, wording.title.toLowerCase()),
    `## ${wording.title}: ${code(view.target)}`,
    "",
    `${SIGNS[concern]} **${summary}**${advised === "" ? "" : ` ${advised}`}`,
    "",
    ...(view.base === "" ? [] : [`Base: ${code(view.base)}`, ""]),
    ...reservationLines(view, "below").flatMap((line) => [`> ${proseAround(narrowingFlags(plan), line)}`, ""]),
    ...attention(view, style),
  ];
  const between = [
    ...view.released.flatMap((places) => releasedLines(places, style)),
    ...view.recorded.flatMap((places) => releasedLines(places, style)),
    ...view.next.map(({ purpose, command }) => `- ${purpose}: ${code(command)}`),
    ...(view.next.length === 0 ? [] : [""]),
    ...table(view),
    ...repeatSection("Warnings", view.warnings, warningLine, style),
  ];
  const legend =
    plan.changes.length === 0 || wording.legend === undefined
      ? []
      : [`${wording.legend.replace(/[+-]/g, "`$&`")}.`, ""];
  const below = [
    ...view.accepted.flatMap((places) => placeLines(places, style)),
    // Lets a pipeline recognize drift that it has reported before.
    ...(fingerprint === undefined ? [] : [`<!-- incidentctl:fingerprint ${fingerprint ?? "none"} -->`]),
    ...view.leftAlone.flatMap((places) => placeLines(places, style)),
    ...section("Side effects (not counted)", view.derived, derivedLine, style),
    ...repeatSection("Could not be compared", view.unreadable, unreadableLine, style),
  ];
  const room = MAX_COMMENT - FOOTER_ROOM - sizeOf([...head, ...between, ...below]);
  const changes = details(view, style.verbose, room);
  const requests = wording.isPlan
    ? requestLines(plan, style, room - sizeOf([...changes.deletions, ...changes.lines]))
    : { lines: [], leftOut: 0 };
  const lines = [
    ...head,
    ...changes.deletions,
    ...between,
    ...legend,
    ...changes.lines,
    ...below,
    ...requests.lines,
    ...shortenedNote(changes, requests.leftOut, style),
    `<sub>${footer(plan)}</sub>`,
  ];
  return `${lines.join("\n")}\n`;
}

/** The reasons that block the plan, and the changes that need attention; the deletions follow. */
function attention({ review, renames, blocked }: PlanView, { verbose }: MarkdownStyle): readonly string[] {
  const others = review.filter(({ standsFirst }) => !standsFirst);
  const alike = groupBy(others, ({ change: { risk, kind, action }, reviewReason, origin }) =>
    JSON.stringify([risk, kind, action, reviewReason, origin]),
  );
  const items = [...alike.values()].flatMap((group) =>
    group.length > MAX_ALIKE && !verbose ? [group] : group.map((change) => [change]),
  );
  const visible = verbose ? items : items.slice(0, MAX_RISKS);
  const more = items.slice(visible.length).flat().length;
  const lines = [
    ...shorten(blocked.map(blockedLine), MAX_RISKS, (rest) => `- … and ${counted(rest, "more reason")}`),
    ...visible.flatMap(riskLine),
    ...(more === 0 ? [] : [`- … and ${counted(more, "more change")}`]),
    ...shorten(renames.map(renameLine), MAX_RISKS, (rest) => `- … and ${counted(rest, "more possible rename")}`),
  ];
  if (review.length + lines.length === 0) return [];
  return ["### Needs attention", "", ...lines, ...(lines.length === 0 ? [] : [""])];
}

function blockedLine({ message, addresses, flag }: Blocked): string {
  const required = flag === undefined ? "" : `; requires ${code(flag)}`;
  return `- ⛔ **blocked**: ${prose(message)}${addresses.length === 0 ? "" : `: ${addressList(addresses)}`}${required}`;
}

function renameLine({ sentence, at, line, orPull }: RenameView): string {
  return `- ❔ ${prose(sentence)}; to keep it, write at ${code(at)}: ${code(line)}${orPull === "" ? "" : `; ${prose(orPull)}`}`;
}

/** The line of one change, or of several that differ only in their addresses. */
function riskLine(group: readonly ChangeView[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { symbol, note } = first.word;
  const verb = note ?? (symbol === "+" ? "create" : symbol === ">" ? "move" : "change");
  const count = group.length === 1 ? "" : ` ${thousands(group.length)}`;
  const listed = addressList(group.map(({ change }) => change.address));
  const name = group.length === 1 && first.label !== "" ? ` ${code(first.label)}` : "";
  const origin = first.origin === "" ? "" : ` (${first.origin})`;
  const why = `${first.reviewReason === "" ? "" : `: ${prose(first.reviewReason)}`}${origin}`;
  const sign = SIGNS[first.change.risk === "destructive" ? "destructive" : "attention"];
  return [`- ${sign} **${verb}**${count} ${listed}${name}${why}`];
}

/** The first addresses, and the number of the others. */
function addressList(addresses: readonly string[]): string {
  const rest = addresses.length - MAX_ADDRESSES;
  const names = addresses.slice(0, MAX_ADDRESSES).map(code).join(", ");
  return `${names}${rest > 0 ? ` and ${thousands(rest)} more` : ""}`;
}

/** The table of changes by kind and action, with the actions that occur. */
function table({ plan, wording, kinds }: PlanView): readonly string[] {
  const actions = ACTIONS.filter((action) => plan.changes.some((change) => change.action === action));
  if (actions.length === 0) return [];
  const count = (some: readonly KindView[], action: Action): string => {
    const number = some.flatMap(({ changes }) => changes).filter(({ change }) => change.action === action).length;
    return number === 0 ? "" : thousands(number);
  };
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rest = kinds.slice(MAX_KINDS);
  return [
    row(["Kind", ...actions.map((action) => wording.actions[action].column)]),
    row(["---", ...actions.map(() => "---:")]),
    ...kinds
      .slice(0, MAX_KINDS)
      .map((kind) => row([code(kind.kind).replaceAll("|", "\\|"), ...actions.map((action) => count([kind], action))])),
    ...(rest.length === 0 ? [] : [row(["other kinds", ...actions.map((action) => count(rest, action))])]),
    row(["**all**", ...actions.map((action) => `**${count(kinds, action)}**`)]),
    "",
  ];
}

function warningLine({ code: name, message, subject, source }: WarningView): string {
  const at = source === undefined ? "" : ` (${code(`${source.file}:${source.line}`)})`;
  return `- ${subject === "" ? "" : `${code(subject)}: `}${prose(message)} ${code(name)}${at}`;
}

function derivedLine({ address, path, before, after, reason }: Derived): string {
  return `- ${code(address)} ${code(fieldPath(path))}: ${code(valueText(before))} → ${code(valueText(after))}, ${prose(reason)}`;
}

function unreadableLine({ address, path, reason }: Unreadable): string {
  return `- ${code(address)} ${code(fieldPath(path))}: ${prose(reason)}`;
}

function placeLines({ title, items }: PlaceSection, { verbose }: MarkdownStyle): readonly string[] {
  const lines = items.map(placeLine);
  return foldedList(title, items.length, verbose ? lines : takeFitting(lines, MAX_PLACES));
}

/** The places that are no longer managed, above the fold. */
function releasedLines({ title, items }: PlaceSection, { verbose }: MarkdownStyle): readonly string[] {
  const visible = verbose ? items : items.slice(0, MAX_RISKS);
  const rest = items.length - visible.length;
  return [
    `### ${title}`,
    "",
    ...visible.map(placeLine),
    ...(rest === 0 ? [] : [`- … and ${thousands(rest)} more`]),
    "",
  ];
}

function placeLine({ where, note }: PlaceSection["items"][number]): string {
  return `- ${where.map(code).join(" ")}${note === "" ? "" : `: ${prose(note)}`}`;
}

/** A folded list, cut to its room. */
function section<Item>(
  title: string,
  items: readonly Item[],
  write: (item: Item) => string,
  style: MarkdownStyle,
): readonly string[] {
  if (items.length === 0) return [];
  const visible = style.verbose ? items.map(write) : takeFitting(items.slice(0, MAX_LINES).map(write), MAX_SECTION);
  return foldedList(title, items.length, visible);
}

/** A folded list with one line for the items that say the same, cut to its room. */
function repeatSection<Item>(
  title: string,
  repeats: readonly Repeated<Item>[],
  write: (item: Item) => string,
  style: MarkdownStyle,
): readonly string[] {
  const items = repeats.flatMap(({ first, others }) => [first, ...others]);
  if (style.verbose || items.length === repeats.length) return section(title, items, write, style);
  const lines = repeats.map(
    ({ first, names }) => `${write(first)}${names.length === 0 ? "" : `; also: ${othersText(names.map(code))}`}`,
  );
  const visible = takeFitting(lines.slice(0, MAX_LINES), MAX_SECTION);
  const rest = repeats.slice(visible.length).reduce((sum, { others }) => sum + 1 + others.length, 0);
  return foldedList(title, items.length, visible, rest);
}

/** The requests in order, as many as there is room for. */
function requestLines(
  { operations }: Plan,
  style: MarkdownStyle,
  room: number,
): { readonly lines: readonly string[]; readonly leftOut: number } {
  if (operations.length === 0) return { lines: [], leftOut: 0 };
  const lines = operations
    .slice(0, style.verbose ? operations.length : MAX_LINES)
    .map(({ id, method, path, why }) => sanitised(`${id}  ${method} ${path}  ${why}`))
    .map((line) => (style.verbose ? line : cut(line, 300)));
  const visible = style.verbose ? lines : takeFitting(lines, room - 300);
  const leftOut = operations.length - visible.length;
  if (visible.length === 0) return { lines: [], leftOut };
  return {
    lines: [
      `<details><summary>Writes, in order: ${thousands(operations.length)}</summary>`,
      "",
      ...fence("text", [...visible, ...(leftOut === 0 ? [] : [`… and ${thousands(leftOut)} more`])]),
      "",
      "</details>",
      "",
    ],
    leftOut,
  };
}

/** The note on what the comment does not show, and where to see it. */
function shortenedNote(
  { leftOut, withoutFields }: { readonly leftOut: number; readonly withoutFields: number },
  requests: number,
  { run }: MarkdownStyle,
): readonly string[] {
  const parts = [
    ...(leftOut === 0 ? [] : [counted(leftOut, "change")]),
    ...(withoutFields === 0 ? [] : [`the fields of ${counted(withoutFields, "change")}`]),
    ...(requests === 0 ? [] : [counted(requests, "request")]),
  ];
  if (parts.length === 0) return [];
  const where = run === undefined ? "" : ` of [this run](${run.replace(/[^\w:/.?=&%~-]/g, encodeURIComponent)})`;
  return [
    `> Shortened to fit a comment. Not shown: ${parts.join(", ")}. To see everything, open the HTML or JSON report${where}, or run \`incidentctl show\` on the saved plan.`,
    "",
  ];
}

function footer(plan: Plan): string {
  const { tool, undoes } = plan;
  const rollback = undoes === undefined ? "" : `rolls back run ${code(undoes)}; `;
  return `${rollback}${code(`${tool.name} ${tool.version}`)}, plan ${code(fingerprintOf(plan))}`;
}

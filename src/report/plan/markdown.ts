/** A plan as the comment of a pull request: a marker by which it is found again, the verdict, risks, a table, and folded details. */

import { sanitised } from "../../core/sanitise.ts";
import type { Drift } from "../../drift/drift.ts";
import type { Action, Change, Derived, Plan, Unreadable, Warning } from "../../plan/plan.ts";
import { driftStatusMarkdown } from "../drift/text.ts";
import { code, fence, fitting, folded, prose } from "../format/markdown.ts";
import { counted, cut, place, shown, thousands } from "../format/value.ts";
import { details } from "./markdown-details.ts";
import { grouped } from "./overview.ts";
import { reservations } from "./summary.ts";
import { type Concern, verdictOf } from "./verdict.ts";
import { ACTIONS, DRIFT, PLAN, type Wording } from "./wording.ts";

/** How the comment is written. */
export interface MarkdownStyle {
  /** Nothing is cut: for a file, not for a comment. */
  readonly verbose: boolean;
  /** Address of the page where the reports of this run lie. */
  readonly run?: string;
}

/** What forges take in one comment is 65,536 characters; the rest is for what masking a secret may add. */
export const LONGEST_COMMENT = 64_000;
/** Entries that are named under what needs attention. */
const MOST_RISKS = 20;
/** More changes of one sort and reason are told in one line. */
const MOST_ALIKE = 3;
/** Kinds in the table. */
const MOST_KINDS = 60;
/** Lines of each folded list. */
const MOST_LINES = 400;
/** Characters of each of those that are not the changes. */
const SECTION = 3_000;
/** What the last lines of the comment may take. */
const FOOT = 1_500;

const SIGNS: Readonly<Record<Concern, string>> = {
  none: "✅",
  safe: "🟢",
  attention: "🟡",
  destructive: "🔴",
  blocked: "⛔",
};

/** What a plan would do; the first line is the marker, and the text ends with a line feed. */
export function planMarkdown(plan: Plan, style: MarkdownStyle): string {
  return markdown(plan, PLAN, style);
}

/** How the workspace differs from the configuration, and what is remembered of it; the first line is the marker. */
export function driftMarkdown(plan: Plan, style: MarkdownStyle, memory?: Drift): string {
  return markdown(plan, DRIFT, style, memory);
}

/** The hidden first line of a comment: the same for the same service and narrowing, so that a later run finds its comment. */
export function marker(plan: Plan, noun: string): string {
  const what = [noun, plan.target.host, ...(plan.partial ?? [])].join(" ");
  return `<!-- incidentctl ${what.replace(/[^\w .:/,@-]/g, "_")} -->`;
}

function markdown(plan: Plan, wording: Wording, style: MarkdownStyle, memory?: Drift): string {
  const noun = wording.title.toLowerCase();
  const { concern, summary, advice } = verdictOf(plan, wording, memory);
  const head = [
    marker(plan, noun),
    `## ${wording.title}: ${code(plan.target.host)}`,
    "",
    `${SIGNS[concern]} **${summary}**${advice === undefined ? "" : ` ${prose(advice)}`}`,
    "",
    ...reservations(plan, wording, "below").flatMap((line) => [`> ${prose(line)}`, ""]),
    ...attention(plan, wording, style),
    ...table(plan, wording),
    ...section("Warnings", plan.warnings, warningLine, style),
  ];
  const legend = plan.changes.length === 0 || wording.sides === undefined ? [] : ["`-` is live, `+` is declared.", ""];
  const below = [
    ...(memory === undefined ? [] : driftStatusMarkdown(memory, style.verbose)),
    ...section("Follows by itself (not counted)", plan.derived, derivedLine, style),
    ...section("Could not be compared", plan.unreadable, unreadableLine, style),
  ];
  const room = LONGEST_COMMENT - FOOT - size(head) - size(below);
  const changes = details(plan, { wording, verbose: style.verbose, room });
  const requests = wording.asks ? requestLines(plan, style, room - size(changes.lines)) : { lines: [], leftOut: 0 };
  const lines = [
    ...head,
    ...legend,
    ...changes.lines,
    ...below,
    ...requests.lines,
    ...pointer(changes, requests.leftOut, style),
    `<sub>${footer(plan)}</sub>`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Why apply would refuse and what allows it, then destructive changes, then those that need care; many alike in one line. */
function attention(plan: Plan, wording: Wording, style: MarkdownStyle): readonly string[] {
  if (!wording.asks) return [];
  const risky = (["destructive", "attention"] as const).flatMap((risk) =>
    plan.changes.filter((change) => change.risk === risk),
  );
  const alike = [...grouped(risky, ({ kind, action, reason, risk }) => JSON.stringify([risk, kind, action, reason]))];
  const items = alike.flatMap(([, group]) =>
    group.length > MOST_ALIKE && !style.verbose ? [group] : group.map((change) => [change]),
  );
  const kept = style.verbose ? items : items.slice(0, MOST_RISKS);
  const lines = [
    ...plan.blocked.slice(0, MOST_RISKS).map(({ message, addresses, flag }) => {
      const allowed = flag === undefined ? "" : `; to allow it: ${code(flag)}`;
      return `- ⛔ **blocked**: ${prose(message)}${addresses.length === 0 ? "" : `: ${named(addresses)}`}${allowed}`;
    }),
    ...more(plan.blocked.length - MOST_RISKS, "reason"),
    ...kept.flatMap((group) => riskLine(group, wording)),
    ...more(items.slice(kept.length).flat().length, "change"),
  ];
  return lines.length === 0 ? [] : ["### Needs attention", "", ...lines, ""];
}

/** One change, or several that differ in their address alone. */
function riskLine(group: readonly Change[], wording: Wording): readonly string[] {
  const [change] = group;
  if (change === undefined) return [];
  const { symbol, note } = wording.actions[change.action];
  const what = note ?? (symbol === "+" ? "create" : symbol === ">" ? "move" : "change");
  const cascades = group.flatMap((each) => each.cascades ?? []);
  const gone = cascades.length === 0 ? "" : `; with it ${cascades.length === 1 ? "goes" : "go"} ${named(cascades)}`;
  const count = group.length === 1 ? "" : ` ${thousands(group.length)}`;
  const which = named(group.map(({ address }) => address));
  const called = group.length === 1 && change.label !== undefined ? ` ${code(shown(change.label))}` : "";
  const why = change.reason === "" ? "" : `: ${prose(change.reason)}`;
  return [`- ${SIGNS[change.risk]} **${what}**${count} ${which}${called}${why}${gone}`];
}

/** Some names in a sentence, the rest counted. */
function named(addresses: readonly string[]): string {
  const rest = addresses.length - 5;
  return `${addresses.slice(0, 5).map(code).join(", ")}${rest > 0 ? ` and ${thousands(rest)} more` : ""}`;
}

function more(count: number, noun: string): readonly string[] {
  return count > 0 ? [`- … and ${counted(count, `more ${noun}`)}`] : [];
}

/** How many of each action for each kind; only the actions that occur. */
function table(plan: Plan, wording: Wording): readonly string[] {
  const actions = ACTIONS.filter((action) => plan.changes.some((change) => change.action === action));
  if (actions.length === 0) return [];
  const groups = [...grouped(plan.changes, ({ kind }) => kind)];
  const count = (changes: readonly Change[], action: Action): string => {
    const number = changes.filter((change) => change.action === action).length;
    return number === 0 ? "" : thousands(number);
  };
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rest = groups.slice(MOST_KINDS).flatMap(([, changes]) => changes);
  return [
    row(["Kind", ...actions.map((action) => wording.actions[action].column)]),
    row(["---", ...actions.map(() => "---:")]),
    ...groups
      .slice(0, MOST_KINDS)
      .map(([kind, changes]) =>
        row([code(kind).replaceAll("|", "\\|"), ...actions.map((action) => count(changes, action))]),
      ),
    ...(rest.length === 0 ? [] : [row(["other kinds", ...actions.map((action) => count(rest, action))])]),
    row(["**all**", ...actions.map((action) => `**${count(plan.changes, action)}**`)]),
    "",
  ];
}

function warningLine({ code: name, message, address, source }: Warning): string {
  const at = source === undefined ? "" : ` (${code(`${source.file}:${source.line}`)})`;
  const what = address === undefined || message.startsWith(address) ? "" : `${code(address)}: `;
  return `- ${what}${prose(message)} ${code(name)}${at}`;
}

function derivedLine({ address, path, before, after, reason }: Derived): string {
  return `- ${code(address)} ${code(place(path))}: ${code(shown(before))} → ${code(shown(after))}, ${prose(reason)}`;
}

function unreadableLine({ address, path, reason }: Unreadable): string {
  return `- ${code(address)} ${code(place(path))}: ${prose(reason)}`;
}

/** A folded list that takes no more than its room. */
function section<Item>(
  title: string,
  items: readonly Item[],
  write: (item: Item) => string,
  style: MarkdownStyle,
): readonly string[] {
  if (items.length === 0) return [];
  const kept = style.verbose ? items.map(write) : fitting(items.slice(0, MOST_LINES).map(write), SECTION);
  return folded(title, items.length, kept);
}

/** Every request in the order in which it is sent, as far as there is room. */
function requestLines(
  { operations }: Plan,
  style: MarkdownStyle,
  room: number,
): { readonly lines: readonly string[]; readonly leftOut: number } {
  if (operations.length === 0) return { lines: [], leftOut: 0 };
  const lines = operations
    .slice(0, style.verbose ? operations.length : MOST_LINES)
    .map(({ id, method, path, why }) => sanitised(`${id}  ${method} ${path}  ${why}`))
    .map((line) => (style.verbose ? line : cut(line, 300)));
  const kept = style.verbose ? lines : fitting(lines, room - 300);
  const leftOut = operations.length - kept.length;
  if (kept.length === 0) return { lines: [], leftOut };
  return {
    lines: [
      `<details><summary>Requests, in order: ${thousands(operations.length)}</summary>`,
      "",
      ...fence("text", [...kept, ...(leftOut === 0 ? [] : [`… and ${thousands(leftOut)} more`])]),
      "",
      "</details>",
      "",
    ],
    leftOut,
  };
}

/** What is left out, in numbers, and where it is to be seen. */
function pointer(
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
    `> Cut to fit a comment: left out are ${parts.join(", ")}. The HTML and JSON reports${where} hold everything, as does \`incidentctl show\` of the saved plan.`,
    "",
  ];
}

function footer({ tool, seal, undoes }: Plan): string {
  const back = undoes === undefined ? "" : `takes back run ${code(undoes)}; `;
  return `${back}${code(`${tool.name} ${tool.version}`)}, plan ${code(seal.fingerprint)}`;
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

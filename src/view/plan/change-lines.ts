/** The lines of one change in the text report: symbol, address, notes and fields. */

import { stripVTControlCharacters } from "node:util";
import { sanitised } from "../../core/sanitise.ts";
import { joinWords } from "../../core/suggest.ts";
import { valueText } from "../../core/value-text.ts";
import type { Change, Operation, Plan } from "../../plan/model/plan.ts";
import type { Paint } from "../format/ansi.ts";
import { columns } from "../format/columns.ts";
import { type FieldStyle, fieldLines, singleField } from "./field-lines.ts";
import type { ActionWording, Wording } from "./wording.ts";

/** The style of a report. */
export interface ReportStyle {
  readonly paint: Paint;
  /** Shows everything: no summaries, no cut values, with sources and requests. */
  readonly verbose: boolean;
  /** Wraps the lines of a finished report for its terminal; absent if lines are not wrapped. */
  readonly fold?: (text: string) => string;
  /** Words in place of symbols, arrows and bars, for screen readers. */
  readonly words?: boolean;
  /** Columns of the terminal, for lines that are cut and not wrapped. */
  readonly width?: number;
}

/** The parts of a plan that the lines of its changes need. */
export interface ReportContext {
  readonly wording: Wording;
  readonly style: ReportStyle;
  /** The note on a blocked change, by address. */
  readonly blocked: ReadonlyMap<string, string>;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** The context of a plan's changes. */
export function reportContext(plan: Plan, wording: Wording, style: ReportStyle): ReportContext {
  const flags = new Map<string, string[]>();
  for (const { addresses, flag } of plan.blocked) {
    for (const address of addresses) {
      flags.set(address, [...(flags.get(address) ?? []), ...(flag === undefined ? [] : [sanitised(flag)])]);
    }
  }
  const blocked = [...flags].map(([address, own]) => {
    return [address, own.length === 0 ? "blocked" : `requires ${own.join(" ")}`] as const;
  });
  return {
    wording,
    style,
    blocked: new Map(wording.isPlan ? blocked : []),
    operations: new Map(plan.operations.map((operation) => [operation.id, operation])),
  };
}

/** Indentation of the lines below the first one of a change. */
const FIELD_INDENT = "      ";
/** Columns of a line that is not for a terminal. */
const WIDTH = 100;

/** The lines of a change; the first one is indented by two. */
export function changeLines(change: Change, { wording, style, blocked, operations }: ReportContext): readonly string[] {
  const word = wording.actions[change.action];
  const removal = change.action === "delete" || change.action === "disable";
  const notes = [
    quotedLabel(change),
    noteOf(word, style),
    positionText(change, wording),
    style.verbose || (wording.isPlan && removal && change.risk === "safe") ? sanitised(change.reason) : undefined,
    removal ? blocked.get(change.address) : undefined,
  ].filter((note) => note !== undefined && note !== "");
  const head = `${style.paint(word.tone, `${markOf(word, style)} ${sanitised(change.address)}`)}`;
  const first = `  ${notes.length === 0 ? head : `${head}  ${style.paint("quiet", notes.join("; "))}`}`;
  const takeover = wording.isPlan ? takeoverText(change).map((line) => style.paint("quiet", line)) : [];
  if (isSwitch(change) && !style.verbose) return [first];
  const fieldStyle: FieldStyle = {
    paint: style.paint,
    verbose: style.verbose,
    isNew: change.action === "create",
    isGone: change.action === "delete",
    ...(style.words === true ? { words: true } : {}),
  };
  const single = change.action === "update" && !style.verbose ? singleField(change.fields, fieldStyle) : undefined;
  if (single !== undefined) {
    const line = `${first}  ${single}`;
    if (columns(stripVTControlCharacters(line)) <= (style.width ?? WIDTH)) {
      return [line, ...takeover.map((text) => `${FIELD_INDENT}${text}`)];
    }
  }
  const fields = fieldLines(change.fields, fieldStyle);
  return [
    first,
    ...takeover.map((line) => `${FIELD_INDENT}${line}`),
    ...fields.map((line) => `${FIELD_INDENT}${line}`),
    ...(style.verbose ? details(change, operations).map((line) => `${FIELD_INDENT}${style.paint("quiet", line)}`) : []),
  ];
}

/** The symbol of an action, or its word. */
export function markOf({ symbol, column }: ActionWording, { words = false }: ReportStyle): string {
  return words ? column : symbol;
}

/** The note on an action, unless its word is there already. */
export function noteOf({ note, column }: ActionWording, { words = false }: ReportStyle): string | undefined {
  return words && note === column ? undefined : note;
}

/** Whether the change is only that a resource is enabled or disabled, which its first line says. */
export function isSwitch({ action, fields }: Change): boolean {
  return (action === "enable" || action === "disable") && fields.every(({ path }) => path === "/enabled");
}

/** The name in the configuration, in quotes. */
export function quotedLabel(change: Change): string | undefined {
  return change.label === undefined ? undefined : valueText(change.label);
}

/** The rules from which a changed rule takes alerts, in one line; none if it takes none. */
export function takeoverText({ takes_over: takeover }: Change): readonly string[] {
  if (takeover === undefined) return [];
  const { rules, more = 0, unmatched = false } = takeover;
  const names = [...rules.map(ruleName), ...(more === 0 ? [] : [`${more} more`])];
  const from = names.length === 0 ? [] : [`takes alerts from ${joinWords(names)}`];
  if (!unmatched) return from;
  return [from.length === 0 ? "takes alerts that no rule matched" : `${from.join()}, and those that no rule matched`];
}

/** A name in quotes; an address stands for a rule without a name. */
function ruleName(name: string): string {
  return /^[a-z_]+\//.test(name) ? sanitised(name) : valueText(name);
}

/** The position of a resource in an ordered list: the planned one, or in a drift report the declared one. */
export function positionText({ neighbours = {} }: Change, { isPlan }: Wording): string | undefined {
  const { before, after } = neighbours;
  const position = positionBetween(before, after);
  return position === undefined || isPlan ? position : `should be ${position}`;
}

function positionBetween(before: string | undefined, after: string | undefined): string | undefined {
  if (before !== undefined && after !== undefined) return `between ${sanitised(before)} and ${sanitised(after)}`;
  if (before !== undefined) return `last, after ${sanitised(before)}`;
  if (after !== undefined) return `first, before ${sanitised(after)}`;
  return undefined;
}

function details(change: Change, operations: ReadonlyMap<string, Operation>): readonly string[] {
  const source = change.source;
  const declared =
    source === undefined ? [] : [`declared at ${sanitised(source.file)}:${source.line}:${source.column}`];
  const requests = change.operations.flatMap((id) => {
    const operation = operations.get(id);
    return operation === undefined ? [] : [requestLine(operation)];
  });
  return [...declared, ...requests];
}

function requestLine({ id, method, path, query, why }: Operation): string {
  const search = new URLSearchParams(query).toString();
  return sanitised(`${id}  ${method} ${path}${search === "" ? "" : `?${search}`}  ${why}`);
}

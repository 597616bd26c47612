/** One change of a plan as lines: its symbol and address, what is special about it, its fields. */

import { sanitised } from "../../core/sanitise.ts";
import type { Change, Operation, Plan } from "../../plan/plan.ts";
import type { Paint } from "../format/ansi.ts";
import { shown } from "../format/value.ts";
import { fieldLines } from "./field-lines.ts";
import type { Wording } from "./wording.ts";

/** How a report is written. */
export interface ReportStyle {
  readonly paint: Paint;
  /** Nothing is summarised or cut; sources and requests are shown. */
  readonly verbose: boolean;
  /** Breaks the lines of a finished report for the terminal that it is for; absent where nothing is broken. */
  readonly fold?: (text: string) => string;
  /** The columns of that terminal, for lines that are cut and not broken. */
  readonly width?: number;
}

/** What the changes of one plan share. */
export interface Setting {
  readonly wording: Wording;
  readonly style: ReportStyle;
  /** The flag to give, by the address of what is blocked. */
  readonly blocked: ReadonlyMap<string, string>;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** Collects what the lines of a change need to know about the rest of the plan. */
export function setting(plan: Plan, wording: Wording, style: ReportStyle): Setting {
  const blocked = plan.blocked.flatMap(({ addresses, flag }) =>
    addresses.map(
      (address) => [address, flag === undefined ? "blocked" : `blocked without ${sanitised(flag)}`] as const,
    ),
  );
  return {
    wording,
    style,
    blocked: new Map(wording.asks ? blocked : []),
    operations: new Map(plan.operations.map((operation) => [operation.id, operation])),
  };
}

/** What the lines below the first one of a change begin with. */
const FIELD_INDENT = "      ";

/** The change, its first line indented by two. */
export function changeLines(change: Change, { wording, style, blocked, operations }: Setting): readonly string[] {
  const word = wording.actions[change.action];
  const removal = change.action === "delete" || change.action === "disable";
  const notes = [
    label(change),
    word.note,
    neighbours(change),
    style.verbose || (wording.asks && removal && change.risk === "safe") ? sanitised(change.reason) : undefined,
    removal ? blocked.get(change.address) : undefined,
  ].filter((note) => note !== undefined && note !== "");
  const head = `${style.paint(word.tone, `${word.symbol} ${sanitised(change.address)}`)}`;
  const fields = fieldLines(change.fields, {
    paint: style.paint,
    verbose: style.verbose,
    fresh: change.action === "create",
  });
  return [
    `  ${notes.length === 0 ? head : `${head}  ${style.paint("quiet", notes.join("; "))}`}`,
    ...fields.map((line) => `${FIELD_INDENT}${line}`),
    ...(style.verbose ? details(change, operations).map((line) => `${FIELD_INDENT}${style.paint("quiet", line)}`) : []),
  ];
}

/** What the files call it. */
export function label(change: Change): string | undefined {
  return change.label === undefined ? undefined : shown(change.label);
}

/** Where an entry of an ordered list will stand. */
export function neighbours({ neighbours: around }: Change): string | undefined {
  if (around === undefined) return undefined;
  const { before, after } = around;
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

/** A plan for people: risks first, then the changes by kind and entry, what follows from them, and one summary line last. */

import { sanitised } from "../../core/sanitise.ts";
import type { Drift } from "../../drift/drift.ts";
import type { Change, Plan } from "../../plan/plan.ts";
import { driftBlocks } from "../drift/text.ts";
import { counted, cut, place, shown } from "../format/value.ts";
import { attention } from "./attention.ts";
import { changeLines, type ReportStyle, type Setting, setting } from "./change-lines.ts";
import { grouped, overview } from "./overview.ts";
import { driftSummary, planSummary, reservations } from "./summary.ts";
import { transitionLines } from "./transitions.ts";
import { DRIFT, PLAN, type Wording } from "./wording.ts";

/** Longer lists of changes are shortened, unless the report is verbose. */
const MOST_LINES = 400;

/** What a plan would do. The last line is the summary; the text ends with a line feed. */
export function planText(plan: Plan, style: ReportStyle): string {
  return report(plan, PLAN, style, planSummary(plan, PLAN));
}

/**
 * How the workspace differs from the configuration; with a memory, what it says is not in the plan. The last line is the
 * summary; the text ends with a line feed.
 */
export function driftText(plan: Plan, style: ReportStyle, memory?: Drift): string {
  const blocks = memory === undefined ? [] : driftBlocks(memory, style);
  return report(plan, DRIFT, style, driftSummary(plan, DRIFT, memory), blocks);
}

function report(
  plan: Plan,
  wording: Wording,
  style: ReportStyle,
  summary: string,
  more: readonly (readonly string[])[] = [],
): string {
  const shared = setting(plan, wording, style);
  const blocks = [
    attention(plan, shared),
    ...changes(plan, shared),
    derived(plan, style),
    warnings(plan, style),
    unreadable(plan, style),
    ...more,
    reservations(plan, wording),
    fingerprint(plan, wording, style),
    [style.paint("heading", summary)],
  ];
  const text = blocks
    .filter((block) => block.length > 0)
    .map((block) => `${block.join("\n")}\n`)
    .join("\n");
  return style.fold === undefined ? text : style.fold(text);
}

/** One block for each kind, in the order of the plan; a long plan leaves out the fields, a longer one the entries. */
function changes(plan: Plan, shared: Setting): readonly (readonly string[])[] {
  const groups = grouped(plan.changes, (change) => change.kind);
  // Each has a line at least.
  if (!shared.style.verbose && plan.changes.length > MOST_LINES) return [overview(groups, shared.wording)];
  const blocksOf = (lines: (change: Change) => readonly string[]): readonly (readonly string[])[] =>
    [...groups].map(([kind, group]) => [
      shared.style.paint("heading", sanitised(kind)),
      // An entry that is changed and moved is shown in one place.
      ...[...grouped(group, (change) => change.address).values()].flat().flatMap(lines),
      ...(shared.wording.asks ? transitionLines(plan, kind).map((line) => shared.style.paint("quiet", line)) : []),
    ]);
  const blocks = blocksOf((change) => changeLines(change, shared));
  const sides = shared.wording.sides;
  if (shared.style.verbose || lengthOf(blocks) <= MOST_LINES) {
    return sides === undefined || blocks.length === 0 ? blocks : [[shared.style.paint("quiet", sides)], ...blocks];
  }
  const heads = blocksOf((change) => changeLines(change, shared).slice(0, 1));
  if (lengthOf(heads) > MOST_LINES) return [overview(groups, shared.wording)];
  return [...heads, [shared.style.paint("quiet", "Fields are left out of a plan this long; --verbose shows them.")]];
}

function lengthOf(blocks: readonly (readonly string[])[]): number {
  return blocks.reduce((sum, block) => sum + block.length, 0);
}

function derived(plan: Plan, style: ReportStyle): readonly string[] {
  const lines = plan.derived.map(({ address, path, before, after, reason }) =>
    sentence(address, path, `${cut(shown(before))} → ${cut(shown(after))}`, reason),
  );
  return section("Follows by itself (not counted)", lines, style).map((line) => style.paint("quiet", line));
}

function warnings(plan: Plan, style: ReportStyle): readonly string[] {
  const lines = plan.warnings.map(({ code, message, address, source }) => {
    const at = source === undefined ? "" : ` (${sanitised(source.file)}:${source.line}:${source.column})`;
    const what = address === undefined || message.startsWith(address) ? "" : `${sanitised(address)}: `;
    return `  ! ${what}${sanitised(message)} [${sanitised(code)}]${at}`;
  });
  return section("Warnings", lines, style);
}

function unreadable(plan: Plan, style: ReportStyle): readonly string[] {
  const lines = plan.unreadable.map(({ address, path, reason }) => sentence(address, path, "", reason));
  return section("Could not be compared", lines, style);
}

/** By what `apply --expect-plan` knows the plan, for those who want to see everything. */
function fingerprint(plan: Plan, { asks }: Wording, style: ReportStyle): readonly string[] {
  if (!style.verbose || !asks || plan.changes.length === 0) return [];
  return [style.paint("quiet", `Fingerprint: ${plan.seal.fingerprint} (apply --expect-plan takes it)`)];
}

function sentence(address: string, path: string, change: string, reason: string): string {
  const words = [sanitised(address), place(path), change, sanitised(reason)];
  return `    ${words.filter((word) => word !== "").join("  ")}`;
}

function section(title: string, lines: readonly string[], style: ReportStyle): readonly string[] {
  if (lines.length === 0) return [];
  const kept = style.verbose ? lines : lines.slice(0, MOST_LINES / 4);
  const more = lines.length - kept.length;
  const rest = more === 0 ? [] : [`    … and ${counted(more, "more line")}; --verbose shows all`];
  return [style.paint("heading", title), ...kept, ...rest];
}

/** The text report of a plan or of drift: risks, changes by kind, side effects, warnings, and a summary in the last line. */

import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted, cut, fieldPath, valueText } from "../../core/value-text.ts";
import type { Drift } from "../../plan/drift/drift.ts";
import type { Change, Plan } from "../../plan/model/plan.ts";
import { attention } from "./attention.ts";
import { changeLines, type ReportContext, type ReportStyle, reportContext } from "./change-lines.ts";
import { driftBlocks } from "./drift-status.ts";
import { leftAloneSections, sectionBlocks } from "./left-alone.ts";
import { overview } from "./overview.ts";
import { driftSummary, planSummary, reservationLines, targetName } from "./summary.ts";
import { transitionLines } from "./transitions.ts";
import { DRIFT, PLAN, type Wording } from "./wording.ts";

/** Lines of changes in a report that is not verbose. A longer plan is shown without fields, or counted by kind. */
const MAX_LINES = 400;

/** The report of a plan, with a final line feed. */
export function planText(plan: Plan, style: ReportStyle): string {
  return report(plan, PLAN, style, planSummary(plan, PLAN));
}

/** The report of drift, with a final line feed. The accepted differences in `drift` are not in the plan. */
export function driftText(plan: Plan, style: ReportStyle, drift?: Drift): string {
  const blocks = drift === undefined ? [] : driftBlocks(drift, style);
  return report(plan, DRIFT, style, driftSummary(plan, DRIFT, drift), blocks);
}

function report(
  plan: Plan,
  wording: Wording,
  style: ReportStyle,
  summary: string,
  more: readonly (readonly string[])[] = [],
): string {
  const shared = reportContext(plan, wording, style);
  const blocks = [
    wording.isPlan ? [style.paint("quiet", `Plan for ${targetName(plan)}`)] : [],
    attention(plan, shared),
    ...changes(plan, shared),
    derived(plan, style),
    warnings(plan, style),
    unreadable(plan, style),
    ...sectionBlocks(leftAloneSections(plan, wording.isPlan), style),
    ...more,
    reservationLines(plan, wording),
    fingerprint(plan, wording, style),
    [style.paint("heading", summary)],
  ];
  const text = blocks
    .filter((block) => block.length > 0)
    .map((block) => `${block.join("\n")}\n`)
    .join("\n");
  return style.fold === undefined ? text : style.fold(text);
}

/** One block for each kind, in the order of the plan. */
function changes(plan: Plan, shared: ReportContext): readonly (readonly string[])[] {
  const groups = groupBy(plan.changes, (change) => change.kind);
  // Each change takes at least one line.
  if (!shared.style.verbose && plan.changes.length > MAX_LINES) return [overview(groups, shared.wording)];
  const blocksOf = (lines: (change: Change) => readonly string[]): readonly (readonly string[])[] =>
    [...groups].map(([kind, group]) => [
      shared.style.paint("heading", sanitised(kind)),
      // The changes of one resource are shown together.
      ...[...groupBy(group, (change) => change.address).values()].flat().flatMap(lines),
      ...(shared.wording.isPlan
        ? transitionLines(plan, kind).map((line) =>
            shared.style.paint("quiet", shared.style.words === true ? line.replace(/^ {2}= /, "  ") : line),
          )
        : []),
    ]);
  const blocks = blocksOf((change) => changeLines(change, shared));
  const sides = shared.wording.legend;
  if (shared.style.verbose || lengthOf(blocks) <= MAX_LINES) {
    return sides === undefined || blocks.length === 0
      ? blocks
      : [[shared.style.paint("quiet", shared.style.words === true ? sides.replace("→", "to") : sides)], ...blocks];
  }
  const heads = blocksOf((change) => changeLines(change, shared).slice(0, 1));
  if (lengthOf(heads) > MAX_LINES) return [overview(groups, shared.wording)];
  return [
    ...heads,
    [
      shared.style.paint(
        "quiet",
        "Changes of several fields are shown without them in a plan this long; --verbose shows all",
      ),
    ],
  ];
}

function lengthOf(blocks: readonly (readonly string[])[]): number {
  return blocks.reduce((sum, block) => sum + block.length, 0);
}

function derived(plan: Plan, style: ReportStyle): readonly string[] {
  const lines = plan.derived.map(({ address, path, before, after, reason }) =>
    sentence(
      address,
      path,
      `${cut(valueText(before))} ${style.words === true ? "to" : "→"} ${cut(valueText(after))}`,
      reason,
    ),
  );
  return section("Side effects (not counted)", lines, style).map((line) => style.paint("quiet", line));
}

function warnings(plan: Plan, style: ReportStyle): readonly string[] {
  const lines = plan.warnings.map(({ code, message, address, source }) => {
    const at = source === undefined ? "" : ` (${sanitised(source.file)}:${source.line}:${source.column})`;
    const subject = address === undefined || message.startsWith(address) ? "" : `${sanitised(address)}: `;
    return `  ${style.words === true ? "" : "! "}${subject}${sanitised(message)} [${sanitised(code)}]${at}`;
  });
  return section("Warnings", lines, style);
}

function unreadable(plan: Plan, style: ReportStyle): readonly string[] {
  const lines = plan.unreadable.map(({ address, path, reason }) => sentence(address, path, "", reason));
  return section("Could not be compared", lines, style);
}

/** The fingerprint of the plan in a verbose report. */
function fingerprint(plan: Plan, { isPlan: asks }: Wording, style: ReportStyle): readonly string[] {
  if (!style.verbose || !asks || plan.changes.length === 0) return [];
  return [style.paint("quiet", `Fingerprint: ${plan.seal.fingerprint} (for apply --expect-plan)`)];
}

function sentence(address: string, path: string, change: string, reason: string): string {
  const words = [sanitised(address), fieldPath(path), change, sanitised(reason)];
  return `    ${words.filter((word) => word !== "").join("  ")}`;
}

function section(title: string, lines: readonly string[], style: ReportStyle): readonly string[] {
  if (lines.length === 0) return [];
  const visible = style.verbose ? lines : lines.slice(0, MAX_LINES / 4);
  const more = lines.length - visible.length;
  const rest = more === 0 ? [] : [`    … and ${counted(more, "more line")}; --verbose shows all`];
  return [style.paint("heading", title), ...visible, ...rest];
}

/** The differences between the configurations of two environments, as text and JSON. */

import { groupBy } from "../../core/lists.ts";
import { sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { ConfigurationDifferences } from "../../plan/make/compare-configurations.ts";
import type { Action, Change } from "../../plan/model/plan.ts";
import { prettyJson } from "../format/json.ts";
import type { ReportStyle } from "../format/style.ts";
import { changeLines } from "../plan/change-lines.ts";
import { changeView } from "../plan/plan-view.ts";
import { blocksText } from "../plan/text.ts";
import { PLAN, type Wording } from "../plan/wording.ts";

/** One of the two environments. */
export interface ComparedEnvironment {
  /** Undefined for the settings without an environment. */
  readonly name: string | undefined;
  readonly baseUrl: string | undefined;
}

/** The two environments and their differences. */
export interface EnvironmentDiff extends ConfigurationDifferences {
  readonly before: ComparedEnvironment;
  readonly after: ComparedEnvironment;
}

/** The actions that two configurations can differ by, in the order of the summary. */
const COMPARED: readonly Action[] = ["update", "move", "delete", "create"];

/** The text, with the summary in the last line. */
export function environmentDiffText(diff: EnvironmentDiff, style: ReportStyle): string {
  const { before, after, changes, managedBefore, managedAfter } = diff;
  const [left, right] = [nameOf(before), nameOf(after)];
  const wording = wordingOf(left, right);
  const blocks = [
    [style.paint("quiet", `${titleOf(before)} → ${titleOf(after)}`)],
    ...[...groupBy(changes, ({ kind }) => kind)].map(([kind, group]) => [
      style.paint("heading", sanitised(kind)),
      ...group.flatMap((change) => changeLines(changeView(change, wording), wording, style, new Map())),
    ]),
    managedLines(left, managedBefore),
    managedLines(right, managedAfter),
    [style.paint("heading", summaryOf(diff))],
  ];
  return blocksText(blocks, style);
}

/** The JSON. `changes` are those of a plan that would turn the first configuration into the second one, without requests. */
export function environmentDiffJson({ before, after, changes, managedBefore, managedAfter }: EnvironmentDiff): string {
  return prettyJson({
    format_version: 1,
    before: { environment: before.name ?? null, base_url: before.baseUrl ?? null, managed_only: managedBefore },
    after: { environment: after.name ?? null, base_url: after.baseUrl ?? null, managed_only: managedAfter },
    summary: Object.fromEntries(COMPARED.map((action) => [action, numberOf(changes, action)])),
    changes: changes.map(({ reason: _reason, risk: _risk, operations: _operations, ...change }) => change),
  });
}

function managedLines(name: string, lists: readonly string[]): readonly string[] {
  return lists.length === 0 ? [] : [`Managed in ${name} only: ${lists.map(sanitised).join(", ")}`];
}

function summaryOf({ before, after, changes, managedBefore, managedAfter }: EnvironmentDiff): string {
  const [left, right] = [nameOf(before), nameOf(after)];
  if (changes.length + managedBefore.length + managedAfter.length === 0) {
    return `No differences. ${left} and ${right} have the same configuration.`;
  }
  const { actions } = wordingOf(left, right);
  const counts = COMPARED.flatMap((action) => {
    const number = numberOf(changes, action);
    return number === 0 ? [] : actions[action].count(number);
  });
  const lists = managedBefore.length + managedAfter.length;
  return `Diff: ${[...counts, ...(lists === 0 ? [] : [`${lists} managed in one only`])].join(", ")}.`;
}

function numberOf(changes: readonly Change[], action: Action): number {
  return changes.filter((change) => change.action === action).length;
}

function nameOf({ name }: ComparedEnvironment): string {
  return name === undefined ? "the base" : sanitised(name);
}

function titleOf(environment: ComparedEnvironment): string {
  const { baseUrl } = environment;
  return baseUrl === undefined ? nameOf(environment) : `${nameOf(environment)} (${sanitised(baseUrl)})`;
}

function wordingOf(left: string, right: string): Wording {
  const { create, update, move, delete: remove } = PLAN.actions;
  return {
    title: "Diff",
    noun: "comparison",
    isPlan: false,
    isPast: false,
    noChanges: "No differences.",
    additions: `Resources only in ${right}`,
    sides: [left, right],
    time: "Compared",
    actions: {
      ...PLAN.actions,
      create: { ...create, note: `only in ${right}`, count: (count) => `${count} only in ${right}` },
      update: { ...update, count: (count) => counted(count, "differs", "differ") },
      move: { ...move, note: "at another position", count: (count) => `${count} at another position` },
      delete: { ...remove, note: `only in ${left}`, count: (count) => `${count} only in ${left}` },
    },
  };
}

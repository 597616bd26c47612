/** The status of a run, from its journal. */

import type { Operation } from "../../plan/model/plan.ts";
import type { Intent, Settlement } from "./intent.ts";
import { isFinished } from "./outcome.ts";
import type { JournalContents } from "./read.ts";
import type { RunEnding } from "./record.ts";

/** The last settlement of each operation, in the order in which the operations were first settled. */
export function lastSettlements({ entries }: JournalContents): readonly Settlement[] {
  const last = new Map<string, Settlement>();
  for (const entry of entries) {
    if (entry.type === "settlement") last.set(entry.settlement.operation, entry.settlement);
  }
  return [...last.values()];
}

/**
 * The last intent of each operation that was sent or may have been sent and whose result is unknown. Intents that revoke a lost token
 * are left out: they are no attempt at the operation.
 */
export function unresolvedIntents({ entries }: JournalContents): readonly Intent[] {
  const open = new Map<string, Intent>();
  const last = new Map<string, Intent>();
  for (const entry of entries) {
    if (entry.type === "intent") {
      if (entry.intent.aside === true) continue;
      open.set(entry.intent.operation.id, entry.intent);
      last.set(entry.intent.operation.id, entry.intent);
    } else if (entry.type === "settlement") {
      const { operation, status } = entry.settlement;
      const intent = last.get(operation);
      if (status !== "unknown") open.delete(operation);
      else if (intent !== undefined) open.set(operation, intent);
    }
  }
  return [...open.values()];
}

/** The last request of each operation that issues another token for one that was lost. */
export function lastTokenRequests({ entries }: JournalContents): ReadonlyMap<string, Intent> {
  const requests = entries.flatMap((entry) => {
    if (entry.type !== "intent" || entry.intent.aside !== true || entry.intent.operation.method !== "POST") return [];
    return [[entry.intent.operation.id, entry.intent] as const];
  });
  return new Map(requests);
}

/** Operations that are not done, in the order of the plan. */
export function remainingOperations(contents: JournalContents): readonly Operation[] {
  const done = new Set(
    lastSettlements(contents)
      .filter(isFinished)
      .map(({ operation }) => operation),
  );
  return contents.begin.plan.operations.filter(({ id }) => !done.has(id));
}

/** The end of the run; undefined if it was killed or is still in progress. */
export function runEnding({ entries }: JournalContents): RunEnding | undefined {
  const last = entries.at(-1);
  return last?.type === "end" ? last.how : undefined;
}

/** Whether the run has to be resolved before anything else is written. */
export function isUnfinished(contents: JournalContents): boolean {
  return runEnding(contents) === undefined || unresolvedIntents(contents).length > 0;
}

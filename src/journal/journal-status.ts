/** How far a run came, as its journal tells it. */

import type { Intent, Settlement } from "../apply/execute/journal.ts";
import type { Operation } from "../plan/plan.ts";
import type { Contents } from "./read.ts";
import type { Ending } from "./record.ts";

/** The last settlement of each operation, in the order of the journal. */
export function settlements({ entries }: Contents): readonly Settlement[] {
  const last = new Map<string, Settlement>();
  for (const entry of entries) {
    if (entry.type === "settlement") last.set(entry.settlement.operation, entry.settlement);
  }
  return [...last.values()];
}

/**
 * What may have been sent and is not known to have been carried out or not: the last intent of each such operation. One that
 * ends a lost token says nothing of how the operation ended.
 */
export function unresolved({ entries }: Contents): readonly Intent[] {
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

/** Operations of the plan that are not carried out, in its order. */
export function remaining(contents: Contents): readonly Operation[] {
  const done = new Set(
    settlements(contents)
      .filter(({ status }) => status === "done" || status === "fell_back" || status === "retained")
      .map(({ operation }) => operation),
  );
  return contents.begin.plan.operations.filter(({ id }) => !done.has(id));
}

/** How the run ended; undefined when it was killed, or is still going on. */
export function ending({ entries }: Contents): Ending | undefined {
  const last = entries.at(-1);
  return last?.type === "end" ? last.how : undefined;
}

/** Whether somebody has to look after it before anything else is written. */
export function isUnfinished(contents: Contents): boolean {
  return ending(contents) === undefined || unresolved(contents).length > 0;
}

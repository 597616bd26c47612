/**
 * The rest of an interrupted run after the service has refused deletions: what their resources reference stays too, so it is disabled, or
 * left as it is, as an uninterrupted run would have done.
 */

import type { Operation } from "../../plan/model/plan.ts";
import type { Settlement } from "./intent.ts";
import { lastSettlements } from "./journal-status.ts";
import { isRefusedDeletion, referrerStays } from "./outcome.ts";
import type { JournalContents } from "./read.ts";

/** The operations that remain after refusals. */
interface RestAfterRefusals {
  /** Those to send: of a deletion that the refusal of another one decides, its fallback. */
  readonly open: readonly Operation[];
  /** Outcomes of those that are not sent. */
  readonly kept: readonly Settlement[];
  /** Addresses of the resources that the service itself refused to delete. */
  readonly refused: readonly string[];
}

/** Decides the remaining operations of a run by the deletions that were refused before it was interrupted. */
export function afterRefusals({ begin, ...rest }: JournalContents, remaining: readonly Operation[]): RestAfterRefusals {
  const settlements = new Map(lastSettlements({ begin, ...rest }).map((one) => [one.operation, one]));
  const isRemaining = new Set(remaining);
  const refusals = new Map<string, Operation>();
  const open: Operation[] = [];
  const kept: Settlement[] = [];
  const refused: string[] = [];
  for (const operation of begin.plan.operations) {
    const { id, address, fallback, retains } = operation;
    if (!isRemaining.has(operation)) {
      const { status = "failed", after } = settlements.get(id) ?? {};
      if (!isRefusedDeletion({ status, operation })) continue;
      refusals.set(id, operation);
      if (after === undefined) refused.push(address);
      continue;
    }
    const referrer = operation.depends_on.map((other) => refusals.get(other)).find((other) => other !== undefined);
    if (referrer === undefined || (fallback === undefined && retains === undefined)) {
      open.push(operation);
      continue;
    }
    if (operation.method === "DELETE") refusals.set(id, operation);
    if (fallback !== undefined) open.push({ ...operation, ...fallback });
    else kept.push({ operation: id, status: "retained", message: referrerStays(referrer), after: referrer.id });
  }
  return { open, kept, refused };
}

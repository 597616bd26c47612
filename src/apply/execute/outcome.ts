/** What became of each operation: the events that a run tells while it goes on, and the result that it ends with. */

import type { Operation } from "../../plan/plan.ts";

/** What became of one operation. */
export type Outcome =
  /** Carried out; `gone` when there was nothing left to delete. */
  | { readonly status: "done"; readonly operation: Operation; readonly gone?: true }
  /** A deletion was refused and the approved alternative was carried out; the message is the service's. */
  | { readonly status: "fell_back"; readonly operation: Operation; readonly message: string }
  /** A removal was refused because something uses it; it stays, as the plan allows. */
  | { readonly status: "retained"; readonly operation: Operation; readonly message: string }
  /** Certainly not carried out, or carried out and not as planned: the error says which. */
  | { readonly status: "failed"; readonly operation: Operation; readonly error: Error }
  /** Sent, and nobody knows whether it was carried out. */
  | { readonly status: "unknown"; readonly operation: Operation; readonly error: Error }
  /** Waits for somebody's approval. */
  | {
      readonly status: "pending";
      readonly operation: Operation;
      readonly approvalId: string;
      readonly message: string;
      /** SHA-256 of the body that must be sent again. */
      readonly body: string | null;
    }
  /** Not sent; `after` is the id of the operation that it depends on, or at which the run stopped. */
  | {
      readonly status: "skipped";
      readonly operation: Operation;
      readonly because: "depends" | "stopped" | "interrupted";
      readonly after?: string;
    };

/** What a run tells while it goes on; every operation ends with exactly one outcome. */
export type ApplyEvent = { readonly status: "started"; readonly operation: Operation } | Outcome;

/** How many operations ended in which way. */
export type Counts = Readonly<Record<Outcome["status"], number>>;

/** How a run ended. */
export interface ApplyResult {
  /** One for each operation, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  readonly counts: Counts;
}

/** Counts the outcomes by status. */
export function count(outcomes: readonly Outcome[]): Counts {
  const counts = { done: 0, fell_back: 0, retained: 0, failed: 0, unknown: 0, pending: 0, skipped: 0 };
  for (const { status } of outcomes) counts[status]++;
  return counts;
}

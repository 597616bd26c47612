/** Outcomes of operations: the events during an apply, and its result. */

import type { Fields } from "../../core/json.ts";
import type { Operation } from "../../plan/model/plan.ts";

/** Name of a field in a row → fingerprint of the value that the service stored, where it is not the one that was sent. */
export type StoredFields = Readonly<Record<string, string>>;

/** Outcome of one operation. `earlier`: before the run was interrupted. */
export type Outcome =
  /**
   * Carried out; `gone` if there was nothing left to delete. `created`: the resource that it made, without its token. `stored`: what the
   * response shows otherwise than it was sent.
   */
  | {
      readonly status: "done";
      readonly operation: Operation;
      readonly gone?: true;
      readonly created?: Fields;
      readonly stored?: StoredFields;
      /** The resource in the response to an update that shows other values than were sent. It stays in memory. */
      readonly updated?: Fields;
      readonly earlier?: true;
    }
  /**
   * The service refused a removal, and the fallback in the plan was carried out; the message is the service's. With `after`, the id of
   * another deletion that it refused, it was not asked: what that one would delete stays, and references this resource.
   */
  | ({ readonly status: "fell_back" } & Refusal)
  /** The service refused to remove a resource in use, or was not asked as with `fell_back`; it stays, as the plan allows. */
  | ({ readonly status: "retained" } & Refusal)
  /** Certainly not carried out, or not as planned: the error says which. */
  | { readonly status: "failed"; readonly operation: Operation; readonly error: Error }
  /** Sent, but it is unknown whether it was carried out. */
  | { readonly status: "unknown"; readonly operation: Operation; readonly error: Error }
  /** Waits for an approval. */
  | {
      readonly status: "pending";
      readonly operation: Operation;
      readonly approvalId: string;
      readonly message: string;
      /** SHA-256 of the body that must be sent again. */
      readonly body: string | null;
    }
  /** Not sent; `after` is the id of the operation that it depends on, or that stopped the run. */
  | {
      readonly status: "skipped";
      readonly operation: Operation;
      readonly because: "depends" | "stopped" | "interrupted";
      readonly after?: string;
    };

/** A removal that the service refused, or would leave a reference to what is gone. */
export interface Refusal {
  readonly operation: Operation;
  readonly message: string;
  readonly after?: string;
  readonly earlier?: true;
}

/** Whether a deletion was not carried out, because the resource is in use. */
export function isRefusedDeletion({
  status,
  operation,
}: {
  readonly status: Outcome["status"];
  readonly operation: Operation;
}): boolean {
  return operation.method === "DELETE" && (status === "fell_back" || status === "retained");
}

/** Addresses of the resources that the service itself refused to delete. */
export function refusedAddresses(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((outcome) =>
    isRefusedDeletion(outcome) && !follows(outcome) ? [outcome.operation.address] : [],
  );
}

/** Whether a removal was not tried, because another one was refused. */
export function follows(outcome: Outcome): boolean {
  return (outcome.status === "fell_back" || outcome.status === "retained") && outcome.after !== undefined;
}

/** The message of a {@link Refusal} that follows from the refusal of another deletion. */
export function referrerStays({ address }: Operation): string {
  return `${address} stays, and may reference it`;
}

/** A write whose outcome its response does not tell. */
export interface Doubt {
  readonly operation: Operation;
  readonly error: Error;
  /** Number of the attempt that is sent next, because the live state shows no effect; absent while that is not known. */
  readonly nextAttempt?: number;
}

/** An event of an apply; every operation ends with exactly one outcome. */
export type ApplyEvent = { readonly status: "started"; readonly operation: Operation } | Outcome;

/** Numbers of operations by status. */
export type Counts = Readonly<Record<Outcome["status"], number>>;

/** Result of an apply. */
export interface ApplyResult {
  /** One outcome for each operation, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  readonly counts: Counts;
}

const NONE = { done: 0, fell_back: 0, retained: 0, failed: 0, unknown: 0, pending: 0, skipped: 0 };

/** Whether a text is the status of an outcome. */
export function isStatus(text: string): text is Outcome["status"] {
  return Object.hasOwn(NONE, text);
}

/** Whether an operation needs no further request: a fallback and a retained resource were approved with the plan. */
export function isFinished({ status }: Pick<Outcome, "status">): boolean {
  return status === "done" || status === "fell_back" || status === "retained";
}

/** Whether every operation ended as planned. */
export function isComplete({ counts }: ApplyResult): boolean {
  return counts.failed + counts.unknown + counts.pending + counts.skipped === 0;
}

/** Counts the outcomes by status. */
export function countOutcomes(outcomes: readonly Outcome[]): Counts {
  const counts = { ...NONE };
  for (const { status } of outcomes) counts[status]++;
  return counts;
}

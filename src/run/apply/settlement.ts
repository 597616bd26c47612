/** The outcome of an operation that ended with an error, and the record of each outcome in the journal. */

import { pick } from "../../core/json.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { classifyFailure, RETRY_RULES } from "../../service/http/retry.ts";
import { ApprovalPending } from "../../service/requests/service-error.ts";
import { ApplyError, TokenNotStored, Unresolved } from "../exchange/failure.ts";
import { recordedMembers } from "../exchange/response-match.ts";
import type { Settlement } from "../journal/intent.ts";
import type { Outcome } from "../journal/outcome.ts";

/** The record of an outcome. `storedPrefixes`: those of the tokens in the sink, by operation. */
export function settlementOf(outcome: Outcome, storedPrefixes: ReadonlyMap<string, string>): Settlement {
  const { status, operation } = outcome;
  const prefix = status === "done" || status === "unknown" ? storedPrefixes.get(operation.id) : undefined;
  const message = "error" in outcome ? outcome.error.message : "message" in outcome ? outcome.message : undefined;
  const after = "after" in outcome ? outcome.after : undefined;
  const stored = outcome.status === "done" ? recordedMembers(operation, outcome.stored ?? {}) : {};
  const updated =
    outcome.status === "done" && outcome.updated !== undefined ? pick(outcome.updated, Object.keys(stored)) : {};
  return {
    operation: operation.id,
    status,
    created:
      "created" in outcome && outcome.created !== undefined ? recordedMembers(operation, outcome.created) : undefined,
    prefix,
    ...(outcome.status === "pending" ? { approvalId: outcome.approvalId, body: outcome.body } : {}),
    message,
    ...(Object.keys(stored).length === 0 ? {} : { stored }),
    ...(Object.keys(updated).length === 0 ? {} : { updated }),
    ...(after === undefined ? {} : { after }),
  };
}

/** Outcome of an operation that ended with an error. `digest` returns the SHA-256 of the body that was sent. Throws faults of this program. */
export function failureOutcome(operation: Operation, error: unknown, digest: () => string | null): Outcome {
  if (error instanceof ApprovalPending) {
    const { approvalId, message } = error;
    return { status: "pending", operation, approvalId, message, body: digest() };
  }
  if (error instanceof Unresolved || (error instanceof TokenNotStored && !error.isRevoked)) {
    return { status: "unknown", operation, error };
  }
  const failureClass = classifyFailure(error);
  if (failureClass !== undefined && error instanceof Error) {
    return { status: RETRY_RULES[failureClass].applied === "unknown" ? "unknown" : "failed", operation, error };
  }
  if (error instanceof ApplyError) return { status: "failed", operation, error };
  throw error;
}

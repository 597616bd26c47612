/** Verifies a rotation: the service lists the new tokens, no longer the old ones, and none that appeared besides. */

import { defined, type Fields, hasMembers, type Json, textIn } from "../../core/json.ts";
import { PREFIX } from "../../plan/checks/token-requests.ts";
import type { Operation, Plan } from "../../plan/model/plan.ts";
import { settlementOf } from "../../run/apply/settlement.ts";
import { CreatedResources } from "../../run/exchange/created-resources.ts";
import { IgnoredRequest } from "../../run/exchange/failure.ts";
import { readCurrent } from "../../run/exchange/read-current.ts";
import { buildRequest } from "../../run/exchange/request.ts";
import { hasName } from "../../run/exchange/row-match.ts";
import type { Journal, Settlement } from "../../run/journal/intent.ts";
import { type ApplyResult, countOutcomes, isComplete, type Outcome } from "../../run/journal/outcome.ts";
import { type Reader, withPurpose } from "../../service/requests/connection.ts";
import type { UnknownToken, Verification } from "../../view/run/outcome-view.ts";
import { explainError } from "../console/error-report.ts";

/** The result of a rotation after the tokens were read again. */
interface VerifiedRotation {
  readonly result: ApplyResult;
  readonly verification: Verification;
}

/** The run of a rotation. */
interface RotationRun {
  readonly reader: Reader;
  readonly journal: Journal;
  /** Outcomes of an earlier part of this run. */
  readonly earlier: readonly Settlement[];
  /** The plan as the run began with it. */
  readonly begun: Plan;
}

/**
 * Reads the tokens again, also after a rotation that stopped. An operation without an effect has failed, and the journal says so, so that
 * the run can be finished.
 */
export async function verifyRotation(
  result: ApplyResult,
  { reader, journal, earlier, begun }: RotationRun,
): Promise<VerifiedRotation> {
  const outcomes: Outcome[] = [];
  const tokens: UnknownToken[] = [];
  const ours = new Set(earlier.flatMap(({ prefix }) => prefix ?? []));
  for (const outcome of result.outcomes)
    if (outcome.status === "done") ours.add(textIn(outcome.created?.[PREFIX]) ?? "");
  try {
    for (const outcome of result.outcomes) {
      const { operation, status } = outcome;
      const rows = status === "done" || operation.reveals !== undefined ? await rowsOf(operation, reader) : [];
      outcomes.push(status === "done" ? verified(outcome, rows) : outcome);
      if (operation.reveals === undefined || status === "unknown") continue;
      const first = begun.operations.find(({ id }) => id === operation.id) ?? operation;
      tokens.push(...unknownTokens(first, rows, ours));
    }
  } catch (error) {
    const reason = explainError(error).join(" ");
    return { result, verification: isComplete(result) ? { status: "unread", reason } : null };
  }
  const failed = outcomes.filter((outcome, at) => outcome !== result.outcomes[at]);
  for (const outcome of failed) await journal.settle(settlementOf(outcome, new Map()));
  const counted = failed.length === 0 ? result : { outcomes, counts: countOutcomes(outcomes) };
  if (tokens.length > 0) return { result: counted, verification: { status: "unknown_tokens", tokens } };
  return { result: counted, verification: isComplete(counted) ? { status: "verified" } : null };
}

/** The outcome, or that of an operation without an effect: what it made is not listed, or what it revoked still is. */
function verified(outcome: Extract<Outcome, { readonly status: "done" }>, rows: readonly Fields[]): Outcome {
  const { operation, created } = outcome;
  const { guard, method, address } = operation;
  const identity = guard?.row ?? created;
  // An earlier run made it, so that it is not known.
  if (guard === undefined || identity === undefined) return outcome;
  const known = Object.fromEntries(Object.entries(identity).filter(([name]) => guard.identity.includes(name)));
  const isRevocation = method === "DELETE";
  const isShown = rows.some((row) => hasMembers(row, known));
  return isShown !== isRevocation
    ? outcome
    : { status: "failed", operation, error: new IgnoredRequest(address, isRevocation) };
}

/** The tokens that appeared since an operation was planned, without those that this run issued. */
function unknownTokens(
  { guard, address }: Operation,
  rows: readonly Fields[],
  ours: ReadonlySet<string>,
): readonly UnknownToken[] {
  if (guard === undefined) return [];
  return rows.flatMap((row) => {
    const prefix = textIn(row[PREFIX]);
    if (prefix === undefined || ours.has(prefix) || !hasName(row, guard)) return [];
    return [{ address, prefix, ...defined({ last_used_at: useOf(row.last_used_at) }) }];
  });
}

function useOf(lastUsed: Json | undefined): string | null | undefined {
  return typeof lastUsed === "string" || lastUsed === null ? lastUsed : undefined;
}

/** The tokens, or the resources with one, that the operation is about. */
async function rowsOf(operation: Operation, reader: Reader): Promise<readonly Fields[]> {
  const filled = buildRequest(operation, { created: new CreatedResources(), secret: () => undefined });
  if (filled.guard === undefined) return [];
  return (await readCurrent(withPurpose(reader, "verification"), operation.address, filled, filled.guard)).rows;
}

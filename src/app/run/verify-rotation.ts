/** Verifies a rotation: the service lists the new tokens, and no longer the old ones. */

import { type Fields, hasMembers } from "../../core/json.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { settlementOf } from "../../run/apply/settlement.ts";
import { CreatedResources } from "../../run/exchange/created-resources.ts";
import { IgnoredRequest } from "../../run/exchange/failure.ts";
import { readCurrent } from "../../run/exchange/read-current.ts";
import { buildRequest } from "../../run/exchange/request.ts";
import type { Journal } from "../../run/journal/intent.ts";
import { type ApplyResult, countOutcomes, type Outcome } from "../../run/journal/outcome.ts";
import { type Reader, withPurpose } from "../../service/requests/connection.ts";
import type { Verification } from "../../view/run/outcome-view.ts";
import { explainError } from "../console/error-report.ts";

/** The result of a rotation after the tokens were read again. */
interface VerifiedRotation {
  readonly result: ApplyResult;
  readonly verification: Verification;
}

/** Reads the tokens again. An operation without an effect has failed, and the journal says so, so that the run can be finished. */
export async function verifyRotation(result: ApplyResult, reader: Reader, journal: Journal): Promise<VerifiedRotation> {
  const outcomes: Outcome[] = [];
  try {
    for (const outcome of result.outcomes) {
      const { operation } = outcome;
      const isRevocation = operation.method === "DELETE";
      const isShown = await isListed(operation, "created" in outcome ? outcome.created : undefined, reader);
      if (isShown !== isRevocation) outcomes.push(outcome);
      else outcomes.push({ status: "failed", operation, error: new IgnoredRequest(operation.address, isRevocation) });
    }
  } catch (error) {
    return { result, verification: { status: "unread", reason: explainError(error).join(" ") } };
  }
  const failed = outcomes.filter(({ status }) => status === "failed");
  for (const outcome of failed) await journal.settle(settlementOf(outcome, new Map()));
  return failed.length === 0
    ? { result, verification: { status: "verified" } }
    : { result: { outcomes, counts: countOutcomes(outcomes) }, verification: null };
}

/** Whether the service lists what the operation has made or revoked; undefined if an earlier run made it, so that it is not known. */
async function isListed(
  operation: Operation,
  created: Fields | undefined,
  reader: Reader,
): Promise<boolean | undefined> {
  const filled = buildRequest(operation, { created: new CreatedResources(), secret: () => undefined });
  const { guard } = filled;
  const identity = guard?.row ?? created;
  if (guard === undefined || identity === undefined) return undefined;
  const known = Object.fromEntries(Object.entries(identity).filter(([name]) => guard.identity.includes(name)));
  const { rows } = await readCurrent(withPurpose(reader, "verification"), operation.address, filled, guard);
  return rows.some((row) => hasMembers(row, known));
}

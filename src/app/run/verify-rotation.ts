/** Verifies a rotation: the service lists the new tokens, and no longer the old ones. */

import { type Fields, hasMembers } from "../../core/json.ts";
import type { Operation, Plan } from "../../plan/model/plan.ts";
import { CreatedResources } from "../../run/exchange/created-resources.ts";
import { readCurrent } from "../../run/exchange/read-current.ts";
import { buildRequest } from "../../run/exchange/request.ts";
import type { ApplyResult } from "../../run/journal/outcome.ts";
import { type Reader, withPurpose } from "../../service/requests/connection.ts";
import type { Verification } from "../../view/run/outcome-view.ts";
import { explainError } from "../console/error-report.ts";

/** Reads the tokens again, and returns the operations whose effect they do not show as what remains. */
export async function verifyRotation(plan: Plan, { outcomes }: ApplyResult, reader: Reader): Promise<Verification> {
  try {
    const open: Operation[] = [];
    for (const outcome of outcomes) {
      const { operation } = outcome;
      const isShown = await isListed(operation, "created" in outcome ? outcome.created : undefined, reader);
      if (isShown === (operation.method === "DELETE")) open.push(operation);
    }
    if (open.length === 0) return { status: "verified" };
    const addresses = new Set(open.map(({ address }) => address));
    const changes = plan.changes.filter(({ address }) => addresses.has(address));
    return { status: "differs", remaining: { ...plan, operations: open, changes } };
  } catch (error) {
    return { status: "unread", reason: explainError(error).join(" ") };
  }
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

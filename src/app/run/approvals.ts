/** The approval flags, which `plan` and `apply` share. */

import type { Io } from "../../core/io.ts";
import type { Approvals } from "../../plan/checks/policy-checks.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { TokenSink } from "../../run/tokens/sink.ts";
import { approvalFlags } from "../../view/plan/verdict.ts";
import type { ApprovalOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { openSink, type SinkOptions } from "../saved-plan/secret-values.ts";
import { shellWord } from "../session/command-line.ts";

/** The flags that approve what a plan needs. */
export type ApprovalFlags = ApprovalOptions & SinkOptions;

/** The approvals of a command line, with its token sink, which nothing has used yet. */
export interface ApprovedFlags {
  readonly approvals: Approvals;
  readonly sink: TokenSink | undefined;
}

/** Reads the approvals of a command line. */
export function readApprovals(flags: ApprovalFlags, io: Io, console: Pick<Console, "conceal">): ApprovedFlags {
  const sink = openSink(flags, io, console);
  const { allowDelete = false, acceptRoutingWindow = false, maxRemovals } = flags;
  const approvals: Approvals = {
    allowDelete,
    acceptRoutingWindow,
    tokenSink: sink !== undefined,
    ...(maxRemovals === undefined ? {} : { maxRemovals }),
  };
  return { approvals, sink };
}

/** The approval flags of a command line that applies the plan: those typed for the plan, and those that it still needs. */
export function approvalsFor({ blocked }: Plan, flags: ApprovalFlags): readonly string[] {
  const { allowDelete, acceptRoutingWindow, maxRemovals, secretsOut, secretsExec } = flags;
  const missing = approvalFlags(blocked);
  const limit = maxRemovals && ("percent" in maxRemovals ? `${maxRemovals.percent}%` : `${maxRemovals.entries}`);
  return [
    ...(allowDelete === true ? ["--allow-delete"] : []),
    ...(limit === undefined || missing.some((flag) => flag.startsWith("--max-removals "))
      ? []
      : [`--max-removals ${limit}`]),
    ...(acceptRoutingWindow === true ? ["--accept-routing-window"] : []),
    ...(secretsOut === undefined ? [] : [`--secrets-out ${shellWord(secretsOut)}`]),
    ...(secretsExec === undefined ? [] : [`--secrets-exec ${shellWord(secretsExec)}`]),
    ...missing,
  ];
}

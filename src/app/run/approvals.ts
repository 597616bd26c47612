/** The approval flags, which `plan` and `apply` share, and the confirmation before the first write: approvals, the token sink, and the prompt. */

import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { sanitised, shellWord } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Approvals } from "../../plan/checks/policy-checks.ts";
import type { Blocked, Plan } from "../../plan/model/plan.ts";
import type { TokenSink } from "../../run/tokens/sink.ts";
import { approvalFlags } from "../../view/plan/verdict.ts";
import type { ApprovalOptions } from "../command/shared-flags.ts";
import type { Console } from "../console/console.ts";
import { openSink, type SinkOptions } from "../saved-plan/secret-values.ts";

/** The flags that approve what a plan needs. */
export type ApprovalFlags = ApprovalOptions & SinkOptions;

/** The approvals of a command line, with its token sink, which nothing has used yet. */
export interface ApprovedFlags {
  readonly approvals: Approvals;
  readonly sink: TokenSink | undefined;
}

/** Reads the approvals of a command line. */
export function readApprovals(
  flags: ApprovalFlags,
  io: Io,
  console: Pick<Console, "conceal" | "alert">,
): ApprovedFlags {
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

/** Addresses that a refusal names, unless it is to be whole. */
const MAX_ADDRESSES = 5;

/** The command that a refusal names. */
export interface SameCommand {
  /** Its approvals, as they were typed. */
  readonly typed: ApprovalFlags & { readonly yes?: boolean };
  /** Its whole line, with these approvals. */
  readonly lineWith: (approvals: readonly string[]) => string;
}

interface ConfirmOptions extends SameCommand {
  readonly sink: TokenSink | undefined;
  /** Answers the prompt; it approves nothing else. */
  readonly yes: boolean;
  /** Whether a refusal names all addresses. */
  readonly isWhole?: boolean;
}

/** Whether the options ask for errors that leave nothing out. */
export function isWhole({
  verbose = false,
  format = "text",
}: {
  readonly verbose?: boolean;
  readonly format?: string;
}): boolean {
  return verbose || format !== "text";
}

/** Ends the command with exit code 3 and everything that blocks the plan; otherwise prompts, and requires the answer `yes`. */
export async function confirmPlan(
  plan: Plan,
  { sink, yes, isWhole = false, typed, lineWith }: ConfirmOptions,
  io: Io,
): Promise<void> {
  const most = isWhole ? Number.MAX_SAFE_INTEGER : MAX_ADDRESSES;
  const missing = plan.blocked.map((each) => missingApproval(each, most));
  const isAlone = !yes && io.ask === undefined;
  if (isAlone) missing.push("there is no terminal to ask for confirmation; to apply without it: --yes");
  if (missing.length > 0 && plan.blocked.every(({ flag }) => flag !== undefined)) {
    const approvals = [...approvalsFor(plan, typed), ...(isAlone || typed.yes === true ? ["--yes"] : [])];
    missing.push(`Next: review the plan, then run ${lineWith(approvals)}`);
  }
  if (missing.length > 0) throw refusal(missing);
  // The prompt comes last, when nothing else is missing.
  if (plan.operations.some(({ reveals }) => reveals !== undefined)) await sink?.probe();
  if (yes || io.ask === undefined) return;
  const subject = `${counted(plan.operations.length, "operation")} to ${sanitised(plan.target.host)}`;
  const answer = await io.ask(`Apply ${subject}? Only "yes" is accepted: `);
  if (answer.trim() !== "yes") throw refusal(["the answer was not yes"]);
}

/** A reason with its addresses, if the message does not name the only one, and its flag. */
function missingApproval({ message, addresses, flag }: Blocked, most: number): string {
  const named = addresses.slice(0, most).filter((address) => !message.includes(address));
  const rest = addresses.length - most;
  const which = named.length === 0 ? "" : ` (${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""})`;
  return sanitised(`${message}${which}${flag === undefined || message.includes(flag) ? "" : `; requires ${flag}`}`);
}

function refusal([first = "", ...rest]: readonly string[]): Stop {
  return new Stop(EXIT.refused, [`not applied, nothing was written: ${first}`, ...rest].join("\n"));
}

/** Confirms a plan before the first write: approvals, storage for tokens, and the prompt. */

import type { TokenSink } from "../apply/tokens/sink.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import { counted } from "../report/format/value.ts";

/** Options of the confirmation. */
export interface ConfirmOptions {
  readonly sink: TokenSink | undefined;
  /** Answers the prompt; it approves nothing else. */
  readonly yes: boolean;
}

/** Ends the command with exit code 3 and everything that is missing; otherwise prompts, and requires the answer `yes`. */
export async function confirmPlan(plan: Plan, { sink, yes }: ConfirmOptions, io: Io): Promise<void> {
  const missing = [...missingApprovals(plan), ...missingSink(plan, sink)];
  if (!yes && io.ask === undefined)
    missing.push("there is no terminal to ask for confirmation; to apply without it: --yes");
  if (missing.length > 0) throw refusal(missing);
  // The prompt comes last, when nothing else is missing.
  if (tokenOperations(plan).length > 0) await sink?.probe();
  if (yes || io.ask === undefined) return;
  const subject = `${counted(plan.operations.length, "operation")} to ${sanitised(plan.target.host)}`;
  const answer = await io.ask(`Apply ${subject}? Only "yes" is accepted: `);
  if (answer.trim() !== "yes") throw refusal(["the answer was not yes"]);
}

function missingApprovals(plan: Plan): readonly string[] {
  return plan.blocked.map(({ message, flag }) =>
    sanitised(flag === undefined ? message : `${message}; requires ${flag}`),
  );
}

function missingSink(plan: Plan, sink: TokenSink | undefined): readonly string[] {
  const tokens = tokenOperations(plan);
  if (tokens.length === 0 || sink !== undefined) return [];
  const owners = tokens.map(({ address }) => sanitised(address)).join(", ");
  return [
    `the service shows ${counted(tokens.length, "token")} only once (${owners}); store ${tokens.length === 1 ? "it" : "them"} with --secrets-out FILE or --secrets-exec CMD`,
  ];
}

function tokenOperations(plan: Plan): readonly Operation[] {
  return plan.operations.filter(({ reveals }) => reveals !== undefined);
}

function refusal([first = "", ...rest]: readonly string[]): Stop {
  return new Stop(EXIT.refused, [`not applied, nothing was written: ${first}`, ...rest].join("\n"));
}

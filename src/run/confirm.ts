/** What must be said before anything is written: consents, a place for tokens, and the answer to the question. */

import type { TokenSink } from "../apply/tokens/sink.ts";
import { EXIT, Stop } from "../core/exit-codes.ts";
import type { Io } from "../core/io.ts";
import { sanitised } from "../core/sanitise.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import { counted } from "../report/format/value.ts";

/** What the person has given. */
export interface Given {
  readonly sink: TokenSink | undefined;
  /** Answers the question; it consents to nothing else. */
  readonly yes: boolean;
}

/** Ends the command with exit code 3 and everything that is missing; else asks, and goes on only with the answer `yes`. */
export async function agree(plan: Plan, { sink, yes }: Given, io: Io): Promise<void> {
  const missing = [...consents(plan), ...custody(plan, sink)];
  if (!yes && io.ask === undefined) missing.push("nobody is there to be asked; to go on without: --yes");
  if (missing.length > 0) throw refused(missing);
  // A person is asked only when nothing else stands in the way.
  if (revealing(plan).length > 0) await sink?.probe();
  if (yes || io.ask === undefined) return;
  const what = `${counted(plan.operations.length, "operation")} to ${sanitised(plan.target.host)}`;
  const answer = await io.ask(`Apply ${what}? Only "yes" is accepted: `);
  if (answer.trim() !== "yes") throw refused(["the answer was not yes"]);
}

function consents(plan: Plan): readonly string[] {
  return plan.blocked.map(({ message, flag }) =>
    sanitised(flag === undefined ? message : `${message}; requires ${flag}`),
  );
}

function custody(plan: Plan, sink: TokenSink | undefined): readonly string[] {
  const tokens = revealing(plan);
  if (tokens.length === 0 || sink !== undefined) return [];
  const whose = tokens.map(({ address }) => sanitised(address)).join(", ");
  return [
    `the service shows ${counted(tokens.length, "token")} only once (${whose}); say where to keep ${tokens.length === 1 ? "it" : "them"}: --secrets-out FILE or --secrets-exec CMD`,
  ];
}

function revealing(plan: Plan): readonly Operation[] {
  return plan.operations.filter(({ reveals }) => reveals !== undefined);
}

function refused([first = "", ...rest]: readonly string[]): Stop {
  return new Stop(EXIT.refused, [`not applied, nothing was written: ${first}`, ...rest].join("\n"));
}

/** Errors that end a command which has looked after an earlier run already. */

import { EXIT, exitCodeOf, Stop } from "../core/exit-codes.ts";
import { explainError } from "../output/error-report.ts";
import type { WritingSession } from "../session/session.ts";

/**
 * The error to end with: exit code 4 where a token that an earlier run had lost was ended or replaced before the plan could be
 * made. Other codes say that nothing was written.
 */
export function afterWriting(error: unknown, session: Pick<WritingSession, "spent">): unknown {
  const exit = exitCodeOf(error);
  if (exit === EXIT.partial || exit === EXIT.interrupted) return error;
  const purposes = session.spent().map(({ purpose }) => purpose);
  if (!purposes.includes("custody") || purposes.includes("write")) return error;
  const told = ["what an earlier run had left was looked after, and nothing else was written", ...explainError(error)];
  return new Stop(EXIT.partial, [...told, "Next: to continue, run incidentctl apply"].join("\n"));
}

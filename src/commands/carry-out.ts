/** Writes a plan that was agreed to, reads the workspace again, and says how it ended. */

import { signOf } from "../api/retry.ts";
import { apply } from "../apply/apply.ts";
import { Unchecked } from "../apply/failure.ts";
import type { ApplyEvent, ApplyResult } from "../apply/outcome.ts";
import type { TokenSink } from "../apply/token-sink.ts";
import type { Plan } from "../plan/plan.ts";
import type { Applied, Verification } from "../report/outcome.ts";
import { progress } from "../report/progress.ts";
import type { Console } from "./console.ts";
import { EXIT, exitCodeOf, Stop } from "./exit.ts";
import { explain, explainer } from "./failure.ts";
import type { Io } from "./io.ts";
import { writeLock } from "./lock-file.ts";
import { narrowingOf } from "./sealed.ts";
import { declaredValues } from "./secrets.ts";
import type { WritingSession } from "./session.ts";

/** How the plan is carried out. */
export interface CarryOutOptions {
  readonly sink: TokenSink | undefined;
  readonly keepGoing: boolean;
}

/** What happened, and the exit code for it. */
export interface CarriedOut {
  readonly applied: Applied;
  readonly exit: number;
}

/** Carries the plan out, telling progress. After an interruption what was sent is settled and nothing more is sent. */
export async function carryOut(
  plan: Plan,
  session: WritingSession,
  { sink, keepGoing }: CarryOutOptions,
  io: Io,
  console: Console,
): Promise<CarriedOut> {
  const interrupted = io.interruption();
  const tell = progress({
    write: (text) => console.progress(text),
    terminal: io.stderr.terminal,
    paint: console.noteStyle.paint,
    total: plan.operations.length,
  });
  const events = apply(plan, session.writer, {
    keepGoing,
    secret: declaredValues(session.configuration),
    interrupted,
    ...(sink === undefined ? {} : { sink }),
  });
  const result = await follow(events, tell, plan);
  const verification = isWhole(result) && !interrupted.aborted ? await verify(plan, result, session) : null;
  return {
    applied: { plan, result, verification, explain: explainer(session.configuration) },
    exit: interrupted.aborted ? EXIT.interrupted : exitOf(result, verification),
  };
}

/** Tells the events and gives the result. An error of this program after a write must not look as if nothing had happened. */
async function follow(
  events: AsyncGenerator<ApplyEvent, ApplyResult>,
  tell: (event: ApplyEvent) => void,
  plan: Plan,
): Promise<ApplyResult> {
  let sent = 0;
  try {
    for (;;) {
      const step = await events.next();
      if (step.done === true) return step.value;
      if (step.value.status === "started") sent += 1;
      tell(step.value);
    }
  } catch (error) {
    if (sent === 0) throw error;
    const reason = explain(error).join(" ");
    throw new Stop(
      EXIT.partial,
      `stopped at operation ${sent} of ${plan.operations.length} by an error of this program: ${reason}\nNext: incidentctl plan  shows what is open`,
    );
  }
}

/** Reads again: nothing may be left to do but what the service keeps because it is in use. */
async function verify(plan: Plan, { outcomes }: ApplyResult, session: WritingSession): Promise<Verification> {
  try {
    const remaining = await session.plan({ narrowing: narrowingOf(plan), identify: false, verifying: true });
    const kept = outcomes.filter(({ status }) => status === "retained").map(({ operation }) => operation.address);
    const open = remaining.operations.filter(
      ({ retains, address }) => retains === undefined || !kept.includes(address),
    );
    if (open.length > 0) return { status: "differs", remaining };
    await writeLock(session.configuration, remaining, session.lock);
    return { status: "verified" };
  } catch (error) {
    return { status: "unread", reason: explain(error).join(" ") };
  }
}

/** Whether every operation ended as the plan foresees. */
function isWhole({ counts }: ApplyResult): boolean {
  return counts.failed + counts.unknown + counts.pending + counts.skipped === 0;
}

function exitOf(result: ApplyResult, verification: Verification): number {
  if (isWhole(result)) return verification?.status === "verified" ? EXIT.success : EXIT.partial;
  const { done, fell_back, unknown, pending } = result.counts;
  const failed = result.outcomes.find((outcome) => outcome.status === "failed");
  if (failed === undefined || done + fell_back + unknown + pending > 0) return EXIT.partial;
  // As long as nothing is written, a token without the permission, or a service that is not there, is what it is for a read.
  const error = failed.error instanceof Unchecked ? failed.error.cause : failed.error;
  const code = exitCodeOf(error);
  const sign = signOf(error);
  return code !== EXIT.error || sign === "unreachable" || sign === "throttled" ? code : EXIT.partial;
}

/** Carries out a plan, operation by operation in its order, and tells what becomes of each. Nothing but the plan decides what is sent. */

import type { Writer } from "../api/connection.ts";
import { signOf } from "../api/retry.ts";
import { ServiceError } from "../api/service-error.ts";
import type { Fields, Json } from "../json.ts";
import type { Operation, Plan } from "../plan/plan.ts";
import { NotAsPlanned, UnexpectedSlug } from "./failure.ts";
import { type Journal, unrecorded } from "./journal.ts";
import { type ApplyEvent, type ApplyResult, count, type Outcome } from "./outcome.ts";
import { perform, type Surroundings } from "./perform.ts";
import { noSink, type TokenSink } from "./token-sink.ts";

/** How to apply. */
export interface ApplyOptions {
  /** After a refusal go on with what does not depend on it. */
  readonly keepGoing: boolean;
  /** Where one-time tokens go; needed by a plan that reveals one. */
  readonly sink?: TokenSink;
  /** Values from the environment that the plan leaves out, by address and JSON Pointer into the declared entry. */
  readonly secret?: (address: string, pointer: string) => Json | undefined;
  /** Once aborted nothing more is started; what was sent is still settled. */
  readonly interrupted?: AbortSignal;
  /** Where the run writes down what it does. */
  readonly journal?: Journal;
  /** The time for the journal, where no answer of the service tells it. */
  readonly now?: () => Date;
}

/**
 * Applies a plan; the events come as things happen, the result is returned at the end. An error of the service is an
 * outcome and never thrown. Throws what the sink's probe throws, before anything is sent.
 */
export async function* apply(
  plan: Plan,
  writer: Writer,
  {
    keepGoing,
    sink = noSink,
    secret = () => undefined,
    interrupted,
    journal = unrecorded,
    now = () => new Date(),
  }: ApplyOptions,
): AsyncGenerator<ApplyEvent, ApplyResult> {
  if (plan.operations.some(({ reveals }) => reveals !== undefined)) await sink.probe();
  const surroundings: Surroundings = { writer, sink, secret, created: new Map<string, Fields>(), journal, now };
  const outcomes: Outcome[] = [];
  /** Operations that others must not build on. */
  const unfinished = new Set<string>();
  let stoppedAt: string | undefined;

  for (const operation of plan.operations) {
    let outcome = skipped(operation, { stoppedAt, unfinished, interrupted: interrupted?.aborted === true });
    if (outcome === undefined) {
      yield { status: "started", operation };
      outcome = await perform(operation, surroundings);
      if (!isFinished(outcome) && (!keepGoing || endsTheRun(outcome))) stoppedAt = operation.id;
    }
    if (!isFinished(outcome)) unfinished.add(operation.id);
    outcomes.push(outcome);
    yield outcome;
  }
  return { outcomes, counts: count(outcomes) };
}

interface Course {
  readonly stoppedAt: string | undefined;
  readonly unfinished: ReadonlySet<string>;
  readonly interrupted: boolean;
}

/** Why an operation is not started, if so. */
function skipped(operation: Operation, { stoppedAt, unfinished, interrupted }: Course): Outcome | undefined {
  if (interrupted) return { status: "skipped", operation, because: "interrupted" };
  if (stoppedAt !== undefined) return { status: "skipped", operation, because: "stopped", after: stoppedAt };
  const after = operation.depends_on.find((id) => unfinished.has(id));
  return after === undefined ? undefined : { status: "skipped", operation, because: "depends", after };
}

/** Whether others may build on it: a fall back and a retained entry were approved with the plan. */
function isFinished({ status }: Outcome): boolean {
  return status === "done" || status === "fell_back" || status === "retained";
}

/** Whether even `--keep-going` ends here: the service is not there, does not know us, or left us in doubt. */
function endsTheRun(outcome: Outcome): boolean {
  if (outcome.status !== "failed") return outcome.status === "unknown";
  const { error } = outcome;
  if (error instanceof NotAsPlanned || error instanceof UnexpectedSlug) return false;
  const sign = signOf(error);
  return (sign !== "refused" && sign !== "outdated") || (error instanceof ServiceError && error.status === 401);
}

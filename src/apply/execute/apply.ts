/**
 * Carries out a plan, operation by operation in its order, those of one batch side by side, and tells what becomes of each.
 * Nothing but the plan decides what is sent.
 */

import type { Writer } from "../../api/http/connection.ts";
import { signOf } from "../../api/http/retry.ts";
import { ServiceError } from "../../api/read/service-error.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { Fields, Json } from "../../core/json.ts";
import type { Operation, Plan } from "../../plan/plan.ts";
import { noSink, type TokenSink } from "../tokens/sink.ts";
import { NotAsPlanned, NotTaken, UnexpectedSlug } from "./failure.ts";
import { type Journal, type Settlement, unrecorded } from "./journal.ts";
import { type ApplyEvent, type ApplyResult, count, type Outcome } from "./outcome.ts";
import { type Approval, perform, type Surroundings } from "./perform.ts";

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
  /** What waiting is measured by. */
  readonly clock?: Clock;
  /**
   * How operations of this plan ended in a run that stopped. What is finished is not sent again, what waits for an approval is,
   * byte for byte; what became of every other one must be known.
   */
  readonly earlier?: readonly Settlement[];
  /** Sends a creation again of which nothing is to be seen, also where that may make a second entry. */
  readonly resend?: boolean;
  /** Operations of one batch under way at a time; one when left out. */
  readonly parallelism?: number;
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
    interrupted = new AbortController().signal,
    journal = unrecorded,
    now = () => new Date(),
    clock = systemClock,
    resend = false,
    earlier = [],
    parallelism = 1,
  }: ApplyOptions,
): AsyncGenerator<ApplyEvent, ApplyResult> {
  const before = new Map(earlier.map((settlement) => [settlement.operation, settlement]));
  const isLeft = (operation: Operation) => settled(operation, before.get(operation.id)) === undefined;
  if (plan.operations.some((operation) => operation.reveals !== undefined && isLeft(operation))) await sink.probe();
  const created = new Map<string, Fields>();
  const surroundings: Surroundings = {
    writer,
    sink,
    secret,
    created,
    kept: new Map<string, string>(),
    journal,
    now,
    clock,
    interrupted,
    resend,
    pending: (id) => waiting(before.get(id)),
  };
  const ended = new Map<Operation, Outcome>();
  const underWay = new Map<Operation, Promise<Outcome>>();
  /** Operations that others must not build on. */
  const unfinished = new Set<string>();
  let stoppedAt: string | undefined;
  let batch: number | undefined;

  const end = (outcome: Outcome): Outcome => {
    const { operation } = outcome;
    underWay.delete(operation);
    ended.set(operation, outcome);
    if (!isFinished(outcome)) unfinished.add(operation.id);
    return outcome;
  };
  const oneEnds = async (): Promise<Outcome> => {
    const outcome = await first(underWay.values());
    if (!isFinished(outcome) && (!keepGoing || endsTheRun(outcome))) stoppedAt ??= outcome.operation.id;
    return end(outcome);
  };

  for (const operation of plan.operations) {
    const isBeside = operation.batch !== undefined && operation.batch === batch;
    while (underWay.size >= (isBeside ? parallelism : 1)) yield await oneEnds();
    batch = operation.batch;
    const answer = before.get(operation.id)?.created;
    const known = settled(operation, before.get(operation.id));
    if (known !== undefined && answer !== undefined) created.set(operation.address, answer);
    const unsent = known ?? skipped(operation, { stoppedAt, unfinished, interrupted: interrupted.aborted });
    if (unsent !== undefined) {
      yield end(unsent);
      continue;
    }
    yield { status: "started", operation };
    underWay.set(operation, perform(operation, surroundings));
  }
  while (underWay.size > 0) yield await oneEnds();
  const outcomes = plan.operations.flatMap((operation) => ended.get(operation) ?? []);
  return { outcomes, counts: count(outcomes) };
}

/** The first that ends. A fault of this program is thrown when nothing is under way any more. */
async function first(underWay: Iterable<Promise<Outcome>>): Promise<Outcome> {
  const all = [...underWay];
  try {
    return await Promise.race(all);
  } catch (error) {
    await Promise.allSettled(all);
    throw error;
  }
}

/** What an earlier run has finished. */
function settled(operation: Operation, settlement: Settlement | undefined): Outcome | undefined {
  const { status, message = "" } = settlement ?? {};
  if (status === "done") return { status, operation };
  return status === "fell_back" || status === "retained" ? { status, operation, message } : undefined;
}

function waiting(settlement: Settlement | undefined): Approval | undefined {
  const { status, approvalId = "", body = null } = settlement ?? {};
  return status === "pending" ? { id: approvalId, body } : undefined;
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
  if ([NotAsPlanned, UnexpectedSlug, NotTaken].some((kind) => error instanceof kind)) return false;
  const sign = signOf(error);
  return (sign !== "refused" && sign !== "outdated") || (error instanceof ServiceError && error.status === 401);
}

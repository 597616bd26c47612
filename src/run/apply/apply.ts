/**
 * Applies a plan: runs its operations in order, those of one batch in parallel, and reports the outcome of each. Only the plan
 * decides what is sent.
 */

import { type Clock, systemClock } from "../../core/clock.ts";
import type { Fields, Json } from "../../core/json.ts";
import { NO_WORDS, type RunWords } from "../../core/sanitise.ts";
import type { Operation, Plan } from "../../plan/model/plan.ts";
import { classifyFailure } from "../../service/http/retry.ts";
import type { Writer } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import { CreatedResources } from "../exchange/created-resources.ts";
import { IgnoredChange, NotAsPlanned, UnexpectedSlug } from "../exchange/failure.ts";
import { type Journal, noJournal, type Settlement } from "../journal/intent.ts";
import {
  type ApplyEvent,
  type ApplyResult,
  countOutcomes,
  type Doubt,
  isFinished,
  isRefusedDeletion,
  type Outcome,
} from "../journal/outcome.ts";
import { noSink, type TokenSink } from "../tokens/sink.ts";
import { ExpectedLists } from "./appends.ts";
import { type Approval, perform, type RunContext } from "./perform.ts";

export interface ExecuteOptions {
  /** Continue after a failure with the operations that do not depend on it. */
  readonly keepGoing: boolean;
  /** Storage of one-time tokens; required if the plan creates one. */
  readonly sink?: TokenSink;
  /** Returns a value from the environment, which the plan omits, by address and JSON Pointer into the declared resource. */
  readonly secret?: (address: string, pointer: string) => Json | undefined;
  /** Once aborted, no operation starts; those in flight still end. */
  readonly interrupted?: AbortSignal;
  /** Record of the run. */
  readonly journal?: Journal;
  /** Time for the journal if no response gives the service's. */
  readonly now?: () => Date;
  /** Clock for waiting. */
  readonly clock?: Clock;
  /**
   * Outcomes of this plan's operations in an interrupted run. Finished operations are not sent again; those that wait for an approval
   * are, byte for byte. The outcome of every other operation must be known.
   */
  readonly earlier?: readonly Settlement[];
  /** Repeat a create with no visible effect, even if that may make a duplicate. */
  readonly resend?: boolean;
  /** Parallel operations of one batch. Default: 1. */
  readonly parallelism?: number;
  /** The live rows of the kind of a resource, as the plan has read them. Without them, a new entry whose name the service alters is not known as this run's. */
  readonly rowsBefore?: (address: string) => readonly Fields[] | undefined;
  /** Words of a command line for the same service and files, for commands in messages. Default: none. */
  readonly words?: RunWords;
  /** Called before the live state is read for the outcome of a write, and before the write is sent again. */
  readonly onDoubt?: (doubt: Doubt) => void;
}

/**
 * Applies a plan. Yields events as they happen and returns the result. An error of the service is an outcome and never thrown.
 * Errors of the sink's probe are thrown before anything is sent.
 */
export async function* apply(
  plan: Plan,
  writer: Writer,
  {
    keepGoing,
    sink = noSink,
    secret = () => undefined,
    interrupted = new AbortController().signal,
    journal = noJournal,
    now = () => new Date(),
    clock = systemClock,
    resend = false,
    earlier = [],
    parallelism = 1,
    words = NO_WORDS,
    rowsBefore,
    onDoubt,
  }: ExecuteOptions,
): AsyncGenerator<ApplyEvent, ApplyResult> {
  const before = new Map(earlier.map((settlement) => [settlement.operation, settlement]));
  const isUnfinished = (operation: Operation) => earlierOutcome(operation, before.get(operation.id)) === undefined;
  if (plan.operations.some((operation) => operation.reveals !== undefined && isUnfinished(operation)))
    await sink.probe();
  const created = new CreatedResources();
  const storedPrefixes = new Map<string, string>();
  const context: RunContext = {
    writer,
    sink,
    secret,
    created,
    lists: new ExpectedLists(plan.operations, created),
    ...(rowsBefore === undefined ? {} : { rowsBefore }),
    storedPrefixes,
    successorsOf: ({ address, depends_on: needed }) =>
      plan.operations
        .filter((one) => one.reveals !== undefined && one.address === address && needed.includes(one.id))
        .flatMap(({ id }) => storedPrefixes.get(id) ?? before.get(id)?.prefix ?? []),
    journal,
    now,
    clock,
    interrupted,
    resend,
    words,
    pendingApproval: (id) => pendingApproval(before.get(id)),
    ...(onDoubt === undefined ? {} : { onDoubt }),
  };
  const ended = new Map<Operation, Outcome>();
  const inFlight = new Map<Operation, Promise<Outcome>>();
  /** Ids of operations whose dependents must not start. */
  const unfinished = new Set<string>();
  /** The deletions that were refused, by id: what their resources reference stays too. */
  const refused = new Map<string, Operation>();
  let stoppedAt: string | undefined;
  let batch: number | undefined;

  const end = (outcome: Outcome): Outcome => {
    const { operation } = outcome;
    inFlight.delete(operation);
    ended.set(operation, outcome);
    if (!isFinished(outcome)) unfinished.add(operation.id);
    if (isRefusedDeletion(outcome)) refused.set(operation.id, operation);
    return outcome;
  };
  const nextOutcome = async (): Promise<Outcome> => {
    const outcome = await firstOutcome(inFlight.values());
    const stops = keepGoing ? stopsRun(outcome) : !hadOtherEffect(outcome);
    if (!isFinished(outcome) && stops) stoppedAt ??= outcome.operation.id;
    return end(outcome);
  };

  for (const operation of plan.operations) {
    const isParallel = operation.batch !== undefined && operation.batch === batch;
    while (inFlight.size >= (isParallel ? parallelism : 1)) yield await nextOutcome();
    batch = operation.batch;
    const response = before.get(operation.id)?.created;
    const recorded = earlierOutcome(operation, before.get(operation.id));
    if (recorded !== undefined && response !== undefined) created.set(operation, response);
    const outcome = recorded ?? skippedOutcome(operation, { stoppedAt, unfinished, interrupted: interrupted.aborted });
    if (outcome !== undefined) {
      yield end(outcome);
      continue;
    }
    yield { status: "started", operation };
    const referrer = operation.depends_on.map((id) => refused.get(id)).find((one) => one !== undefined);
    inFlight.set(operation, perform(operation, context, referrer));
  }
  while (inFlight.size > 0) yield await nextOutcome();
  const outcomes = plan.operations.flatMap((operation) => ended.get(operation) ?? []);
  return { outcomes, counts: countOutcomes(outcomes) };
}

/** Resolves with the first operation to end. Throws a fault of this program once nothing is in flight. */
async function firstOutcome(inFlight: Iterable<Promise<Outcome>>): Promise<Outcome> {
  const promises = [...inFlight];
  try {
    return await Promise.race(promises);
  } catch (error) {
    await Promise.allSettled(promises);
    throw error;
  }
}

/** Outcome of an operation that an earlier run finished. */
function earlierOutcome(operation: Operation, settlement: Settlement | undefined): Outcome | undefined {
  const { status, message = "", after, stored } = settlement ?? {};
  if (status === "done") return { status, operation, earlier: true, ...(stored === undefined ? {} : { stored }) };
  if (status !== "fell_back" && status !== "retained") return undefined;
  return { status, operation, message, ...(after === undefined ? {} : { after }), earlier: true };
}

function pendingApproval(settlement: Settlement | undefined): Approval | undefined {
  const { status, approvalId = "", body = null } = settlement ?? {};
  return status === "pending" ? { id: approvalId, body } : undefined;
}

interface RunState {
  readonly stoppedAt: string | undefined;
  readonly unfinished: ReadonlySet<string>;
  readonly interrupted: boolean;
}

/** Outcome of an operation that must not start; undefined if it may. */
function skippedOutcome(operation: Operation, { stoppedAt, unfinished, interrupted }: RunState): Outcome | undefined {
  if (interrupted) return { status: "skipped", operation, because: "interrupted" };
  if (stoppedAt !== undefined) return { status: "skipped", operation, because: "stopped", after: stoppedAt };
  const after = operation.depends_on.find((id) => unfinished.has(id));
  return after === undefined ? undefined : { status: "skipped", operation, because: "depends", after };
}

/** Whether the service accepted a write and left everything as it was, or chose another slug: what does not depend on it goes on. */
function hadOtherEffect(outcome: Outcome): boolean {
  if (outcome.status !== "failed") return false;
  return outcome.error instanceof IgnoredChange || outcome.error instanceof UnexpectedSlug;
}

/** Whether even `--keep-going` stops here: the service is unreachable, rejects the token, or the outcome is unknown. */
function stopsRun(outcome: Outcome): boolean {
  if (outcome.status !== "failed") return outcome.status === "unknown";
  const { error } = outcome;
  if ([NotAsPlanned, UnexpectedSlug, IgnoredChange].some((kind) => error instanceof kind)) return false;
  const failureClass = classifyFailure(error);
  return (
    (failureClass !== "refused" && failureClass !== "outdated") ||
    (error instanceof ServiceError && error.status === 401)
  );
}

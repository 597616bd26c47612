/** Executes a confirmed plan: applies it, verifies the workspace, and finds the exit code. */

import { type Configuration, isSourced, listAt } from "../../config/resources/configuration.ts";
import { fileOf, locationOf, startOf } from "../../config/resources/origins.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { EXIT, exitCodeOf, Stop } from "../../core/exit-codes.ts";
import type { Fields } from "../../core/json.ts";
import { programLine, type RunWords } from "../../core/sanitise.ts";
import { placeText } from "../../core/value-text.ts";
import type { Operation, Plan } from "../../plan/model/plan.ts";
import { apply } from "../../run/apply/apply.ts";
import { NotApplied, NotAsPlanned, Unchecked } from "../../run/exchange/failure.ts";
import type { Settlement } from "../../run/journal/intent.ts";
import {
  type ApplyEvent,
  type ApplyResult,
  countOutcomes,
  isComplete,
  type Outcome,
} from "../../run/journal/outcome.ts";
import type { RunEnding } from "../../run/journal/record.ts";
import type { Recorder } from "../../run/journal/recorder.ts";
import { classifyFailure } from "../../service/http/retry.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import { eventLog } from "../../view/run/events.ts";
import type { Applied, Verification } from "../../view/run/outcome-view.ts";
import { doubtText, progress } from "../../view/run/progress.ts";
import { outcomeText } from "../../view/run/text.ts";
import type { Console } from "../console/console.ts";
import { explainError } from "../console/error-report.ts";
import { declaredValues } from "../saved-plan/secret-values.ts";
import { changedValues } from "../saved-plan/staleness.ts";
import type { Runs } from "./runs.ts";
import { type RecordedPart, recordStored, verify } from "./verify.ts";
import { verifyRotation } from "./verify-rotation.ts";
import type { WriteRun } from "./write-run.ts";

export interface ExecutedPart extends RecordedPart {
  /** Outcomes of an earlier part of this run. */
  readonly earlier?: readonly Settlement[];
  /** The live rows of the kind of a resource before the run. Default: not known. */
  readonly rowsBefore?: (address: string) => readonly Fields[] | undefined;
  /** The plan as the run began with it. Default: the plan. */
  readonly begun?: Plan;
}

/** Longest wait of an interrupted run for responses, in milliseconds. */
const LAST_WAIT = 5_000;

const INTERRUPTED =
  "interrupted: waiting for requests in flight, and starting no others; interrupt again to end at once";

/** Result of an execution, and its exit code. */
export interface ExecutedRun {
  readonly applied: Applied;
  /** Events as lines of JSON, without the summary. */
  readonly events: readonly string[];
  readonly exit: number;
}

/** Applies the plan and shows its progress. After an interruption, requests in flight end and no others start. */
export async function executePlan(
  plan: Plan,
  { session, runs, choice, sink, keepGoing, stream, io, console }: WriteRun,
  { recorder, configuration, earlier = [], begun = plan, rowsBefore }: ExecutedPart,
): Promise<ExecutedRun> {
  const explain = errorExplainer(configuration);
  const explained = (error: Error, address: string): readonly string[] => [
    ...explain(error, address),
    ...(error instanceof NotAsPlanned ? changedValues(plan, address, error.changed) : []),
  ];
  const log = eventLog(plan, explained, (line) => {
    if (stream) console.print(line);
  });
  /** The operations, by id, whose requests may have been sent. */
  const sent = new Set<string>();
  const ended = new Map<Operation, Outcome>();
  const interrupted = io.interruption(() => {
    const result = abandonedResult(plan.operations, sent, ended);
    const journal = runs.displayPath(recorder.path);
    const left = { plan, result, verification: null, journal, explain: explained, words: session.words };
    console.alert(outcomeText(left, console.noteStyle).trimEnd());
    console.end();
  });
  const clock = io.clock ?? systemClock;
  interrupted.addEventListener("abort", () => console.alert(INTERRUPTED), { once: true });
  const display = progress({
    write: (text) => console.progress(text),
    terminal: console.redraws,
    paint: console.noteStyle.paint,
    width: console.noteStyle.width,
    now: () => clock.now(),
    total: plan.operations.length,
  });
  const report = (event: ApplyEvent): void => {
    if (event.status !== "started") ended.set(event.operation, event);
    display(event);
    log.report(event);
  };
  const events = apply(plan, session.writer, {
    keepGoing,
    secret: declaredValues(configuration),
    interrupted,
    journal: {
      ...recorder,
      intend: (intent) => {
        sent.add(intent.operation.id);
        return recorder.intend(intent);
      },
    },
    now: () => io.now(),
    clock,
    resend: choice === "resend",
    earlier,
    parallelism: session.parallelism,
    words: session.words,
    onDoubt: (doubt) => console.note(doubtText(doubt, explained)),
    ...(rowsBefore === undefined ? {} : { rowsBefore }),
    ...(sink === undefined ? {} : { sink }),
  });
  let ending: RunEnding = "aborted";
  let journal = recorder.path;
  try {
    const followed = await followEvents(events, report, lastWait({ interrupted, clock })).catch((error: unknown) => {
      throw sent.size === 0 ? error : faultStop(error, sent.size, plan, runs.displayPath(recorder.path), session.words);
    });
    const applied = followed ?? abandonedResult(plan.operations, sent, ended);
    log.end(applied.outcomes);
    const isWritten = session.requestCounts().some(({ purpose }) => purpose === "write");
    const { result, verification } =
      interrupted.aborted || (!isComplete(applied) && !(isWritten && plan.rotates !== undefined))
        ? { result: applied, verification: null }
        : plan.rotates === undefined
          ? { result: applied, verification: await verify(plan, applied, session, { configuration, recorder }) }
          : await verifyRotation(applied, { reader: session.reader, journal: recorder, earlier, begun });
    if (verification === null && !interrupted.aborted)
      for (const line of await recordStored(plan, result, session, { configuration, recorder })) console.alert(line);
    const exit = interrupted.aborted ? EXIT.interrupted : exitCodeFor(result, verification);
    ending = interrupted.aborted ? "interrupted" : isComplete(result) ? "finished" : "stopped";
    journal = await closeJournal(recorder, ending, result.counts.unknown > 0, runs, console);
    const displayed = runs.displayPath(journal);
    const run = {
      plan,
      result,
      verification,
      journal: displayed,
      requests: session.requestCounts(),
      otherFiles: otherFilesOf(session.configuration, plan),
      explain: explained,
      words: session.words,
    };
    return { applied: run, events: log.lines, exit };
  } finally {
    if (ending === "aborted") await closeJournal(recorder, ending, true, runs, console);
  }
}

/** The files outside the configuration that make resources which a plan changes. */
function otherFilesOf(configuration: Configuration, { changes }: Plan): readonly string[] {
  if (configuration.sourced === undefined) return [];
  const changed = new Set(changes.map(({ address }) => address));
  const files = configuration.declared.flatMap((resource) => {
    const { address, kind, scope } = resource;
    if (!changed.has(address) || !isSourced(configuration, kind.name, scope)) return [];
    const file = fileOf(resource);
    return file === listAt(configuration, kind.name, scope)?.file ? [] : [file];
  });
  return [...new Set(files)];
}

/** Ends the journal and archives it, unless an outcome is unknown. An error in this must not hide the result of the run. */
async function closeJournal(
  recorder: Recorder,
  ending: RunEnding,
  doubtful: boolean,
  runs: Runs,
  console: Console,
): Promise<string> {
  try {
    await recorder.end(ending);
    return doubtful ? recorder.path : await runs.archive(recorder.path);
  } catch (error) {
    for (const line of explainError(error)) console.alert(line);
    return recorder.path;
  }
}

/** Reports the events and returns the result; undefined if `impatience` resolves before. */
async function followEvents(
  events: AsyncGenerator<ApplyEvent, ApplyResult>,
  report: (event: ApplyEvent) => void,
  impatience: Promise<undefined>,
): Promise<ApplyResult | undefined> {
  for (;;) {
    const step = await Promise.race([events.next(), impatience]);
    if (step === undefined) return undefined;
    if (step.done === true) return step.value;
    report(step.value);
  }
}

/** The end of a command with exit code 4 by a fault of this program after a write. */
function faultStop(error: unknown, sent: number, { operations }: Plan, journal: string, words: RunWords): Stop {
  const reason = explainError(error).join(" ");
  return new Stop(
    EXIT.partial,
    `stopped at operation ${sent} of ${operations.length} by an error of this program: ${reason}\nJournal: ${journal}\nNext: to finish the run, run ${programLine("resume", words)}`,
  );
}

/** Resolves a while after an interruption; never without one. */
function lastWait({ interrupted, clock }: { interrupted: AbortSignal; clock: Clock }): Promise<undefined> {
  return new Promise((resolve) => {
    const wait = (): void => void clock.sleep(LAST_WAIT).then(() => resolve(undefined));
    if (interrupted.aborted) wait();
    else interrupted.addEventListener("abort", wait, { once: true });
  });
}

/** Result of an interrupted run that stops waiting: operations that may have been sent are unknown, the rest was not sent. */
function abandonedResult(
  operations: readonly Operation[],
  sent: ReadonlySet<string>,
  ended: ReadonlyMap<Operation, Outcome>,
): ApplyResult {
  const outcomes = operations.map((operation): Outcome => {
    const outcome = ended.get(operation);
    if (outcome !== undefined) return outcome;
    if (!sent.has(operation.id)) return { status: "skipped", operation, because: "interrupted" };
    return { status: "unknown", operation, error: new Error("the run was interrupted before the response") };
  });
  return { outcomes, counts: countOutcomes(outcomes) };
}

function exitCodeFor(result: ApplyResult, verification: Verification): number {
  if (verification?.status === "unknown_tokens") return EXIT.partial;
  if (isComplete(result)) return verification?.status === "verified" ? EXIT.success : EXIT.partial;
  const { done, fell_back, unknown, pending } = result.counts;
  const failed = result.outcomes.find((outcome) => outcome.status === "failed");
  if (failed === undefined || done + fell_back + unknown + pending > 0) return EXIT.partial;
  // The check before the first write found another state.
  if (failed.error instanceof NotAsPlanned) return EXIT.stale;
  // Sent and certainly not carried out: the same exit code as for a read from an unreachable service.
  if (failed.error instanceof NotApplied) return EXIT.error;
  // Before the first write, a token without the permission or an unreachable service has the exit code of a read.
  const error = failed.error instanceof Unchecked ? failed.error.cause : failed.error;
  const code = exitCodeOf(error);
  const sign = classifyFailure(error);
  return code !== EXIT.error || sign === "unreachable" || sign === "throttled" ? code : EXIT.partial;
}

/** A function for the message of an error about a declared resource: rejected fields have their place in the configuration. */
function errorExplainer(configuration: Configuration): (error: Error, address: string) => readonly string[] {
  const byAddress = new Map(configuration.declared.map((resource) => [resource.address, resource]));
  return (error, address) => {
    const resource = byAddress.get(address);
    if (!(error instanceof ServiceError) || resource === undefined) return explainError(error);
    const [head = "", ...fields] = explainError(error);
    const places = error.errors.map(({ field }) =>
      field === undefined ? startOf(resource) : locationOf(resource.origins, `/${field}`),
    );
    return [head, ...fields.map((line, at) => `${placeText(places[at] ?? startOf(resource))}: ${line}`)];
  };
}

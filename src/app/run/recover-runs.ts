/** Recovers interrupted runs: finds the outcome of every unresolved operation, and records and reports it. */

import { PARALLELISM } from "../../config/settings/request-defaults.ts";
import { systemClock } from "../../core/clock.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { defined, type Fields } from "../../core/json.ts";
import { programLine, type RunWords, sanitised, shellWord } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import { kinds } from "../../kinds/index.ts";
import { hasOneList } from "../../kinds/model/kind.ts";
import { underivedPart } from "../../plan/checks/underived.ts";
import type { Operation, Plan } from "../../plan/model/plan.ts";
import { type RecoverTokenOptions, recoverToken } from "../../run/apply/recover-token.ts";
import { settlementOf } from "../../run/apply/settlement.ts";
import { CreatedResources } from "../../run/exchange/created-resources.ts";
import { TokenNotStored } from "../../run/exchange/failure.ts";
import { manualSteps } from "../../run/exchange/manual-steps.ts";
import { buildRequest } from "../../run/exchange/request.ts";
import { recordedMembers } from "../../run/exchange/response-match.ts";
import { storedOtherwise } from "../../run/exchange/verify-response.ts";
import type { Intent, Settlement } from "../../run/journal/intent.ts";
import { lastSettlements, lastTokenRequests, unresolvedIntents } from "../../run/journal/journal-status.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";
import type { Outcome } from "../../run/journal/outcome.ts";
import { UnreadableJournal } from "../../run/journal/read.ts";
import type { Recorder } from "../../run/journal/recorder.ts";
import { type OnWait, resolveWrite, type WriteResolution, waitUntilSettled } from "../../run/recover/resolve.ts";
import { withPurpose } from "../../service/requests/connection.ts";
import { labelOf } from "../../view/run/progress.ts";
import { type ObserveOptions, observe } from "../../workspace/read/observe.ts";
import { explainError } from "../console/error-report.ts";
import { declaredValues } from "../saved-plan/secret-values.ts";
import { validPlan } from "../saved-plan/valid-plan.ts";
import type { WritingSession } from "../session/session.ts";
import { recordRecovered } from "./verify.ts";
import type { WriteRun } from "./write-run.ts";

/** An operation of an interrupted run, with its outcome. */
interface ResolvedOperation {
  readonly operation: Operation;
  readonly settlement: Settlement;
  /** The outcome is unknown, so nothing else may be written. */
  readonly doubt?: true;
  /** Manual steps, one a line. */
  readonly advice?: readonly string[];
  /** The resource exists; only its token is in doubt. */
  readonly token?: boolean;
  /** The next step requires `--allow-delete`. */
  readonly needsApproval?: true;
}

/** An operation of an interrupted run whose outcome is unknown. */
export interface UnresolvedOperation {
  readonly line: string;
  /** The resource exists; only its token is in doubt, and the line says what to do. */
  readonly token: boolean;
  /** Manual steps, one a line. */
  readonly advice: readonly string[];
  /** The next step requires `--allow-delete`. */
  readonly needsApproval: boolean;
}

/**
 * Resolves the operations of unfinished journals, the oldest first, and archives them. Reads from the service; the only writes revoke
 * or replace lost tokens, with an approval. Ends the command with exit code 4 if an outcome stays unknown, so that nothing is created
 * twice, and with 3 if only approvals are missing.
 */
export async function recoverRuns(left: readonly RecordedRun[], run: WriteRun): Promise<void> {
  const { runs, session, console } = run;
  for (const one of left) {
    if (await isOtherWorkspace(one, session)) {
      console.note(`${runs.displayPath(one.path)} is about another workspace at the same address; it stays unchanged`);
      continue;
    }
    await runs.acquireLock();
    const { recorder, doubts } = await resolveRun(one, run);
    await recorder.end("stopped");
    if (doubts.length > 0)
      throw unresolvedStop(runs.displayPath(one.path), doubts, one.contents.begin.plan, session.words);
    await runs.archive(one.path);
  }
}

/**
 * Resolves one run and returns its journal, open for further records. Throws `UnreadableJournal` before any request if an operation
 * in doubt is not one that its kind gives.
 */
export async function resolveRun(
  left: RecordedRun,
  run: WriteRun,
): Promise<{ readonly recorder: Recorder; readonly doubts: readonly UnresolvedOperation[] }> {
  const { runs, console } = run;
  const open = unresolvedIntents(left.contents);
  await requireDerived(
    left,
    open.map(({ operation }) => operation),
  );
  const summary =
    open.length === 0 ? "no outcome is unknown" : `the outcome of ${counted(open.length, "operation")} is unknown`;
  console.note(`An earlier run was interrupted (${sanitised(runs.displayPath(left.path))}): ${summary}.`);
  const recorder = await runs.resumeJournal(left);
  const created = createdResources(left);
  const prefixes = storedPrefixes(left);
  const tokenRequests = lastTokenRequests(left.contents);
  const doubts: UnresolvedOperation[] = [];
  const recovered: Settlement[] = [];
  for (const intent of open) {
    const tokenRequest = tokenRequests.get(intent.operation.id);
    const effects = { created, prefixes, tokenRequest, isRotation: left.contents.begin.plan.rotates !== undefined };
    const {
      settlement,
      doubt,
      token = false,
      advice = [],
      needsApproval = false,
    } = await resolveIntent(intent, effects, recorder, run);
    if (settlement.created !== undefined) created.set(intent.operation, settlement.created);
    await recorder.settle(settlement);
    recovered.push(settlement);
    const { status, message = STATUS_TEXTS[status] } = settlement;
    const line = `${labelOf(intent.operation)}: ${sanitised(message)}`;
    console.note(`  ${line}`);
    if (doubt === true) doubts.push({ line, token, advice, needsApproval });
  }
  await recordOtherwise(left, recovered, recorder, run);
  return { recorder, doubts };
}

/** Records in the lock what the service stored otherwise than a run sent it, so that no later plan sends it again or makes a second resource. */
async function recordOtherwise(
  { contents }: RecordedRun,
  recovered: readonly Settlement[],
  recorder: Recorder,
  { session }: WriteRun,
): Promise<void> {
  const { plan } = contents.begin;
  if (plan.undoes !== undefined || plan.rotates !== undefined) return;
  const settlements = new Map([...lastSettlements(contents), ...recovered].map((one) => [one.operation, one]));
  const outcomes = plan.operations.map((operation): Outcome => {
    const { status, created, updated, stored } = settlements.get(operation.id) ?? {};
    return status === "done"
      ? { status, operation, ...defined({ created, updated, stored }) }
      : { status: "skipped", operation, because: "interrupted" };
  });
  await recordRecovered(plan, outcomes, session, recorder);
}

/** Throws {@link UnreadableJournal} if one of these operations is not one that its kind gives. */
async function requireDerived({ path, contents }: RecordedRun, operations: readonly Operation[]): Promise<void> {
  const plan = JSON.parse(JSON.stringify({ ...contents.begin.plan, operations }));
  if ((await validPlan(plan)) === undefined) throw new UnreadableJournal(path, "its plan is not one of this program");
  for (const operation of operations) {
    const part = underivedPart(operation, kinds);
    if (part === undefined) continue;
    const name = `${operation.id} (${operation.address})`;
    throw new UnreadableJournal(path, sanitised(`the ${part} of ${name} is not that of its kind`));
  }
}

const STATUS_TEXTS: Readonly<Record<Settlement["status"], string>> = {
  done: "was carried out",
  fell_back: "was carried out",
  retained: "was preserved",
  failed: "was not carried out",
  unknown: "it is unknown whether it was carried out",
  pending: "waits for approval",
  skipped: "was not sent",
};

/** The responses to the creations of a run, and to updates that the service stored otherwise. */
export function createdResources({ contents }: Pick<RecordedRun, "contents">): CreatedResources {
  const operations = new Map(contents.begin.plan.operations.map((operation) => [operation.id, operation]));
  const resources = new CreatedResources();
  for (const { operation: id, created, updated } of lastSettlements(contents)) {
    const operation = operations.get(id);
    if (created !== undefined && operation !== undefined) resources.set(operation, created);
    if (updated !== undefined && operation !== undefined) resources.update(operation, updated);
  }
  return resources;
}

/** Prefixes of the tokens that a run stored in the sink, by operation. */
function storedPrefixes({ contents }: RecordedRun): Map<string, string> {
  return new Map(
    lastSettlements(contents).flatMap(({ operation, prefix }) => (prefix === undefined ? [] : [[operation, prefix]])),
  );
}

/** Effects of an interrupted run, by its journal. */
interface RecordedEffects {
  readonly created: CreatedResources;
  /** Prefixes of the tokens in the sink, by operation. */
  readonly prefixes: Map<string, string>;
  /** The last request for another token of the operation's resource. */
  readonly tokenRequest: Intent | undefined;
  /** The run replaces tokens. */
  readonly isRotation: boolean;
}

async function resolveIntent(
  intent: Intent,
  { created, prefixes, tokenRequest, isRotation }: RecordedEffects,
  journal: Recorder,
  { session, choice, sink, allowDelete, io, console }: WriteRun,
): Promise<ResolvedOperation> {
  const { operation } = intent;
  const leftOut = {
    created,
    secret: declaredValues(session.configuration),
    clock: io.clock ?? systemClock,
  };
  let resolution: WriteResolution;
  try {
    const onWait: OnWait = (milliseconds, isDated) => {
      const seconds = counted(Math.ceil(milliseconds / 1_000), "second");
      const reason = isDated ? "" : "the service's responses have no date; ";
      console.note(`  ${labelOf(operation)}: ${reason}waiting ${seconds} longer, in case it still takes effect`);
    };
    if (tokenRequest !== undefined && !prefixes.has(operation.id)) {
      await waitUntilSettled(tokenRequest, operation, session.reader, { ...leftOut, onWait });
    }
    resolution = await resolveWrite(intent, session.reader, {
      ...leftOut,
      resend: choice === "resend",
      onWait,
    });
    if (
      resolution.status === "applied" &&
      resolution.row !== undefined &&
      operation.reveals !== undefined &&
      choice === "keep" &&
      isRotation
    ) {
      // The old token stays: who has the new one is not known.
      return { operation, settlement: settlementFor(operation, "failed", KEPT_TOKEN) };
    }
    if (
      resolution.status === "applied" &&
      resolution.row !== undefined &&
      operation.reveals !== undefined &&
      choice !== "keep"
    ) {
      if (!allowDelete) return { ...unresolved(operation, LOST_TOKEN, prefixes), needsApproval: true };
      const late: RecoverTokenOptions = {
        ...leftOut,
        journal,
        storedPrefixes: prefixes,
        now: io.now,
        words: session.words,
        ...(sink === undefined ? {} : { sink }),
      };
      return { operation, settlement: await recoverToken(intent, resolution.row, session.writer, late) };
    }
  } catch (error) {
    const why = explainError(error).join(" ");
    return { ...unresolved(operation, why, prefixes), token: error instanceof TokenNotStored };
  }
  switch (resolution.status) {
    case "applied": {
      const { row } = resolution;
      if (operation.method === "PATCH" && operation.fallback === undefined && row !== undefined) {
        const stored = storedOtherwise(buildRequest(operation, leftOut), row);
        return { operation, settlement: settlementOf({ status: "done", operation, updated: row, stored }, prefixes) };
      }
      // A fallback has the id of the deletion that was refused.
      const fellBack = operation.fallback !== undefined && operation.method !== "DELETE";
      const [status, message] = fellBack ? (["fell_back", "it is in use"] as const) : (["done"] as const);
      const created = operation.method === "POST" ? row : undefined;
      return { operation, settlement: settlementFor(operation, status, message, created) };
    }
    case "not_applied":
      return { operation, settlement: settlementFor(operation, "failed", "was not carried out") };
    case "conflict":
      return {
        operation,
        settlement: settlementFor(operation, "failed", `somebody has changed it since: ${resolution.why}`),
      };
    case "unclear": {
      const { candidates, why } = resolution;
      const identities = candidates.map((identity) => JSON.stringify(identity)).join(", ");
      const message = identities === "" ? why : `${why}: ${identities}`;
      // A plan can continue from one resource of its name; with none, one may still appear, and several are too many.
      // If the resource has a token, it is lost, and only the user can decide to go on.
      return candidates.length === 1 && (operation.reveals === undefined || choice === "keep")
        ? { operation, settlement: settlementFor(operation, "failed", message) }
        : {
            ...unresolved(operation, message, prefixes),
            advice: manualSteps(operation, candidates, session.reader.host, session.words),
          };
    }
  }
}

const KEPT_TOKEN = "it was issued, and stays; no sink has stored it, so the old one stays too";

const LOST_TOKEN =
  "it was created, and its token was lost with the response; to end that token requires --allow-delete";

/** An operation that stays unknown. The prefix of a token in the sink stays in its last record. */
function unresolved(operation: Operation, why: string, prefixes: ReadonlyMap<string, string>): ResolvedOperation {
  const prefix = prefixes.get(operation.id);
  const settlement = settlementFor(operation, "unknown", why);
  return { operation, settlement: prefix === undefined ? settlement : { ...settlement, prefix }, doubt: true };
}

function settlementFor(
  operation: Operation,
  status: Settlement["status"],
  message?: string,
  created?: Fields,
): Settlement {
  return {
    operation: operation.id,
    status,
    ...(message === undefined ? {} : { message }),
    ...(created === undefined ? {} : { created: recordedMembers(operation, created) }),
  };
}

/** The end of a command after an interrupted run that is not resolved. */
export function unresolvedStop(
  path: string,
  doubts: readonly UnresolvedOperation[],
  { rotates }: Plan,
  words: RunWords,
): Stop {
  const onlyApprovals = doubts.every(({ needsApproval }) => needsApproval);
  const reason = onlyApprovals
    ? "not applied, nothing was written: an earlier run was interrupted, and its recovery requires an approval"
    : "not applied: an earlier run was interrupted, and the outcome of its operations is unknown";
  // A rotation needs no files, without which there is no apply.
  const command = rotates === undefined ? "apply" : `rotate ${rotates.map(shellWord).join(" ")}`;
  const again = sanitised(programLine(command, words));
  const lines = [
    reason,
    ...doubts.flatMap(({ line, advice }) => [line, ...advice.map((text) => `  ${sanitised(text)}`)]),
    `Journal: ${sanitised(path)}`,
    `Next: ${onlyApprovals ? approval(again, words) : nextStep(doubts, again, words)}`,
  ];
  return new Stop(onlyApprovals ? EXIT.refused : EXIT.partial, lines.join("\n"));
}

function approval(again: string, words: RunWords): string {
  return `if nobody uses the token, run ${again} with --allow-delete; else keep it with ${programLine("resume --resolve keep", words)}`;
}

function nextStep(doubts: readonly UnresolvedOperation[], again: string, words: RunWords): string {
  if (doubts.some(({ advice }) => advice.length > 0)) return "follow the steps above; they end with the command to run";
  return doubts.every(({ token }) => token)
    ? `to try again, remove the cause and run ${again}; or follow the steps above`
    : `to check again, run ${again} two minutes after that run at the earliest; if you know that it was not carried out, run ${programLine("resume --resolve resend", words)}`;
}

/** Whether a journal is about another workspace than this one: none of the ids in it exists here. */
async function isOtherWorkspace({ contents }: RecordedRun, { reader }: WritingSession): Promise<boolean> {
  const { ids } = contents.begin.target;
  const known = kinds.filter((kind) => hasOneList(kind) && (ids[kind.name]?.length ?? 0) > 0);
  // One kind is enough. Kinds that incidents refer to exist in every workspace.
  const kind = known.find(({ references: { countedBy } = {} }) => countedBy !== undefined) ?? known[0];
  if (kind === undefined) return false;
  const observeOptions: ObserveOptions = { parallelism: PARALLELISM };
  const { lists: collections } = await observe(
    withPurpose(reader, "recovery"),
    kinds,
    [{ kind: kind.name, scope: "" }],
    observeOptions,
  );
  const live = collections.flatMap(({ rows }) => rows.map(({ id }) => id));
  return live.length > 0 && !live.some((id) => typeof id === "string" && ids[kind.name]?.includes(id) === true);
}

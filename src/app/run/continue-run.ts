/** Continues an interrupted run. */

import type { Configuration } from "../../config/resources/configuration.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import { canonical, type Fields } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import { programLine, type RunWords, sanitised } from "../../core/sanitise.ts";
import { counted } from "../../core/value-text.ts";
import type { Change, Operation, Plan } from "../../plan/model/plan.ts";
import { CreatedResources } from "../../run/exchange/created-resources.ts";
import { buildRequest, fillCreated, type LateValueSource } from "../../run/exchange/request.ts";
import { afterRefusals } from "../../run/journal/after-refusals.ts";
import type { Settlement } from "../../run/journal/intent.ts";
import { lastSettlements, remainingOperations } from "../../run/journal/journal-status.ts";
import type { RecordedRun } from "../../run/journal/journal-store.ts";
import type { Console } from "../console/console.ts";
import { filterOf, isSamePlan, type SavedPlan } from "../saved-plan/saved-plan.ts";
import { declaredValues } from "../saved-plan/secret-values.ts";
import type { MadePlan } from "../session/make-plan.ts";
import type { PlanRequest, PlanSource } from "../session/session.ts";
import { confirmPlan, type SameCommand } from "./approvals.ts";
import { type ExecutedRun, executePlan } from "./execute.ts";
import { createdResources, resolveRun, unresolvedStop } from "./recover-runs.ts";
import type { WriteRun } from "./write-run.ts";

/** The source that a run is continued from: its plan is made again with the remaining operations in mind. */
export interface ContinuationSource extends Pick<PlanSource, "configuration"> {
  prepare(request: Pick<PlanRequest, "filter" | "identify" | "interrupted" | "refused">): Promise<PlannedRest>;
}

/** A plan that was made again, and the live state that it was made from. */
export type PlannedRest = Pick<MadePlan, "plan" | "state">;

/** Where the plan of a continued run comes from, and the command that continues it. */
export interface ContinuedPlan extends SameCommand {
  /** The source that the plan was made from: the files, the journal of an undone run, or for a rotation the live tokens. */
  readonly sourceOf: (plan: Plan) => Promise<ContinuationSource>;
  /** The user has given the plan in a file, so what it undoes is not known from journals alone. */
  readonly isSaved: boolean;
}

/** The last run, if it has the plan and did not finish it, or was unfinished before it was recovered. */
export async function interruptedRun(
  saved: SavedPlan,
  unfinished: readonly RecordedRun[],
  { runs, console }: WriteRun,
): Promise<RecordedRun | undefined> {
  const last = await runs.latest();
  if (last === undefined) return undefined;
  const wasUnfinished = unfinished.some(({ run }) => run === last.run);
  if (!wasUnfinished && remainingOperations(last.contents).length === 0) return undefined;
  return isSamePlan(saved, last.contents.begin.plan, (text) => console.safe(text)) ? last : undefined;
}

/**
 * Resolves a run and carries out the rest of its plan, if planning again gives the same requests. Stops before the first of them if it
 * does not, or if an approval is missing.
 */
export async function continueRun(left: RecordedRun, run: WriteRun, origin: ContinuedPlan): Promise<ExecutedRun> {
  const { runs, sink, stream, io, console } = run;
  await runs.acquireLock();
  const { recorder, doubts } = await resolveRun(left, run);
  if (doubts.length > 0) {
    await recorder.end("stopped");
    throw unresolvedStop(runs.displayPath(recorder.path), doubts, left.contents.begin.plan, run.session.words);
  }
  let rest: RestOfPlan;
  try {
    rest = await makeRest(await runs.read({ ...left, path: recorder.path }), origin, run.session.words, console);
    await confirmPlan(
      rest.confirmed,
      { ...origin, sink, yes: true, isWhole: stream || console.outputStyle.verbose },
      io,
    );
  } catch (error) {
    await recorder.end("stopped");
    await runs.archive(recorder.path);
    throw error;
  }
  const { plan, configuration, earlier, kept } = rest;
  for (const settlement of kept) await recorder.settle(settlement);
  return executePlan(plan, run, { recorder, configuration, earlier, begun: left.contents.begin.plan });
}

/** The rest of an interrupted plan. */
interface RestOfPlan {
  /** The interrupted plan, with the remaining operations as they were made again. */
  readonly plan: Plan;
  /** The remaining operations alone, and what they are refused for. */
  readonly confirmed: Plan;
  readonly configuration: Configuration;
  /** Outcomes of the other operations. */
  readonly earlier: readonly Settlement[];
  /** Those of them that the journal does not have: removals that are not tried, because another one was refused. */
  readonly kept: readonly Settlement[];
}

/** Makes the rest of a plan again. Ends the command with exit code 5 if it is another one now. */
async function makeRest(
  { run, contents }: RecordedRun,
  { sourceOf, isSaved }: ContinuedPlan,
  words: RunWords,
  console: Console,
): Promise<RestOfPlan> {
  const { plan } = contents.begin;
  const remaining = remainingOperations(contents);
  const open = `${remaining.length} of ${counted(plan.operations.length, "operation")} of run ${sanitised(run)} remain`;
  const stale = (reason: string): Stop =>
    new Stop(EXIT.stale, `${open}, but ${reason}; nothing more was written; plan again`);
  if (plan.undoes !== undefined && !isSaved && remaining.length > 0) {
    const undone = sanitised(plan.undoes);
    throw stale(
      `only its plan file says what it restores: run ${programLine(`undo --run ${undone} --out undo.plan`, words)}, or apply that file again`,
    );
  }
  const source = await sourceOf(plan);
  if (plan.seal.configuration !== source.configuration.digest) throw stale("the configuration has changed since");
  const created = createdResources({ contents });
  const { open: sent, kept, refused } = afterRefusals(contents, remaining);
  const interrupted = sent.map((operation) => fillCreated(operation, created));
  const made = await source.prepare({ filter: filterOf(plan), identify: false, interrupted, refused });
  const { configuration } = source;
  const { operations, missing } = deriveRest(interrupted, made, declaredValues(configuration));
  if (missing.length > 0) {
    throw stale(`the requests for ${sanitised([...new Set(missing)].join(", "))} are others now`);
  }
  const changed = changedSince(plan, interrupted, made, (text) => console.safe(text));
  if (changed.length > 0) throw stale(`somebody has changed ${sanitised(changed.join(", "))} since`);
  console.note(`Continuing: ${open}.`);
  const left = new Set(operations.map(({ id }) => id));
  return {
    plan: { ...plan, operations: [...plan.operations.filter(({ id }) => !left.has(id)), ...operations] },
    confirmed: { ...plan, operations, blocked: blockedFor(operations, made.plan) },
    configuration,
    // What the journal says about responses is not needed: the requests were made from the live state.
    earlier: [...lastSettlements(contents).map(({ created: _created, ...settlement }) => settlement), ...kept],
    kept,
  };
}

/** The operations of an interrupted plan that remain, each made again. */
interface DerivedRest {
  /** The operations that remain, in the order of the new plan, with the ids of the interrupted one. */
  readonly operations: readonly Operation[];
  /** Addresses of the operations that the new plan does not have. */
  readonly missing: readonly string[];
}

/** Makes the remaining operations of an interrupted plan again. */
function deriveRest(rest: readonly Operation[], made: PlannedRest, secret: LateValueSource["secret"]): DerivedRest {
  const source = { secret, created: rowsOrPlaceholders(made, [...rest, ...made.plan.operations]) };
  const idsByRequest = new Map<string, string[]>();
  for (const operation of rest) addTo(idsByRequest, requestText(operation, made, source), operation.id);
  const ids = new Map<string, string>();
  const derived = made.plan.operations.filter((operation) => {
    const id = idsByRequest.get(requestText(operation, made, source))?.shift();
    if (id !== undefined) ids.set(operation.id, id);
    return id !== undefined;
  });
  const found = new Set(ids.values());
  const needed = derived.flatMap((operation) => operation.depends_on).filter((id) => !ids.has(id));
  return {
    operations: derived.map((operation) => ({
      ...operation,
      id: ids.get(operation.id) ?? operation.id,
      depends_on: operation.depends_on.flatMap((id) => ids.get(id) ?? []),
    })),
    missing: [
      ...rest.filter(({ id }) => !found.has(id)),
      ...made.plan.operations.filter(({ id }) => needed.includes(id)),
    ].map(({ address }) => address),
  };
}

/**
 * The resources that are no longer as they were when the plan was made, of those that the run was to update and has not touched: what it
 * would write over them, nobody has seen. Rules are compared by the lists that they stand in.
 */
function changedSince(
  { changes }: Plan,
  rest: readonly Operation[],
  { plan, state }: PlannedRest,
  mask: (text: string) => string,
): readonly string[] {
  const left = new Set(rest.flatMap(({ id, method }) => (method === "PATCH" ? [id] : [])));
  const now = new Map(plan.changes.map((change) => [change.address, change]));
  const isUntouched = ({ action, kind, operations }: Change): boolean =>
    action === "update" &&
    state.kinds.get(kind)?.lifecycle.order !== "rank" &&
    operations.length > 0 &&
    operations.every((id) => left.has(id));
  return changes.filter(isUntouched).flatMap(({ address, fields }) => {
    const before = new Map(now.get(address)?.fields.map((field) => [field.path, field]));
    const isOther = fields.some((field) => {
      const own = before.get(field.path);
      if (own === undefined || own.secret === true || field.secret === true) return false;
      return mask(canonical(own.before)) !== mask(canonical(field.before));
    });
    return isOther ? [address] : [];
  });
}

/** The reasons for which the operations are refused. Those about other resources do not count. */
function blockedFor(operations: readonly Operation[], { blocked }: Plan): Plan["blocked"] {
  const own = new Set(operations.map(({ address }) => address));
  return blocked.filter(({ addresses }) => addresses.length === 0 || addresses.some((address) => own.has(address)));
}

/** The request of an operation as text, with every value that the plan leaves open. */
function requestText(operation: Operation, { state }: PlannedRest, source: LateValueSource): string {
  const { request, body } = buildRequest(operation, source);
  const [kind = "", ...rest] = operation.address.split("/");
  // The number of a rule that is deleted in the end depends on the list that the plan was made from.
  const isRanked = state.kinds.get(kind)?.lifecycle.order === "rank";
  const address = isRanked ? [kind, ...rest.slice(0, -1)].join("/") : operation.address;
  return canonical([operation.method, address, request.path, { ...request.query }, body]);
}

/** The live rows that the operations take values from; while there is none, a row with the same text for each of its fields. */
function rowsOrPlaceholders({ state }: PlannedRest, operations: readonly Operation[]): CreatedResources {
  const rows = new Map<string, Fields>();
  for (const { name } of state.kinds.values()) for (const live of state.all(name)) rows.set(live.address, live.row);
  const created = new CreatedResources();
  for (const { address, fields = [] } of operations.flatMap(({ inserts = [] }) => inserts)) {
    const placeholder = `created ${Buffer.from(address).toString("hex")}`;
    const unknown = Object.fromEntries(fields.map((name) => [name, placeholder]));
    created.set({ id: address, address }, rows.get(address) ?? { ...created.by(address), ...unknown });
  }
  return created;
}

/**
 * Carries out one operation: checks its precondition, records the intent, sends the request, stores the token it reveals, compares
 * the response, and if none came, reads the live state to find the outcome. Only here, errors of the service and the network become
 * outcomes.
 */

import { createHash } from "node:crypto";
import { type Clock, sleepOrAbort } from "../../core/clock.ts";
import type { Fields, Json } from "../../core/json.ts";
import type { RunWords } from "../../core/sanitise.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { ATTEMPTS, classifyFailure, RETRY_RULES, retryDelay } from "../../service/http/retry.ts";
import { type ApiRequest, type ApiResponse, type Writer, withPurpose } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import type { CreatedResources } from "../exchange/created-resources.ts";
import {
  ApprovalMismatch,
  DuplicateRemoved,
  NotApplied,
  NotAsPlanned,
  TokenNotStored,
  Unchecked,
  Unrecorded,
  Unresolved,
  WrongResource,
} from "../exchange/failure.ts";
import { readCurrent } from "../exchange/read-current.ts";
import { buildRequest, type FilledRequest, withKept, withoutValues } from "../exchange/request.ts";
import { isRow } from "../exchange/row-match.ts";
import { splitResponse, storedOtherwise, verifySlug } from "../exchange/verify-response.ts";
import { type Intent, type Journal, recordedRows } from "../journal/intent.ts";
import { type Doubt, type Outcome, type Refusal, referrerStays, type StoredFields } from "../journal/outcome.ts";
import { type DuplicateOptions, resolveDuplicate } from "../recover/duplicate-create.ts";
import { verifyNew, verifyOwnResponse } from "../recover/own-creation.ts";
import { resolveWrite, type WriteResolution } from "../recover/resolve.ts";
import { reissueLost, removeCreated, storeToken, type TokenRecovery } from "../tokens/one-time-tokens.ts";
import type { TokenSink } from "../tokens/sink.ts";
import type { ExpectedLists } from "./appends.ts";
import { type CheckResult, checkPrecondition } from "./check.ts";
import { failureOutcome, settlementOf } from "./settlement.ts";

/** State and tools that the operations of a run share. */
export interface RunContext {
  readonly writer: Writer;
  readonly sink: TokenSink;
  readonly secret: (address: string, pointer: string, pin?: string) => Json | undefined;
  /** Responses to the creations of this run. */
  readonly created: CreatedResources;
  /** The rows that lists must have before this run appends to them; absent where nothing is appended. */
  readonly lists?: ExpectedLists;
  /** The rows of the kind of a resource before the run. Default: not known. */
  readonly rowsBefore?: (address: string) => readonly Fields[] | undefined;
  /** Prefixes of the tokens that take the place of what an operation ends. */
  readonly successorsOf: (operation: Operation) => readonly string[];
  /** Prefixes of the tokens in the sink, by operation. */
  readonly storedPrefixes: Map<string, string>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly interrupted: AbortSignal;
  readonly resend: boolean;
  readonly words: RunWords;
  /** Returns the approval that an operation waits for. */
  readonly pendingApproval: (id: string) => Approval | undefined;
  /** Called before the live state is read for the outcome of a write, and before the write is sent again. */
  readonly onDoubt?: (doubt: Doubt) => void;
}

/** An approval that the service required. */
export interface Approval {
  readonly id: string;
  /** SHA-256 of the request's body without its secrets. */
  readonly body: string | null;
}

/**
 * Carries out one operation and records its outcome. `referrer` is the refused deletion of a resource that stays and references this one,
 * so that the service is not asked to remove it. Throws only faults of this program.
 */
export async function perform(operation: Operation, context: RunContext, referrer?: Operation): Promise<Outcome> {
  const outcome = await execute(operation, context, referrer);
  try {
    await context.journal.settle(settlementOf(outcome, context.storedPrefixes));
    return outcome;
  } catch (error) {
    return { status: "unknown", operation, error: new Unrecorded(operation.address, "after", error as Error) };
  }
}

async function execute(operation: Operation, context: RunContext, referrer?: Operation): Promise<Outcome> {
  const refusal = referrer && { operation, message: referrerStays(referrer), after: referrer.id };
  const kept = refusal && (await keepInstead(refusal, context));
  if (kept !== undefined) return kept;
  try {
    const { gone, stored } = await sendUntilKnown(operation, context);
    if (gone === true) return { status: "done", operation, gone };
    const created = operation.method === "POST" ? context.created.by(operation.id) : undefined;
    const updated = operation.method === "PATCH" ? context.created.updated(operation) : undefined;
    return {
      status: "done",
      operation,
      ...(created === undefined ? {} : { created }),
      ...(stored === undefined ? {} : { stored, ...(updated === undefined ? {} : { updated }) }),
    };
  } catch (error) {
    if (!(error instanceof ServiceError) || classifyFailure(error) !== "refused" || error.status !== 422)
      return failureOutcome(operation, error, () => digest(operation, context));
    return (
      (await keepInstead({ operation, message: error.message }, context)) ??
      failureOutcome(operation, error, () => digest(operation, context))
    );
  }
}

/** Keeps what a removal would remove: disabled, or as it is. Undefined if the plan allows neither. */
async function keepInstead(refusal: Refusal, context: RunContext): Promise<Outcome | undefined> {
  const { operation } = refusal;
  const { fallback, retains } = operation;
  if (fallback === undefined) return retains === undefined ? undefined : { status: "retained", ...refusal };
  const alternative = { ...operation, ...fallback };
  try {
    await sendUntilKnown(alternative, context, "fallback");
    return { status: "fell_back", ...refusal };
  } catch (error) {
    return failureOutcome(operation, error, () => digest(alternative, context));
  }
}

/** Result of a request that was carried out. */
interface SendResult {
  /** Absent if only the live state shows that it was carried out. */
  readonly response?: ApiResponse;
  /** There was nothing left to delete. */
  readonly gone?: true;
  /** Absent if the response is not that of the operation, or shows all as sent. */
  readonly stored?: StoredFields;
}

/**
 * Sends a request, and sends it again only if it was certainly not carried out, or if the service would refuse a second one. Throws the error
 * of the last attempt; {@link Unresolved} if an earlier attempt may still create a resource whose token nobody would have. With the
 * purpose `custody`, the request is not in the plan, and its response does not describe the operation's resource.
 */
async function sendUntilKnown(
  operation: Operation,
  context: RunContext,
  purpose: Attempts["purpose"] = "write",
  serviceDate?: Date,
): Promise<SendResult> {
  const attempts: Attempts = { purpose, serviceDate, earlier: undefined, mayArrive: false };
  try {
    return await sendAttempts(operation, context, attempts);
  } catch (error) {
    const isUnknown = error instanceof Unresolved || (error instanceof TokenNotStored && !error.isRevoked);
    if (isUnknown || !attempts.mayArrive || operation.reveals === undefined || !(error instanceof Error)) throw error;
    throw new Unresolved(operation.address, error, "an earlier attempt may still take effect");
  }
}

/** The attempts at a request. */
interface Attempts {
  readonly purpose: "write" | "fallback" | "custody";
  /** Time by the service's clock, for a request without a check. */
  readonly serviceDate: Date | undefined;
  /** The last attempt whose outcome was in doubt, and its error. */
  earlier: { readonly intent: Intent; readonly error: Error } | undefined;
  /** An attempt that had no visible effect may still take effect. */
  mayArrive: boolean;
}

async function sendAttempts(operation: Operation, context: RunContext, attempts: Attempts): Promise<SendResult> {
  const { purpose, serviceDate } = attempts;
  const { writer, clock, now, interrupted, lists, onDoubt } = context;
  const planned = buildRequest(operation, context);
  const apiRequest = withApproval(operation, planned, context);
  const aside = purpose === "custody";
  const checked = {
    list: aside ? undefined : lists?.before(operation),
    successors: aside ? [] : context.successorsOf(operation),
    written: (row: Fields) => context.created.written(row),
    clock,
  };
  for (let attempt = 1; ; attempt++) {
    let check: CheckResult;
    try {
      check = await checkPrecondition(writer, operation, planned, checked);
    } catch (error) {
      if (await arrivedLate(error, attempts, context)) return {};
      continue;
    }
    const { before, date = serviceDate, gone } = check;
    if (gone === true) return attempts.earlier === undefined ? { gone } : {};
    const filled = withKept(planned, operation, check.row);
    const at = (date ?? now()).toISOString();
    const time = { at, ...(date === undefined ? { ownClock: true as const } : {}), ...(aside ? { aside } : {}) };
    const intent: Intent = { operation, attempt, body: digest(operation, context), before, ...time };
    await recordIntent(intent, context);
    const request = { ...apiRequest, purpose: attempt === 1 ? purpose : "retry" } as const;
    try {
      const sending = writer.send(operation.method, request, filled.body, async () => {
        await checkPrecondition(writer, operation, filled, checked);
      });
      const response = await sending.catch((error: unknown) => {
        throw withoutValues(error, operation);
      });
      if (operation.method === "DELETE" || aside) return { response };
      const stored = storedOtherwise(filled, await acceptResponse(operation, filled, check, response, context));
      return Object.keys(stored).length === 0 ? { response } : { response, stored };
    } catch (error) {
      if (!isInDoubt(operation, error, attempt)) {
        if (await arrivedLate(error, attempts, context)) return {};
        continue;
      }
      attempts.earlier = { intent, error };
      onDoubt?.({ operation, error });
      const resolution = await resolveDoubt(intent, error, context);
      if (resolution.status === "not_applied" && resolution.mayArrive === true) attempts.mayArrive = true;
      if (resolution.status === "applied") {
        if (await adoptRow(intent, resolution.row, context)) return isNotFound(error) ? { gone: true } : {};
      }
      // The live state confirms the refusal: a duplicate name, or nothing to delete.
      else if (error instanceof ServiceError && RETRY_RULES[classifyFailure(error) ?? "refused"].applied === "no")
        throw error;
      const wait = retryDelay(error, attempt, Math.random());
      if (attempt >= ATTEMPTS.write || wait === undefined || interrupted.aborted) {
        throw new NotApplied(operation.address, error, attempt);
      }
      await sleepOrAbort(clock, wait, interrupted);
      if (interrupted.aborted) throw new NotApplied(operation.address, error, attempt);
      onDoubt?.({ operation, error, nextAttempt: attempt + 1 });
    }
  }
}

/**
 * Whether a check before another attempt failed because the earlier attempt took effect after all: what exists then is ours. False if
 * its token was lost, so that the resource was removed again. Throws the error of the check if it has another reason.
 */
async function arrivedLate(error: unknown, { earlier }: Attempts, context: RunContext): Promise<boolean> {
  if (!(error instanceof NotAsPlanned) || earlier === undefined) throw error;
  const resolution = await resolveDoubt(earlier.intent, earlier.error, context);
  if (resolution.status !== "applied") throw error;
  return adoptRow(earlier.intent, resolution.row, context);
}

/** Adds the approval that the request waited for. An approval holds for one body. */
function withApproval(operation: Operation, { request }: FilledRequest, context: RunContext): ApiRequest {
  const { id, address } = operation;
  const approval = context.pendingApproval(id);
  if (approval === undefined) return request;
  if (approval.body !== digest(operation, context)) throw new ApprovalMismatch(address, approval.id);
  return { ...request, approval: approval.id };
}

/** Whether the request may have been carried out in spite of this error. */
function isInDoubt({ method }: Operation, error: unknown, attempt: number): error is Error {
  if (error instanceof WrongResource) return true;
  const failureClass = classifyFailure(error);
  if (failureClass !== undefined && RETRY_RULES[failureClass].write === "resolve") return true;
  if (!(error instanceof ServiceError)) return false;
  // An earlier attempt may have arrived late, so that the service refuses this one as a duplicate.
  if (method === "POST") return attempt > 1 && error.status === 422;
  return method === "DELETE" && error.status === 404;
}

async function resolveDoubt(
  intent: Intent,
  error: Error,
  context: RunContext,
): Promise<Extract<WriteResolution, { readonly status: "applied" | "not_applied" }>> {
  const { operation } = intent;
  // Without a precondition there is nothing to read, and a removal that finds nothing has its effect.
  if (operation.guard === undefined && isNotFound(error)) return { status: "applied" };
  let resolution: WriteResolution;
  try {
    resolution = await resolveWrite(intent, context.writer, context);
  } catch (readError) {
    if (!(readError instanceof Unchecked)) throw readError;
    throw new Unresolved(operation.address, error, readError.message);
  }
  if (resolution.status === "conflict") throw new Unresolved(operation.address, error, resolution.why);
  if (resolution.status === "unclear") {
    throw new Unresolved(operation.address, error, resolution.why, resolution.candidates);
  }
  return resolution;
}

/** Takes the row in the live state for the response. False if its token was lost, so that the resource was removed again. */
async function adoptRow(intent: Intent, row: Fields | undefined, context: RunContext): Promise<boolean> {
  const { operation } = intent;
  const { method, reveals } = operation;
  if (method !== "POST" || row === undefined) return true;
  if (reveals !== undefined) {
    const prefix = await reissueLost(intent, row, tokenRecoveryFor(operation, context));
    if (prefix === undefined) return false;
    context.storedPrefixes.set(operation.id, prefix);
  }
  context.created.set(operation, row);
  verifySlug(operation, row);
  return true;
}

/** Returns the tools to recover the token of an operation. */
export function tokenRecoveryFor(operation: Operation, context: RunContext): TokenRecovery {
  const { writer, sink, storedPrefixes, clock, interrupted, words } = context;
  const filled = buildRequest(operation, context);
  const { guard } = filled;
  let serviceDate: Date | undefined;
  return {
    sink: {
      probe: () => sink.probe(),
      store: async (issued) => {
        await sink.store(issued);
        storedPrefixes.set(operation.id, issued.prefix);
      },
    },
    storedPrefix: storedPrefixes.get(operation.id),
    host: writer.host,
    words,
    sleep: async (milliseconds) => {
      await sleepOrAbort(clock, milliseconds, interrupted);
      return !interrupted.aborted;
    },
    write: async (request) => (await sendUntilKnown(request, context, "custody", serviceDate)).response,
    readRow: async (identity) => {
      if (guard === undefined || Object.keys(identity).length === 0) return undefined;
      // Counted as a read to learn the outcome; `custody` counts writes only.
      const reader = withPurpose(writer, "resolution");
      const { rows, date } = await readCurrent(reader, operation.address, filled, guard);
      serviceDate = date;
      return rows.find((row) => isRow(row, identity));
    },
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.isFromService && error.status === 404;
}

async function recordIntent(intent: Intent, { journal }: RunContext): Promise<void> {
  try {
    await journal.intend({ ...intent, before: recordedRows(intent) });
  } catch (error) {
    throw new Unrecorded(intent.operation.address, "before", error as Error);
  }
}

/** SHA-256 of the body of an operation's request, without its secrets: the hash of a short one could be guessed. */
function digest(operation: Operation, context: RunContext): string | null {
  const { body } = buildRequest(operation, { ...context, secret: () => null });
  return body === null ? null : createHash("sha256").update(JSON.stringify(body)).digest("hex");
}

/**
 * Stores the token of the new resource, then verifies the rest of the response: the token must be safe whatever else is wrong. Returns the
 * resource in it.
 */
async function acceptResponse(
  operation: Operation,
  filled: FilledRequest,
  { before, listed }: CheckResult,
  response: ApiResponse,
  context: RunContext,
): Promise<Fields> {
  const parts = splitResponse(operation, response, filled.guard);
  const { token, member } = parts;
  const options = duplicateOptions(operation, filled, context);
  const known = listed ?? context.rowsBefore?.(operation.address);
  const rows = { ...options, listed: known, others: () => context.created.others(operation) };
  await verifyNew(operation, filled, parts, before, rows);
  if (operation.reveals !== undefined) {
    context.storedPrefixes.set(
      operation.id,
      await storeToken(operation, token, member, tokenRecoveryFor(operation, context)),
    );
  }
  if (operation.method === "POST") context.created.set(operation, member);
  else context.created.update(operation, member);
  await verifyOwnResponse(operation, filled, member, before, rows);
  const remaining = await resolveDuplicate(operation, filled, member, before, options);
  if (remaining === member) return member;
  if (operation.reveals !== undefined) throw new DuplicateRemoved(operation.address);
  context.created.set(operation, remaining);
  return remaining;
}

function duplicateOptions(operation: Operation, filled: FilledRequest, context: RunContext): DuplicateOptions {
  const { writer, clock } = context;
  const recovery = tokenRecoveryFor(operation, context);
  const { guard } = filled;
  return {
    clock,
    read: async () =>
      guard === undefined
        ? []
        : (await readCurrent(withPurpose(writer, "twin"), operation.address, filled, guard)).rows,
    remove: (row) => removeCreated(operation, row, "somebody created the same at the same time", recovery),
  };
}

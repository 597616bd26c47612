/**
 * One operation from look to outcome: check what it relies on, write down that it is sent, send it, keep the token it reveals,
 * compare what it was answered, and where no answer came, find out. An error of the service or the network becomes an outcome
 * here and nowhere else.
 */

import { createHash } from "node:crypto";
import { type Answer, type Ask, readingFor, type Writer } from "../../api/http/connection.ts";
import { ATTEMPTS, RULES, signOf, waitBefore } from "../../api/http/retry.ts";
import { ApprovalPending, ServiceError } from "../../api/read/service-error.ts";
import type { Clock } from "../../core/clock.ts";
import type { Fields, Json } from "../../core/json.ts";
import type { Operation } from "../../plan/plan.ts";
import { type Looking, settleTwins } from "../recover/duplicate-create.ts";
import { type Resolution, resolve } from "../recover/resolve.ts";
import { type Keeper, keep, replaceLost, takeAway } from "../tokens/one-time-tokens.ts";
import type { TokenSink } from "../tokens/sink.ts";
import { check } from "./check.ts";
import {
  Forestalled,
  isOurs,
  NotApplied,
  NotApproved,
  TokenNotKept,
  Unchecked,
  Unrecorded,
  Unresolved,
  WrongEntry,
} from "./failure.ts";
import type { Intent, Journal, Settlement } from "./journal.ts";
import type { Outcome } from "./outcome.ts";
import { pause } from "./pause.ts";
import { isRow, look } from "./read-current.ts";
import { type Filled, requestOf } from "./request.ts";
import { expectSlug, readBack, receivedFrom } from "./verify-response.ts";

/** What operations need of each other and of their surroundings. */
export interface Surroundings {
  readonly writer: Writer;
  readonly sink: TokenSink;
  readonly secret: (address: string, pointer: string) => Json | undefined;
  /** Answers to the creations of this run, by address; without the tokens. */
  readonly created: Map<string, Fields>;
  /** Prefixes of the tokens that are in the sink now, by operation. */
  readonly kept: Map<string, string>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly interrupted: AbortSignal;
  readonly resend: boolean;
  /** The approval that an operation has been waiting for. */
  readonly pending: (id: string) => Approval | undefined;
}

/** What was asked to be approved. */
export interface Approval {
  readonly id: string;
  /** SHA-256 of the body that it is for. */
  readonly body: string | null;
}

/** Carries one operation out and writes down how it ended. Throws only what is a fault of this program. */
export async function perform(operation: Operation, surroundings: Surroundings): Promise<Outcome> {
  const outcome = await carryOut(operation, surroundings);
  try {
    await surroundings.journal.settle(settlementOf(outcome, surroundings));
    return outcome;
  } catch (error) {
    return { status: "unknown", operation, error: new Unrecorded(operation.address, "after", error as Error) };
  }
}

function settlementOf(outcome: Outcome, { created, kept }: Surroundings): Settlement {
  const { status, operation } = outcome;
  const answer = operation.method === "POST" && status === "done" ? created.get(operation.address) : undefined;
  const prefix = status === "done" || status === "unknown" ? kept.get(operation.id) : undefined;
  const message = "error" in outcome ? outcome.error.message : "message" in outcome ? outcome.message : undefined;
  return {
    operation: operation.id,
    status,
    ...(answer === undefined ? {} : { created: answer }),
    ...(prefix === undefined ? {} : { prefix }),
    ...(outcome.status === "pending" ? { approvalId: outcome.approvalId, body: outcome.body } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

async function carryOut(operation: Operation, surroundings: Surroundings): Promise<Outcome> {
  const { fallback, retains } = operation;
  try {
    const { gone } = await send(operation, surroundings);
    return gone === true ? { status: "done", operation, gone: true } : { status: "done", operation };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 422) return judged(operation, error, surroundings);
    if (fallback !== undefined) return fallBack(operation, { ...operation, ...fallback }, surroundings, error.message);
    if (retains !== undefined) return { status: "retained", operation, message: error.message };
    return judged(operation, error, surroundings);
  }
}

async function fallBack(
  operation: Operation,
  alternative: Operation,
  surroundings: Surroundings,
  message: string,
): Promise<Outcome> {
  try {
    await send(alternative, surroundings, "fallback");
    return { status: "fell_back", operation, message };
  } catch (error) {
    return judged(operation, error, surroundings, alternative);
  }
}

/** What sending ended with. */
interface Sent {
  /** Absent when what was done is known from looking. */
  readonly answer?: Answer;
  /** There was nothing left to delete. */
  readonly gone?: true;
}

/**
 * Sends until it is known to be done: again only after it is known that it was not. Throws why it is not done.
 * A request beside the plan, for custody, says nothing of the entry that the operation makes.
 */
async function send(
  operation: Operation,
  surroundings: Surroundings,
  purpose: "write" | "fallback" | "custody" = "write",
): Promise<Sent> {
  const { writer, clock, now, interrupted } = surroundings;
  const filled = requestOf(operation, leftOut(surroundings));
  const { body } = filled;
  const ask = approved(operation, filled, surroundings);
  const aside = purpose === "custody";
  for (let attempt = 1; ; attempt++) {
    const { before, date, gone } = await check(writer, operation, filled);
    if (gone === true) return { gone };
    const at = (date ?? now()).toISOString();
    const told = { at, ...(date === undefined ? { ownClock: true as const } : {}), ...(aside ? { aside } : {}) };
    const intent: Intent = { operation, attempt, body: digest(body), before, ...told };
    await written(intent, surroundings);
    const asking = { ...ask, purpose: attempt === 1 ? purpose : "retry" } as const;
    try {
      const answer = await writer.send(operation.method, asking, body, async () => {
        await check(writer, operation, filled);
      });
      if (operation.method !== "DELETE" && !aside) await receive(operation, filled, before, answer, surroundings);
      return { answer };
    } catch (error) {
      if (!isInDoubt(operation, error, attempt)) throw error;
      const resolution = await resolved(intent, error, surroundings);
      if (resolution.status === "applied") {
        if (await isAdopted(intent, resolution.row, surroundings)) return isGone(error) ? { gone: true } : {};
      }
      // A refusal, of a second creation or of what is gone, that looking confirms.
      else if (error instanceof ServiceError && RULES[signOf(error) ?? "refused"].applied === "no") throw error;
      const wait = waitBefore(error, attempt, Math.random());
      if (attempt === ATTEMPTS.write || wait === undefined || interrupted.aborted) {
        throw new NotApplied(operation.address, error, attempt);
      }
      await pause(clock, wait, interrupted);
      if (interrupted.aborted) throw new NotApplied(operation.address, error, attempt);
    }
  }
}

/** The request, with the approval that it has been waiting for: that is bound to the bytes of the body. */
function approved({ id, address }: Operation, { ask, body }: Filled, { pending }: Surroundings): Ask {
  const approval = pending(id);
  if (approval === undefined) return ask;
  if (approval.body !== digest(body)) throw new NotApproved(address, approval.id);
  return { ...ask, approval: approval.id };
}

/** Whether the request may have been carried out although this was its answer. */
function isInDoubt({ method }: Operation, error: unknown, attempt: number): error is Error {
  if (error instanceof WrongEntry) return true;
  const sign = signOf(error);
  if (sign !== undefined && RULES[sign].write === "resolve") return true;
  if (!(error instanceof ServiceError)) return false;
  // What was sent before may have arrived late, and its second copy is refused because of the first.
  if (method === "POST") return attempt > 1 && error.status === 422;
  return method === "DELETE" && error.status === 404;
}

async function resolved(
  intent: Intent,
  error: Error,
  surroundings: Surroundings,
): Promise<Extract<Resolution, { readonly status: "applied" | "not_applied" }>> {
  const { writer, clock, resend, interrupted } = surroundings;
  const { operation } = intent;
  // Nothing tells where to look, and a removal of what is not there is what was wanted.
  if (operation.guard === undefined && isGone(error)) return { status: "applied" };
  let resolution: Resolution;
  try {
    resolution = await resolve(intent, writer, { ...leftOut(surroundings), clock, resend, interrupted });
  } catch (thrown) {
    if (!(thrown instanceof Unchecked)) throw thrown;
    throw new Unresolved(operation.address, error, thrown.message);
  }
  if (resolution.status === "conflict") throw new Unresolved(operation.address, error, resolution.why);
  if (resolution.status === "unclear") {
    throw new Unresolved(operation.address, error, resolution.why, resolution.candidates);
  }
  return resolution;
}

/** Goes on with what looking has found, as if it had been the answer; false when it had to go again for its lost token. */
async function isAdopted(intent: Intent, row: Fields | undefined, surroundings: Surroundings): Promise<boolean> {
  const { operation } = intent;
  const { method, address, reveals } = operation;
  if (method !== "POST" || row === undefined) return true;
  if (reveals !== undefined) {
    const prefix = await replaceLost(intent, row, keeperFor(operation, surroundings));
    if (prefix === undefined) return false;
    surroundings.kept.set(operation.id, prefix);
  }
  surroundings.created.set(address, row);
  expectSlug(operation, row);
  return true;
}

/** Custody for the token of an operation. */
export function keeperFor(operation: Operation, surroundings: Surroundings): Keeper {
  const { writer, sink, kept } = surroundings;
  const filled = requestOf(operation, leftOut(surroundings));
  return {
    sink: {
      probe: () => sink.probe(),
      keep: async (issued) => {
        await sink.keep(issued);
        kept.set(operation.id, issued.prefix);
      },
    },
    kept: kept.get(operation.id),
    host: writer.host,
    write: async (request) => (await send(request, surroundings, "custody")).answer,
    look: async (identity) => {
      const { guard } = filled;
      if (guard === undefined || Object.keys(identity).length === 0) return undefined;
      // A look only: what is for custody is known to have written.
      const looking = readingFor(writer, "resolution");
      return (await look(looking, operation.address, filled, guard)).rows.find((row) => isRow(row, identity));
    },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

function leftOut({ created, secret }: Surroundings): Parameters<typeof requestOf>[1] {
  return { created: (address) => created.get(address), secret };
}

async function written(intent: Intent, { journal }: Surroundings): Promise<void> {
  try {
    await journal.intend(intent);
  } catch (error) {
    throw new Unrecorded(intent.operation.address, "before", error as Error);
  }
}

/** SHA-256 of the bytes that are sent. */
function digest(body: Fields | null): string | null {
  return body === null ? null : createHash("sha256").update(JSON.stringify(body)).digest("hex");
}

/** Custody comes first: a token must be safe whatever else is wrong with the answer. */
async function receive(
  operation: Operation,
  filled: Filled,
  before: readonly Fields[] | null,
  answer: Answer,
  surroundings: Surroundings,
): Promise<void> {
  const { token, member } = receivedFrom(operation, answer);
  if (operation.reveals !== undefined) {
    surroundings.kept.set(operation.id, await keep(operation, token, member, keeperFor(operation, surroundings)));
  }
  if (operation.method === "POST") surroundings.created.set(operation.address, member);
  readBack(operation, filled, member, before);
  const stays = await settleTwins(operation, filled, member, before, lookingFor(operation, filled, surroundings));
  if (stays === member) return;
  if (operation.reveals !== undefined) throw new Forestalled(operation.address);
  surroundings.created.set(operation.address, stays);
}

function lookingFor(operation: Operation, filled: Filled, surroundings: Surroundings): Looking {
  const { writer, clock } = surroundings;
  const { guard } = filled;
  const keeper = keeperFor(operation, surroundings);
  return {
    clock,
    look: async () =>
      guard === undefined ? [] : (await look(readingFor(writer, "twin"), operation.address, filled, guard)).rows,
    remove: (own) => takeAway(operation, own, "somebody made the same at the same time", keeper),
  };
}

/** The outcome of an operation that an error ended. */
function judged(operation: Operation, error: unknown, surroundings: Surroundings, sent = operation): Outcome {
  if (error instanceof ApprovalPending) {
    const { approvalId, message } = error;
    return {
      status: "pending",
      operation,
      approvalId,
      message,
      body: digest(requestOf(sent, leftOut(surroundings)).body),
    };
  }
  if (error instanceof Unresolved || (error instanceof TokenNotKept && !error.ended)) {
    return { status: "unknown", operation, error };
  }
  const sign = signOf(error);
  if (sign !== undefined && error instanceof Error) {
    return { status: RULES[sign].applied === "unknown" ? "unknown" : "failed", operation, error };
  }
  if (isOurs(error)) return { status: "failed", operation, error };
  throw error;
}

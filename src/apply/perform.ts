/**
 * One operation from look to outcome: check what it relies on, send it once, keep the token it reveals, compare what it
 * was answered. An error of the service or the network becomes an outcome here and nowhere else.
 */

import { createHash } from "node:crypto";
import type { Answer, Writer } from "../api/connection.ts";
import { memberOf } from "../api/envelope.ts";
import { RULES, signOf } from "../api/retry.ts";
import { ApprovalPending, ServiceError } from "../api/service-error.ts";
import type { Fields, Json } from "../json.ts";
import type { Operation } from "../plan/plan.ts";
import { MissingValue, NotAsPlanned, TokenNotKept, Unchecked, UnexpectedSlug, Unrecorded } from "./failure.ts";
import { checkGuard } from "./guard.ts";
import type { Intent, Journal, Settlement } from "./journal.ts";
import type { Outcome } from "./outcome.ts";
import { requestOf } from "./request.ts";
import { PREFIX_LENGTH, type TokenSink, UnusableSink } from "./token-sink.ts";

/** What operations need of each other and of their surroundings. */
export interface Surroundings {
  readonly writer: Writer;
  readonly sink: TokenSink;
  readonly secret: (address: string, pointer: string) => Json | undefined;
  /** Answers to the creations of this run, by address; without the tokens. */
  readonly created: Map<string, Fields>;
  readonly journal: Journal;
  readonly now: () => Date;
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

function settlementOf(outcome: Outcome, { created }: Surroundings): Settlement {
  const { status, operation } = outcome;
  const answer = operation.method === "POST" && status === "done" ? created.get(operation.address) : undefined;
  const message = "error" in outcome ? outcome.error.message : "message" in outcome ? outcome.message : undefined;
  return {
    operation: operation.id,
    status,
    ...(answer === undefined ? {} : { created: answer }),
    ...(outcome.status === "pending" ? { approvalId: outcome.approvalId } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

async function carryOut(operation: Operation, surroundings: Surroundings): Promise<Outcome> {
  try {
    await send(operation, surroundings);
    return { status: "done", operation };
  } catch (error) {
    const { fallback, retains, method } = operation;
    if (!(error instanceof ServiceError)) return judged(operation, error);
    if (error.status === 404 && method === "DELETE") return { status: "done", operation, gone: true };
    if (error.status !== 422) return judged(operation, error);
    if (fallback !== undefined) return fallBack(operation, { ...operation, ...fallback }, surroundings, error.message);
    if (retains !== undefined) return { status: "retained", operation, message: error.message };
    return judged(operation, error);
  }
}

async function fallBack(
  operation: Operation,
  alternative: Operation,
  surroundings: Surroundings,
  message: string,
): Promise<Outcome> {
  try {
    await send(alternative, surroundings);
    return { status: "fell_back", operation, message };
  } catch (error) {
    return judged(operation, error);
  }
}

async function send(operation: Operation, surroundings: Surroundings): Promise<void> {
  const { writer, created, secret } = surroundings;
  const { ask, body } = requestOf(operation, { created: (address) => created.get(address), secret });
  const { before, date } = await checkGuard(writer, operation);
  const at = (date ?? surroundings.now()).toISOString();
  await written({ operation, attempt: 1, body: digest(body), before, at }, surroundings);
  const answer = await writer.send(operation.method, ask, body, async () => {
    await checkGuard(writer, operation);
  });
  if (operation.method !== "DELETE") await receive(operation, answer, surroundings);
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
async function receive(operation: Operation, answer: Answer, { sink, created }: Surroundings): Promise<void> {
  const { reveals = "", address, item, expects, method } = operation;
  const { [reveals]: token, ...member } = memberOf(answer.body, item);
  if (reveals !== "") await keep(sink, address, token);
  if (method === "POST") created.set(address, member);
  if (expects !== undefined && member.slug !== expects.slug) {
    throw new UnexpectedSlug(address, expects.slug, typeof member.slug === "string" ? member.slug : undefined);
  }
}

async function keep(sink: TokenSink, address: string, token: Json | undefined): Promise<void> {
  if (typeof token !== "string" || token === "") throw new TokenNotKept(address, undefined, "the answer held none");
  const prefix = token.slice(0, PREFIX_LENGTH);
  try {
    await sink.keep({ address, prefix, token });
  } catch (error) {
    throw new TokenNotKept(address, prefix, error instanceof UnusableSink ? error.message : "the sink failed");
  }
}

/** The outcome of an operation that an error ended. */
function judged(operation: Operation, error: unknown): Outcome {
  if (error instanceof ApprovalPending) {
    return { status: "pending", operation, approvalId: error.approvalId, message: error.message };
  }
  const sign = signOf(error);
  if (sign !== undefined && error instanceof Error) {
    return { status: RULES[sign].applied === "unknown" ? "unknown" : "failed", operation, error };
  }
  if (isOurs(error)) return { status: "failed", operation, error };
  throw error;
}

function isOurs(error: unknown): error is Error {
  return [NotAsPlanned, Unchecked, MissingValue, UnexpectedSlug, TokenNotKept, Unrecorded].some(
    (type) => error instanceof type,
  );
}

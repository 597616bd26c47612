/**
 * One-time tokens: each is in the sink before its operation is done, or it is ended. One whose answer was lost is live and in
 * nobody's hands; where the entry can have another, it gets one and loses the lost one, and otherwise it goes and is made again.
 * Only what this run has certainly made is ever touched.
 */

import type { Answer } from "../../api/http/connection.ts";
import { signOf } from "../../api/http/retry.ts";
import { ServiceError } from "../../api/read/service-error.ts";
import { type Fields, isFields, isList, type Json } from "../../core/json.ts";
import type { Custody, Operation } from "../../plan/plan.ts";
import { isOurs, TokenNotKept, Unresolved } from "../execute/failure.ts";
import type { Intent } from "../execute/journal.ts";
import { identityOf } from "../execute/read-current.ts";
import { receivedFrom } from "../execute/verify-response.ts";
import { endingOf, pathOf } from "../recover/manual-steps.ts";
import type { Secret } from "./secret.ts";
import { PREFIX_LENGTH, type TokenSink, UnusableSink } from "./sink.ts";

/** What custody needs of the applier. */
export interface Keeper {
  readonly sink: TokenSink;
  /** The prefix of a token of the entry that an earlier try has given to the sink. */
  readonly kept?: string | undefined;
  /** Scheme, host and port, for the words of a command. */
  readonly host: string;
  /** Sends a request beside the plan: written down first, sent again only when it was not carried out. */
  readonly write: (request: Operation) => Promise<Answer | undefined>;
  /** The entry as it is now; undefined when it is gone. */
  readonly look: (identity: Fields) => Promise<Fields | undefined>;
}

/** Gives a token to the sink. What it cannot keep is ended at once; then throws {@link TokenNotKept}. */
export async function keep(
  operation: Operation,
  token: Secret | undefined,
  member: Fields,
  keeper: Keeper,
): Promise<string> {
  const { address } = operation;
  if (token === undefined) {
    await remove(operation, { ...operation.expects, ...member }, "the answer held none", undefined, keeper);
    throw new TokenNotKept(address, undefined, "the answer held none", ENDED, true);
  }
  const prefix = token.start(PREFIX_LENGTH);
  try {
    await keeper.sink.keep({ address, prefix, token });
    return prefix;
  } catch (error) {
    const why = error instanceof UnusableSink ? error.message : "the sink failed";
    await remove(operation, { prefix, ...operation.expects, ...member }, why, prefix, keeper);
    throw new TokenNotKept(address, prefix, why, ENDED, true);
  }
}

const ENDED = "so the entry was removed again, and its token with it; apply again once tokens can be kept";

/**
 * Brings the token of an entry into custody whose creation is known only from looking. Gives the prefix of the one that is
 * kept, or undefined when the entry was removed and may be created again. Throws {@link TokenNotKept} on any doubt, and when
 * a request on the way is refused or fails: the entry is there, and a later run has to look after its token.
 */
export async function replaceLost(
  intent: Pick<Intent, "operation" | "at" | "ownClock">,
  row: Fields,
  keeper: Keeper,
): Promise<string | undefined> {
  try {
    return await replaced(intent, row, keeper);
  } catch (error) {
    if (error instanceof TokenNotKept || !(error instanceof Error) || !isEnding(error)) throw error;
    const { operation } = intent;
    const { address, custody } = operation;
    const why = `it was made, the answer with the token was lost, and replacing the token failed: ${told(error)}`;
    const then = `the next apply or resume tries again; or ${endingOf(operation, row, keeper.host)}`;
    throw new TokenNotKept(address, prefixOf(row, custody), why, then);
  }
}

/** Whether a request ended so, and not this program. */
function isEnding(error: Error): boolean {
  return error instanceof Unresolved || signOf(error) !== undefined || isOurs(error);
}

/** An error in one line, with the request that was refused. */
function told(error: unknown): string {
  if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : String(error);
  const { asked, status, message, requestId } = error;
  const id = requestId === undefined ? "" : ` (request ${requestId})`;
  return `${asked.method} ${asked.path} was answered with ${status}: ${message}${id}`;
}

async function replaced(
  { operation, at, ownClock }: Pick<Intent, "operation" | "at" | "ownClock">,
  row: Fields,
  keeper: Keeper,
): Promise<string | undefined> {
  const { custody, address } = operation;
  const lost = tokensOf(row, custody);
  const prefix = prefixOf(row, custody);
  const doubt = (why: string) => new TokenNotKept(address, prefix, why, endingOf(operation, row, keeper.host));
  if (isOlder(row, at, ownClock === true ? SKEW : SECOND))
    throw doubt("the answer that held it was lost, and the entry is older than the request");
  const issued = [row, ...lost].map((token) => token.prefix);
  const before = issued.includes(keeper.kept) ? keeper.kept : undefined;
  if (before === undefined && (isUsed(row) || lost.some(isUsed)))
    throw doubt("the answer that held it was lost, and somebody uses it");
  if (custody?.tokens === undefined) {
    if (before !== undefined) return before;
    await remove(operation, row, "the answer that held it was lost", prefix, keeper);
    return undefined;
  }
  const kept = before ?? (await another(operation, custody, row, prefix, keeper));
  if (kept === undefined) return undefined;
  const now = await keeper.look(identityOfRow(operation, row));
  for (const other of tokensOf(now ?? row, custody)) {
    if (other.prefix === kept || other.prefix === undefined) continue;
    if (isUsed(other)) throw doubt(`the token ${other.prefix} was lost with an answer, and somebody uses it`);
    await end(operation, custody, row, other.prefix, keeper, doubt);
  }
  return kept;
}

/** The prefix of a new token that is in the sink; undefined when the entry was removed for want of one. */
async function another(
  operation: Operation,
  custody: Custody,
  row: Fields,
  prefix: string | undefined,
  keeper: Keeper,
): Promise<string | undefined> {
  const answer = await rotate(operation, custody, row, keeper);
  const { token } = answer === undefined ? { token: undefined } : receivedFrom(operation, answer);
  if (token !== undefined) return keep(operation, token, row, keeper);
  await remove(operation, row, "the answer that held it was lost", prefix, keeper);
  return undefined;
}

/** Removes an entry that this run made. Throws {@link TokenNotKept} with what a person has to do when that fails. */
async function remove(
  operation: Operation,
  row: Fields,
  why: string,
  prefix: string | undefined,
  keeper: Keeper,
): Promise<void> {
  try {
    await takeAway(operation, row, "end a token that nobody has", keeper);
  } catch (error) {
    const then = `the next apply or resume tries again; or ${endingOf(operation, row, keeper.host)}`;
    throw new TokenNotKept(
      operation.address,
      prefix,
      `${why}; it was made, and removing it failed: ${told(error)}`,
      then,
    );
  }
}

/** Removes an entry that this run made. */
export async function takeAway(operation: Operation, row: Fields, why: string, keeper: Keeper): Promise<void> {
  const { custody } = operation;
  const path = pathOf(custody?.remove, custody, row, undefined);
  if (path === undefined) throw new Error("the plan does not say how");
  await keeper.write({ ...beside(operation), method: "DELETE", path, body: null, why, ...guardOf(operation, row) });
}

/** Another token; undefined when its answer was lost as well, so often as it was tried. */
async function rotate(
  operation: Operation,
  custody: Custody,
  row: Fields,
  keeper: Keeper,
): Promise<Answer | undefined> {
  const path = pathOf(custody.tokens?.rotate, custody, row, undefined);
  if (path === undefined) return undefined;
  const request: Operation = {
    ...beside(operation),
    method: "POST",
    path,
    body: {},
    why: "have a token instead of a lost one",
  };
  return tried(() => keeper.write(request));
}

async function end(
  operation: Operation,
  custody: Custody,
  row: Fields,
  prefix: string,
  keeper: Keeper,
  doubt: (why: string) => TokenNotKept,
): Promise<void> {
  const path = pathOf(custody.tokens?.end, custody, row, prefix);
  if (path === undefined) throw doubt("it cannot be ended");
  const request: Operation = {
    ...beside(operation),
    method: "DELETE",
    path,
    body: null,
    why: "end a token that nobody has",
  };
  for (let left = 2; ; left--) {
    try {
      await keeper.write(request);
      return;
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      const now = await keeper.look(identityOfRow(operation, row));
      if (now !== undefined && !tokensOf(now, custody).some((token) => token.prefix === prefix)) return;
      // A prefix names one token for ever, so that ending it twice ends nothing else.
      if (left === 0) throw doubt(error.message);
    }
  }
}

/** What may be tried again whatever became of it: what it leaves is ended afterwards. */
async function tried(write: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
  for (let left = 2; ; left--) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      if (left === 0) return undefined;
    }
  }
}

/** The operation's surroundings, for a request beside the plan. */
function beside(operation: Operation): Operation {
  const { id, address, depends_on, item, admin, method, path, body, why } = operation;
  return { id, address, depends_on, item, method, path, body, why, query: {}, ...(admin === true ? { admin } : {}) };
}

/** The row that is to go: by what tells it from every other one. */
function guardOf(operation: Operation, row: Fields): Pick<Operation, "guard"> {
  const identity = identityOfRow(operation, row);
  if (operation.guard === undefined || Object.keys(identity).length === 0) return {};
  const { names: _n, known: _k, repeatable: _r, ...where } = operation.guard;
  return { guard: { ...where, row: identity } };
}

function identityOfRow({ guard }: Operation, row: Fields): Fields {
  return guard === undefined ? {} : identityOf(row, guard);
}

interface Issued {
  readonly prefix: string | undefined;
  readonly last_used_at: Json;
}

function tokensOf(row: Fields, custody: Custody | undefined): readonly Issued[] {
  const list = row[custody?.tokens?.list ?? ""];
  return (isList(list) ? list.filter(isFields) : []).map(({ prefix, last_used_at = null }) => {
    return { prefix: typeof prefix === "string" ? prefix : undefined, last_used_at };
  });
}

/** What tells the token of an entry. */
function prefixOf(row: Fields, custody: Custody | undefined): string | undefined {
  return typeof row.prefix === "string" ? row.prefix : tokensOf(row, custody)[0]?.prefix;
}

/** Clocks are read to the second, and that of this machine may be wrong by an hour. In milliseconds. */
const SECOND = 1_000;
const SKEW = 3_600_000;

/** Whether a row says that it was made before that, by clocks that may differ by so many milliseconds. */
function isOlder({ created_at: made }: Fields, at: string, skew: number): boolean {
  return typeof made === "string" && Date.parse(made) < Date.parse(at) - skew;
}

function isUsed({ last_used_at: used }: { readonly last_used_at?: Json }): boolean {
  return used !== undefined && used !== null;
}

/**
 * Stores one-time tokens. Each is in the sink before its operation is done, or it is revoked. A token whose response was lost works,
 * but nobody has it: if its resource can have another token, that one is issued and the lost one revoked; otherwise the resource is
 * removed and created again. Only resources that this run certainly created are touched.
 */

import { type Fields, type Json, objectsIn, textIn } from "../../core/json.ts";
import type { RunWords } from "../../core/sanitise.ts";
import type { Operation, TokenStore } from "../../plan/model/plan.ts";
import { PREFIX_LENGTH, tokenStorePath } from "../../plan/model/token-paths.ts";
import { classifyFailure } from "../../service/http/retry.ts";
import type { ApiResponse } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import { ApplyError, TokenNotStored, Unresolved } from "../exchange/failure.ts";
import { revokeAdvice } from "../exchange/manual-steps.ts";
import { identityOf } from "../exchange/row-match.ts";
import type { Secret } from "../exchange/secret.ts";
import { splitResponse } from "../exchange/verify-response.ts";
import type { Intent } from "../journal/intent.ts";
import { type TokenSink, UnusableSink } from "./sink.ts";

/** Tools to store and recover the token of an operation. */
export interface TokenRecovery {
  readonly sink: TokenSink;
  /** Prefix of the resource's token that an earlier attempt stored. */
  readonly storedPrefix?: string | undefined;
  /** Scheme, host and port, for commands in messages. */
  readonly host: string;
  /** Words of a command line for the same service and files, for commands in messages. */
  readonly words: RunWords;
  /** Sends a request that is not in the plan: recorded first, and repeated only if it was not carried out. */
  readonly write: (request: Operation) => Promise<ApiResponse | undefined>;
  /** Waits so many milliseconds; false if the run was interrupted. */
  readonly sleep: (milliseconds: number) => Promise<boolean>;
  /** Reads the resource; undefined if it no longer exists. */
  readonly readRow: (identity: Fields) => Promise<Fields | undefined>;
}

/** Gives a token to the sink and returns its prefix. If the sink fails, revokes the token and throws {@link TokenNotStored}. */
export async function storeToken(
  operation: Operation,
  token: Secret | undefined,
  member: Fields,
  recovery: TokenRecovery,
): Promise<string> {
  const { address } = operation;
  if (token === undefined) {
    await remove(operation, { ...operation.expects, ...member }, "the response has none", undefined, recovery);
    throw new TokenNotStored(address, undefined, "the response has none", REMOVED, true);
  }
  const prefix = token.prefix(PREFIX_LENGTH);
  try {
    await recovery.sink.store({ address, prefix, token });
    return prefix;
  } catch (error) {
    const why = error instanceof UnusableSink ? error.message : "the sink failed";
    await remove(operation, { prefix, ...operation.expects, ...member }, why, prefix, recovery);
    throw new TokenNotStored(address, prefix, why, REMOVED, true);
  }
}

const REMOVED = "so it was removed again, and its token with it; run this again once tokens can be stored";

/**
 * Replaces the lost token of a resource whose create is known only from the live state. Returns the prefix of the stored token;
 * undefined if the resource was removed and may be created again. Throws {@link TokenNotStored} on any doubt and if a request fails: then
 * the resource exists, and a later run must recover its token.
 */
export async function reissueLost(
  intent: Pick<Intent, "operation" | "at" | "ownClock">,
  row: Fields,
  recovery: TokenRecovery,
): Promise<string | undefined> {
  try {
    return await reissue(intent, row, recovery);
  } catch (error) {
    if (error instanceof TokenNotStored || !(error instanceof Error) || !isRequestError(error)) throw error;
    const { operation } = intent;
    const { address, custody } = operation;
    const why = `it was created, the response with the token was lost, and replacing the token failed: ${describeError(error)}`;
    const then = `run this again, or resume, to try again; or ${revokeAdvice(operation, row, recovery)}`;
    throw new TokenNotStored(address, prefixOf(row, custody), why, then);
  }
}

/** Whether an error came from a request and is no fault of this program. */
function isRequestError(error: Error): boolean {
  return error instanceof Unresolved || classifyFailure(error) !== undefined || error instanceof ApplyError;
}

/** Describes an error in one line, with the refused request. */
function describeError(error: unknown): string {
  if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : String(error);
  const { request, status, message, requestId } = error;
  const id = requestId === undefined ? "" : ` (request ${requestId})`;
  return `${request.method} ${request.path} failed with status ${status}: ${message}${id}`;
}

async function reissue(
  { operation, at, ownClock }: Pick<Intent, "operation" | "at" | "ownClock">,
  row: Fields,
  recovery: TokenRecovery,
): Promise<string | undefined> {
  const { custody, address } = operation;
  const tokens = tokensOf(row, custody);
  const prefix = prefixOf(row, custody);
  const doubt = (why: string) => new TokenNotStored(address, prefix, why, revokeAdvice(operation, row, recovery));
  if (isOlder(row, at, ownClock === true ? SKEW : SECOND))
    throw doubt("its response was lost, and the resource is older than the request");
  const issued = [row, ...tokens].map((token) => token.prefix);
  const before = issued.includes(recovery.storedPrefix) ? recovery.storedPrefix : undefined;
  if (before === undefined && (isUsed(row) || tokens.some(isUsed)))
    throw doubt("its response was lost, and somebody uses it");
  if (custody?.tokens === undefined) {
    if (before !== undefined) return before;
    await remove(operation, row, "its response was lost", prefix, recovery);
    return undefined;
  }
  const storedPrefix = before ?? (await storeNewToken(operation, custody, row, prefix, recovery));
  if (storedPrefix === undefined) return undefined;
  const current = await recovery.readRow(identityOfRow(operation, row));
  for (const other of tokensOf(current ?? row, custody)) {
    if (other.prefix === storedPrefix || other.prefix === undefined) continue;
    if (isUsed(other)) throw doubt(`the token ${other.prefix} was lost with its response, and somebody uses it`);
    await revokeToken(operation, custody, row, other.prefix, recovery, doubt);
  }
  return storedPrefix;
}

/** Issues and stores a new token; undefined if none was issued, so that the resource was removed. */
async function storeNewToken(
  operation: Operation,
  custody: TokenStore,
  row: Fields,
  prefix: string | undefined,
  recovery: TokenRecovery,
): Promise<string | undefined> {
  const response = await rotate(operation, custody, row, recovery);
  const { token } = response === undefined ? { token: undefined } : splitResponse(operation, response);
  if (token !== undefined) return storeToken(operation, token, row, recovery);
  await remove(operation, row, "its response was lost", prefix, recovery);
  return undefined;
}

/** Removes a resource that this run created. If that fails, throws {@link TokenNotStored} with advice. */
async function remove(
  operation: Operation,
  row: Fields,
  why: string,
  prefix: string | undefined,
  recovery: TokenRecovery,
): Promise<void> {
  try {
    await removeCreated(operation, row, "revoke a lost token", recovery);
  } catch (error) {
    const then = `run this again, or resume, to try again; or ${revokeAdvice(operation, row, recovery)}`;
    throw new TokenNotStored(
      operation.address,
      prefix,
      `${why}; it was created, and removing it failed: ${describeError(error)}`,
      then,
    );
  }
}

/** Removes a resource that this run created. */
export async function removeCreated(
  operation: Operation,
  row: Fields,
  why: string,
  recovery: TokenRecovery,
): Promise<void> {
  const { custody } = operation;
  const path = tokenStorePath(custody?.remove, custody, row, undefined);
  if (path === undefined) throw new Error("the plan does not say how");
  await recovery.write({
    ...asideRequest(operation),
    method: "DELETE",
    path,
    body: null,
    why,
    ...preconditionFor(operation, row),
  });
}

/** Issues another token; undefined if the response was lost in every attempt. Each attempt waits for the one before to take effect. */
async function rotate(
  operation: Operation,
  custody: TokenStore,
  row: Fields,
  recovery: TokenRecovery,
): Promise<ApiResponse | undefined> {
  const path = tokenStorePath(custody.tokens?.rotate, custody, row, undefined);
  if (path === undefined) return undefined;
  const request: Operation = {
    ...asideRequest(operation),
    method: "POST",
    path,
    body: {},
    why: "replace a lost token",
  };
  // Read right before the request, which gives its record the time by the service's clock.
  const current = await recovery.readRow(identityOfRow(operation, row));
  let issued = tokensOf(current ?? row, custody).length;
  for (let retries = 2; ; retries--) {
    try {
      return await recovery.write(request);
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      if (retries === 0) return undefined;
      const now = await countOnceSettled(issued, operation, custody, row, recovery);
      if (now === undefined) throw error;
      issued = now;
    }
  }
}

/**
 * Waits between reads of a resource after a request for another token got no response, in milliseconds. If the token does not show in
 * these two minutes, the request counts as failed. A second request before that could leave a token that nobody looks for.
 */
const ARRIVAL_WAITS: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];

/** The number of tokens once a request without a response has issued one more, or no longer will; undefined if the run was interrupted. */
async function countOnceSettled(
  issued: number,
  operation: Operation,
  custody: TokenStore,
  row: Fields,
  recovery: TokenRecovery,
): Promise<number | undefined> {
  for (const wait of ARRIVAL_WAITS) {
    const current = await recovery.readRow(identityOfRow(operation, row));
    const now = tokensOf(current ?? row, custody).length;
    if (now > issued) return now;
    if (!(await recovery.sleep(wait))) return undefined;
  }
  return issued;
}

async function revokeToken(
  operation: Operation,
  custody: TokenStore,
  row: Fields,
  prefix: string,
  recovery: TokenRecovery,
  doubt: (why: string) => TokenNotStored,
): Promise<void> {
  const path = tokenStorePath(custody.tokens?.end, custody, row, prefix);
  if (path === undefined) throw doubt("it cannot be revoked");
  const request: Operation = {
    ...asideRequest(operation),
    method: "DELETE",
    path,
    body: null,
    why: "revoke a lost token",
  };
  for (let retries = 2; ; retries--) {
    try {
      await recovery.write(request);
      return;
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      const current = await recovery.readRow(identityOfRow(operation, row));
      if (current !== undefined && !tokensOf(current, custody).some((token) => token.prefix === prefix)) return;
      // A prefix is never used again, so revoking it twice revokes no other token.
      if (retries === 0) throw doubt(error.message);
    }
  }
}

/** Returns a request that is not in the plan, with the operation's address and dependencies. */
function asideRequest(operation: Operation): Operation {
  const { id, address, depends_on, item, admin, method, path, query, body, why } = operation;
  return { id, address, depends_on, item, method, path, query, body, why, ...(admin === true ? { admin } : {}) };
}

/** Returns a precondition that identifies the row. */
function preconditionFor(operation: Operation, row: Fields): Pick<Operation, "guard"> {
  const identity = identityOfRow(operation, row);
  if (operation.guard === undefined || Object.keys(identity).length === 0) return {};
  const { names: _n, known: _k, repeatable: _r, ...where } = operation.guard;
  return { guard: { ...where, row: identity } };
}

function identityOfRow({ guard }: Operation, row: Fields): Fields {
  return guard === undefined ? {} : identityOf(row, guard);
}

interface TokenRow {
  readonly prefix: string | undefined;
  readonly last_used_at: Json;
}

function tokensOf(row: Fields, custody: TokenStore | undefined): readonly TokenRow[] {
  const list = row[custody?.tokens?.list ?? ""];
  return objectsIn(list).map(({ prefix, last_used_at = null }) => ({ prefix: textIn(prefix), last_used_at }));
}

/** Prefix of a resource's token. */
function prefixOf(row: Fields, custody: TokenStore | undefined): string | undefined {
  return typeof row.prefix === "string" ? row.prefix : tokensOf(row, custody)[0]?.prefix;
}

/** Tolerances in milliseconds: the service's times have whole seconds, and this machine's clock may be wrong by an hour. */
const SECOND = 1_000;
const SKEW = 3_600_000;

/** Whether the row was created before this time, with a tolerance in milliseconds. */
function isOlder({ created_at: createdAt }: Fields, at: string, skew: number): boolean {
  return typeof createdAt === "string" && Date.parse(createdAt) < Date.parse(at) - skew;
}

function isUsed({ last_used_at: lastUsed }: { readonly last_used_at?: Json }): boolean {
  return lastUsed !== undefined && lastUsed !== null;
}

/** Recovers the one-time token of a resource that an interrupted run created. */

import { type Clock, systemClock } from "../../core/clock.ts";
import type { Fields } from "../../core/json.ts";
import { NO_WORDS, type RunWords } from "../../core/sanitise.ts";
import type { Writer } from "../../service/requests/connection.ts";
import type { LateValueSource } from "../exchange/request.ts";
import { recordedMembers } from "../exchange/response-match.ts";
import { type Intent, type Journal, noJournal, type Settlement } from "../journal/intent.ts";
import { reissueLost } from "../tokens/one-time-tokens.ts";
import { noSink, type TokenSink } from "../tokens/sink.ts";
import { type RunContext, tokenRecoveryFor } from "./perform.ts";

export interface RecoverTokenOptions extends LateValueSource {
  /** Storage of the new token; without one, the resource is removed. */
  readonly sink?: TokenSink;
  /** Prefixes of the tokens in the sink, by operation; a new token's prefix is added. */
  readonly storedPrefixes?: Map<string, string>;
  /** Record of the requests, which are not in the plan. */
  readonly journal?: Journal;
  /** Words of a command line for the same service and files, for commands in messages. Default: none. */
  readonly words?: RunWords;
  readonly clock?: Clock;
  readonly now?: () => Date;
}

/**
 * Recovers the token of a resource whose create got no response and was found by `resolveWrite`: issues another token and revokes
 * the lost one, or removes the resource so that it can be planned again. Throws `TokenNotStored`, with advice, on any doubt and if a
 * request fails.
 */
export async function recoverToken(
  intent: Intent,
  row: Fields,
  writer: Writer,
  {
    sink = noSink,
    storedPrefixes = new Map<string, string>(),
    journal = noJournal,
    clock = systemClock,
    now = () => new Date(),
    words = NO_WORDS,
    ...source
  }: RecoverTokenOptions,
): Promise<Settlement> {
  const { operation } = intent;
  const context: RunContext = {
    writer,
    sink,
    journal,
    clock,
    now,
    secret: source.secret,
    created: source.created,
    storedPrefixes,
    successorsOf: () => [],
    interrupted: new AbortController().signal,
    resend: false,
    words,
    pendingApproval: () => undefined,
  };
  const prefix = await reissueLost(intent, row, tokenRecoveryFor(operation, context));
  return prefix === undefined
    ? {
        operation: operation.id,
        status: "failed",
        message: "its token was lost with the response, so it was removed again",
      }
    : { operation: operation.id, status: "done", created: recordedMembers(operation, row), prefix };
}

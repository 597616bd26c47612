/** What is left to do when a run that is over turns out to have made an entry whose one-time token is lost. */

import type { Writer } from "../../api/http/connection.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { Fields } from "../../core/json.ts";
import { type Intent, type Journal, type Settlement, unrecorded } from "../execute/journal.ts";
import { keeperFor, type Surroundings } from "../execute/perform.ts";
import type { LeftOut } from "../execute/request.ts";
import { replaceLost } from "../tokens/one-time-tokens.ts";
import { noSink, type TokenSink } from "../tokens/sink.ts";

/** What it takes. */
export interface Late extends LeftOut {
  /** Where the new token goes; without one the entry is removed. */
  readonly sink?: TokenSink;
  /** Prefixes of tokens that are in the sink, by operation; one that is issued now comes to it. */
  readonly kept?: Map<string, string>;
  /** The requests are written down as what they are: beside the plan. */
  readonly journal?: Journal;
  readonly clock?: Clock;
  readonly now?: () => Date;
}

/**
 * Takes the token of an entry into custody whose creation, found by `resolve`, was not answered: another token is issued and
 * the lost one ended, or the entry is removed and may be planned again. Throws `TokenNotKept` on any doubt, with what a
 * person has to do, and when a request is refused or fails on the way.
 */
export async function takeIntoCustody(
  intent: Intent,
  row: Fields,
  writer: Writer,
  {
    sink = noSink,
    kept = new Map<string, string>(),
    journal = unrecorded,
    clock = systemClock,
    now = () => new Date(),
    ...leftOut
  }: Late,
): Promise<Settlement> {
  const { operation } = intent;
  const surroundings: Surroundings = {
    writer,
    sink,
    journal,
    clock,
    now,
    secret: leftOut.secret,
    created: new Map<string, Fields>(),
    kept,
    interrupted: new AbortController().signal,
    resend: false,
    pending: () => undefined,
  };
  const prefix = await replaceLost(intent, row, keeperFor(operation, surroundings));
  return prefix === undefined
    ? {
        operation: operation.id,
        status: "failed",
        message: "its token was lost with the answer, so it was removed again",
      }
    : { operation: operation.id, status: "done", created: row, prefix };
}

/**
 * What became of a write whose answer was lost, told from the live state: by identity for a change and a removal, and for a
 * creation by what was not there before. Where the state does not tell, nobody guesses.
 */

import { type Reader, readingFor } from "../../api/http/connection.ts";
import type { Clock } from "../../core/clock.ts";
import { equal, type Fields } from "../../core/json.ts";
import { fingerprint, type Precondition } from "../../plan/plan.ts";
import type { Intent } from "../execute/journal.ts";
import { pause } from "../execute/pause.ts";
import { identityOf, isNamed, isRow, look, type Seen } from "../execute/read-current.ts";
import { type Filled, type LeftOut, requestOf } from "../execute/request.ts";
import { tells, wiresOf } from "../execute/response-match.ts";

/** What was found out. */
export type Resolution =
  /** It was carried out; `row` is the entry now, where there is one. */
  | { readonly status: "applied"; readonly row?: Fields }
  /** It was not, and may be sent again once its check holds. */
  | { readonly status: "not_applied" }
  /** Somebody else has changed the same. */
  | { readonly status: "conflict"; readonly why: string }
  /** It cannot be told; `candidates` are the identities of what it may have made, with when each was made and last used. */
  | { readonly status: "unclear"; readonly why: string; readonly candidates: readonly Fields[] };

/** What resolving needs besides the live state. */
export interface Resolving extends LeftOut {
  readonly clock: Clock;
  /** A creation of which nothing is to be seen counts as not carried out, although it may arrive later. */
  readonly resend?: boolean;
  /** Once aborted nobody waits any more. */
  readonly interrupted?: AbortSignal;
  /**
   * Hears for how many milliseconds is waited for a creation that may still arrive, where the service does not tell how long ago
   * it was sent. Left out, nobody waits for so long, and its end stays unknown.
   */
  readonly patience?: (milliseconds: number) => void;
}

/** A creation may take effect, and show in the list, so long after its answer was lost. In milliseconds. */
const GRACE: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** So long after it was sent, by the service's clock or by our own patience, a creation that is not to be seen was not carried out. */
const LATE = 120_000;

/** Finds out how a write ended. Only reads. Throws `Unchecked` when the state cannot be read, and `MissingValue`. */
export async function resolve(intent: Intent, reader: Reader, resolving: Resolving): Promise<Resolution> {
  const { operation } = intent;
  const filled = requestOf(operation, resolving);
  const { guard } = filled;
  if (guard === undefined) return unclear("the plan does not say where to look");
  const seeing = () => look(readingFor(reader, "resolution"), operation.address, filled, guard);
  const known = guard.row ?? identityOf(resolving.created(operation.address) ?? {}, guard);
  if (operation.method === "POST") return created(intent, filled, guard, seeing, resolving);
  const { rows } = await seeing();
  if (guard.row === undefined && guard.unchecked !== true) return attached(rows, filled, guard);
  const row = rows.find((live) => (Object.keys(known).length > 0 ? isRow(live, known) : isNamed(live, guard)));
  if (operation.method === "DELETE") return deleted(row, guard);
  return row === undefined ? { status: "conflict", why: "it is gone" } : changed(row, intent, filled, guard);
}

function deleted(row: Fields | undefined, guard: Precondition): Resolution {
  if (row === undefined) return { status: "applied" };
  // Without an id of its own a row is told by its place, and another may have come to stand there.
  const replaced = guard.row?.id === undefined && !asPlanned(row, guard);
  return replaced ? { status: "applied" } : { status: "not_applied" };
}

function asPlanned(row: Fields, { held = {} }: Precondition): boolean {
  return Object.entries(held).every(([wire, print]) => row[wire] !== undefined && fingerprint(row[wire]) === print);
}

function changed(row: Fields, { before }: Intent, { body }: Filled, guard: Precondition): Resolution {
  const [picture] = before ?? [];
  const sent = body ?? {};
  const wires = Object.keys(sent).flatMap((field) => wiresOf(field, guard));
  const same = (wire: string) => equal(picture?.[wire] ?? null, printOf(row, wire));
  if (picture !== undefined && wires.every(same)) return { status: "not_applied" };
  if (tells(row, sent, guard)) return { status: "applied", row };
  // The plan itself has made this entry, so that nobody else's change is lost.
  if (picture === undefined) return { status: "not_applied" };
  const theirs = wires.filter((wire) => !same(wire));
  return { status: "conflict", why: `its ${theirs.join(", ")} is neither as before nor as sent` };
}

function printOf(row: Fields, wire: string): string | null {
  return row[wire] === undefined ? null : fingerprint(row[wire]);
}

/** A row that comes to be by the first change that names it. */
function attached(rows: readonly Fields[], { body }: Filled, guard: Precondition): Resolution {
  const row = rows.find((live) => isNamed(live, guard));
  if (row === undefined) return { status: "not_applied" };
  return tells(row, body ?? {}, guard) ? { status: "applied", row } : unclear("it is there, but not as sent");
}

async function created(
  intent: Intent,
  filled: Filled,
  guard: Precondition,
  seeing: () => Promise<Seen>,
  { clock, resend, interrupted, patience }: Resolving,
): Promise<Resolution> {
  const began = clock.now();
  let isDated = false;
  for (const wait of [...GRACE, undefined]) {
    const { rows, date } = await seeing();
    const found = candidates(rows, intent, filled, guard);
    if (found !== undefined) return found;
    const age = date === undefined || intent.ownClock === true ? undefined : date.getTime() - Date.parse(intent.at);
    if (age !== undefined && age >= LATE) return { status: "not_applied" };
    isDated = age !== undefined;
    if (wait === undefined) break;
    await pause(clock, wait, interrupted);
    if (interrupted?.aborted === true) return unclear("it was not waited long enough to tell");
  }
  // Where the service refuses a second one of its name, sending it again cannot make one.
  if (guard.repeatable !== true || resend === true) return { status: "not_applied" };
  if (isDated || patience === undefined) return unclear("nothing of it is to be seen, but it may still take effect");
  // Whenever it was sent, it was before this began; no clock that somebody may set is asked.
  const rest = LATE - (clock.now() - began);
  patience(rest);
  await pause(clock, rest, interrupted);
  if (interrupted?.aborted === true) return unclear("it was not waited long enough to tell");
  return candidates((await seeing()).rows, intent, filled, guard) ?? { status: "not_applied" };
}

/** Undefined when nothing new could be it. */
function candidates(
  rows: readonly Fields[],
  { before }: Intent,
  { body }: Filled,
  guard: Precondition,
): Resolution | undefined {
  const { position: _place, ...sent } = body ?? {};
  const fresh = rows.filter((row) => !(before ?? []).some((identity) => isRow(row, identity)));
  const named = guard.names === undefined ? fresh : fresh.filter((row) => isNamed(row, guard));
  const alike = named.filter((row) => tells(row, sent, guard));
  const [row] = alike;
  if (row !== undefined && alike.length === 1 && (guard.names === undefined || named.length === 1)) {
    return { status: "applied", row };
  }
  const all = guard.names === undefined ? alike : named;
  if (all.length === 0) return undefined;
  const why = all.length === 1 ? "one of its name is there, but not as sent" : `${all.length} entries may be it`;
  return unclear(
    why,
    all.map((candidate) => ({ ...identityOf(candidate, guard), ...historyOf(candidate) })),
  );
}

/** What tells an entry that somebody uses from one that nobody does. */
function historyOf(row: Fields): Fields {
  return Object.fromEntries(
    ["created_at", "last_used_at"].flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])),
  );
}

function unclear(why: string, found: readonly Fields[] = []): Resolution {
  return { status: "unclear", why, candidates: found };
}

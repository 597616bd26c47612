/**
 * Finds the outcome of a write whose response was lost, from the live state: an update or removal by identity, a create by comparison
 * with the rows before it. If the state does not show the outcome, it stays unknown.
 */

import { type Clock, sleepOrAbort } from "../../core/clock.ts";
import { equal, type Fields, type Json, pick } from "../../core/json.ts";
import { counted } from "../../core/value-text.ts";
import { mayShowValue } from "../../kinds/values/same-answer.ts";
import type { Operation, Precondition } from "../../plan/model/plan.ts";
import { type Reader, withPurpose } from "../../service/requests/connection.ts";
import { type CurrentRows, readCurrent } from "../exchange/read-current.ts";
import { buildRequest, type FilledRequest, type LateValueSource } from "../exchange/request.ts";
import { confirms, confirmsField, responseFieldsOf } from "../exchange/response-match.ts";
import { fingerprintOf, hasName, identityOf, isRow, mayHaveName } from "../exchange/row-match.ts";
import type { Intent } from "../journal/intent.ts";

/** Outcome of a write, as the live state shows it. */
export type WriteResolution =
  /** Carried out; `row` is the resource now, if there is one. */
  | { readonly status: "applied"; readonly row?: Fields }
  /**
   * Not carried out; it may be sent again if its precondition holds. With `mayArrive`, it may still be carried out: then the service
   * refuses the second one.
   */
  | { readonly status: "not_applied"; readonly mayArrive?: true }
  /** Somebody else changed the same fields. */
  | { readonly status: "conflict"; readonly why: string }
  /** Unknown; `candidates` are the identities of rows that it may have created, with the times of their creation and last use. */
  | { readonly status: "unclear"; readonly why: string; readonly candidates: readonly Fields[] };

/** Options of a resolution. */
export interface ResolveOptions extends LateValueSource {
  readonly clock: Clock;
  /**
   * A create without a visible effect counts as not carried out, although it may still take effect. If it returns a one-time token, only once
   * it no longer can: nobody would have the token of one that arrives late.
   */
  readonly resend?: boolean;
  /** Ends every wait once aborted. */
  readonly interrupted?: AbortSignal;
  /**
   * Called before a long wait for a create that may still take effect: if the service's clock does not show its age, and if it returns a
   * one-time token. Without it there is no such wait.
   */
  readonly onWait?: OnWait;
}

/** Called with the wait in milliseconds, and whether the service's clock shows how much of it has passed. */
export type OnWait = (milliseconds: number, isDated: boolean) => void;

/** Waits between reads for a create to show in the list, in milliseconds. */
const GRACE: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** Milliseconds after which an invisible create counts as failed, by the service's clock or by our own waiting. */
const FAILED_AFTER = 120_000;

/** Returns the outcome of a write. Only reads. Throws `Unchecked` if the state cannot be read, and `MissingValue`. */
export async function resolveWrite(intent: Intent, reader: Reader, options: ResolveOptions): Promise<WriteResolution> {
  const { operation } = intent;
  const filled = buildRequest(operation, options);
  const { guard } = filled;
  if (guard === undefined) return unclearResolution("the plan does not say what to read");
  const read = () => readCurrent(withPurpose(reader, "resolution"), operation.address, filled, guard);
  const identity = guard.row ?? identityOf(options.created.for(operation, operation.address) ?? {}, guard);
  if (operation.method === "POST") return resolveCreate(intent, filled, guard, read, options);
  const { rows } = await read();
  if (guard.row === undefined && guard.unchecked !== true) return resolveAttached(rows, filled, guard);
  const row = rows.find((live) => (Object.keys(identity).length > 0 ? isRow(live, identity) : hasName(live, guard)));
  if (operation.method === "DELETE") return resolveDelete(row, guard);
  return row === undefined
    ? { status: "conflict", why: "it no longer exists" }
    : resolveUpdate(row, intent, filled, guard);
}

function resolveDelete(row: Fields | undefined, guard: Precondition): WriteResolution {
  if (row === undefined) return { status: "applied" };
  // A row without an id is identified by its position, which another row may have taken.
  const replaced = guard.row?.id === undefined && !isUnchanged(row, guard);
  return replaced ? { status: "applied" } : { status: "not_applied" };
}

function isUnchanged(row: Fields, guard: Precondition): boolean {
  return Object.entries(guard.held ?? {}).every(([wire, hash]) => fingerprintOf(row, wire, guard) === hash);
}

function resolveUpdate(row: Fields, { before }: Intent, { body }: FilledRequest, guard: Precondition): WriteResolution {
  const [preImage] = before ?? [];
  const sent = body ?? {};
  const wires = Object.keys(sent).flatMap((field) => responseFieldsOf(field, guard));
  const isUnchanged = (wire: string) => equal(preImage?.[wire] ?? null, fingerprintOf(row, wire, guard));
  // A journal has no fingerprints of values that may be secret.
  const known = wires.filter((wire) => preImage?.[wire] !== undefined || row[wire] === undefined);
  if (preImage !== undefined && known.length === wires.length && wires.every(isUnchanged)) {
    return { status: "not_applied" };
  }
  if (confirms(row, sent, guard)) return { status: "applied", row };
  // The service may have made another value of the one that was sent.
  const isMade = ([field, value]: readonly [string, Json]): boolean =>
    confirmsField(row, field, value, guard) ||
    responseFieldsOf(field, guard).some((wire) => !isUnchanged(wire) && mayShowValue(value, row[wire] ?? null));
  if (preImage !== undefined && Object.entries(sent).every(isMade)) return { status: "applied", row };
  // Without a row from before, this plan created the resource, so nobody else's change is lost.
  if (preImage === undefined || known.every(isUnchanged)) return { status: "not_applied" };
  const changedByOthers = known.filter((wire) => !isUnchanged(wire));
  return { status: "conflict", why: `its ${changedByOthers.join(", ")} has neither the old nor the new value` };
}

/** Resolution for a row that its first update creates. */
function resolveAttached(rows: readonly Fields[], { body }: FilledRequest, guard: Precondition): WriteResolution {
  const row = rows.find((live) => hasName(live, guard));
  if (row === undefined) return { status: "not_applied" };
  return confirms(row, body ?? {}, guard)
    ? { status: "applied", row }
    : unclearResolution("it exists, but not as sent");
}

async function resolveCreate(
  intent: Intent,
  filled: FilledRequest,
  guard: Precondition,
  read: () => Promise<CurrentRows>,
  { clock, resend, interrupted, onWait }: ResolveOptions,
): Promise<WriteResolution> {
  const start = clock.now();
  let age: number | undefined;
  for (const wait of [...GRACE, undefined]) {
    const { rows, date } = await read();
    const resolution = findCreated(rows, intent, filled, guard);
    if (resolution !== undefined) return resolution;
    age = ageOf(intent, date);
    if (age !== undefined && age >= FAILED_AFTER) return { status: "not_applied" };
    if (wait === undefined) break;
    await sleepOrAbort(clock, wait, interrupted);
    if (interrupted?.aborted === true) return unclearResolution("the wait was too short to be sure");
  }
  const isToken = intent.operation.reveals !== undefined;
  if (resend === true && !isToken) return { status: "not_applied" };
  // If the service refuses a second one of this name, sending it again cannot make a duplicate.
  if (guard.repeatable !== true && !(isToken && onWait !== undefined))
    return { status: "not_applied", mayArrive: true };
  if (resend !== true && (onWait === undefined || (age !== undefined && !isToken)))
    return unclearResolution("it has no visible effect, but may still take effect");
  // It was sent before this function began. A monotonic clock measures the wait, because somebody may set the wall clock.
  const rest = FAILED_AFTER - (age ?? clock.now() - start);
  onWait?.(rest, age !== undefined);
  await sleepOrAbort(clock, rest, interrupted);
  if (interrupted?.aborted === true) return unclearResolution("the wait was too short to be sure");
  return findCreated((await read()).rows, intent, filled, guard) ?? { status: "not_applied" };
}

/** Milliseconds since a write was sent, by the service's clock; undefined if that does not show it. */
function ageOf({ at, ownClock }: Pick<Intent, "at" | "ownClock">, date: Date | undefined): number | undefined {
  return date === undefined || ownClock === true ? undefined : date.getTime() - Date.parse(at);
}

/**
 * Waits until another request about the resource of an operation, which an interrupted run sent without a record of its response, can no
 * longer take effect. Throws `Unchecked` if the service cannot be read.
 */
export async function waitUntilSettled(
  request: Intent,
  operation: Operation,
  reader: Reader,
  options: ResolveOptions & { readonly onWait: OnWait },
): Promise<void> {
  const filled = buildRequest(operation, options);
  if (filled.guard === undefined) return;
  const { date } = await readCurrent(withPurpose(reader, "resolution"), operation.address, filled, filled.guard);
  const age = ageOf(request, date);
  const rest = FAILED_AFTER - (age ?? 0);
  if (rest <= 0) return;
  options.onWait(rest, age !== undefined);
  await sleepOrAbort(options.clock, rest, options.interrupted);
}

/** Resolution of a create by the new rows; undefined if none of them may be its result. */
function findCreated(
  rows: readonly Fields[],
  { before, operation }: Intent,
  { body }: FilledRequest,
  guard: Precondition,
): WriteResolution | undefined {
  const { position: _place, ...sent } = body ?? {};
  const newRows = rows.filter((row) => !(before ?? []).some((identity) => isRow(row, identity)));
  const sameName = guard.names === undefined ? newRows : newRows.filter((row) => hasName(row, guard));
  const matching = sameName.filter((row) => confirms(row, sent, guard));
  const [row] = matching;
  if (row !== undefined && matching.length === 1 && (guard.names === undefined || sameName.length === 1)) {
    return { status: "applied", row };
  }
  if (sameName.length === 0 && before !== null) {
    // The service may have stored the name otherwise. The token of what somebody else may have made is a person's to end.
    const others = newRows.filter((row) => mayHaveName(row, guard) && confirms(row, withoutNames(sent, guard), guard));
    const [only] = others;
    if (only !== undefined && others.length === 1 && operation.reveals === undefined)
      return { status: "applied", row: only };
    if (only !== undefined)
      return unclearAmong(others, `${counted(others.length, "resource")} of another name may be it`, guard);
  }
  const candidates = guard.names === undefined ? matching : sameName;
  if (candidates.length === 0) return undefined;
  const why =
    candidates.length === 1
      ? "one of its name exists, but not as sent"
      : `${counted(candidates.length, "resource")} may be it`;
  return unclearAmong(candidates, why, guard);
}

function unclearAmong(rows: readonly Fields[], why: string, guard: Precondition): WriteResolution {
  return unclearResolution(
    why,
    rows.map((row) => ({ ...identityOf(row, guard), ...historyOf(row) })),
  );
}

/** The other fields that were sent with a name. */
function withoutNames(sent: Fields, { names = [] }: Precondition): Fields {
  const naming = new Set(names.flatMap((name) => Object.keys(name)));
  return Object.fromEntries(Object.entries(sent).filter(([field]) => !naming.has(field)));
}

/** Times of creation and last use, which show whether a row is in use. */
function historyOf(row: Fields): Fields {
  return pick(row, ["created_at", "last_used_at"]);
}

function unclearResolution(why: string, candidates: readonly Fields[] = []): WriteResolution {
  return { status: "unclear", why, candidates };
}

/** Checks an operation's precondition right before its write: the resource is as planned, or does not exist yet. */

import type { Clock } from "../../core/clock.ts";
import type { Fields, Json } from "../../core/json.ts";
import { isSameAnswer, mayShowValue } from "../../kinds/values/same-answer.ts";
import { PREFIX } from "../../plan/checks/token-requests.ts";
import type { Operation, Precondition } from "../../plan/model/plan.ts";
import { type Reader, withPurpose } from "../../service/requests/connection.ts";
import { NoSuccessor, NotAsPlanned } from "../exchange/failure.ts";
import { readCurrent } from "../exchange/read-current.ts";
import type { FilledRequest } from "../exchange/request.ts";
import { fingerprintOf, fingerprintRow, hasName, identityOf, isRow, mayHaveName } from "../exchange/row-match.ts";
import type { ExpectedList } from "./appends.ts";

export interface CheckResult {
  /** Rows that the check read; null if there was nothing to check. */
  readonly before: readonly Fields[] | null;
  /** All rows of the list before a creation. */
  readonly listed?: readonly Fields[];
  /** The resource to change, as it is. */
  readonly row?: Fields;
  /** Time by the service's clock. */
  readonly date?: Date | undefined;
  /** The resource to delete no longer exists. */
  readonly gone?: true;
}

/** Waits between reads of a list to which this run was the first to append: who came second removes their own row, in milliseconds. */
const REMOVAL_WAITS: readonly number[] = [500, 1_000, 2_000];

/** Waits between reads of a list that does not show a new token yet, in milliseconds. */
const APPEARANCE_WAITS: readonly number[] = [500, 1_000, 2_000];

export interface CheckOptions {
  /** For an append: the list before it. */
  readonly list?: ExpectedList | undefined;
  /** Prefixes of the tokens that take the place of what the operation ends: it is sent only if they are listed. */
  readonly successors: readonly string[];
  /** The response to the last write of this run to a row: the service may have stored something else than the plan expects there. */
  readonly written: (row: Fields) => Fields | undefined;
  readonly clock: Clock;
}

/** Checks the precondition. Throws {@link NotAsPlanned}, or `Unchecked` if the rows cannot be read. */
export async function checkPrecondition(
  reader: Reader,
  { address, method }: Operation,
  filled: FilledRequest,
  { list, successors, written, clock }: CheckOptions,
): Promise<CheckResult> {
  const { guard, body } = filled;
  if (guard === undefined || guard.unchecked === true) return { before: null };
  const { row } = guard;
  const countingReader = withPurpose(reader, row === undefined ? "census" : "pre_image");
  let { rows, date } = await readCurrent(countingReader, address, filled, guard);
  for (const wait of list?.isOurs === true ? REMOVAL_WAITS : []) {
    if (rows.length <= (list?.rows.length ?? 0)) break;
    await clock.sleep(wait);
    ({ rows, date } = await readCurrent(countingReader, address, filled, guard));
  }
  const isMissing = (prefix: string): boolean => !rows.some((live) => live[PREFIX] === prefix);
  for (const wait of APPEARANCE_WAITS) {
    if (!successors.some(isMissing)) break;
    await clock.sleep(wait);
    ({ rows, date } = await readCurrent(countingReader, address, filled, guard));
  }
  const missing = successors.find(isMissing);
  if (missing !== undefined) throw new NoSuccessor(address, missing);
  if (row === undefined) return { before: requireAbsent(address, rows, guard, list, written), listed: rows, date };
  const current = rows.find((live) => isRow(live, row));
  if (current !== undefined) {
    const changed = changedFields(current, guard, written);
    if (changed.length > 0) await requireListed(countingReader, address, filled, guard, { changed, current, written });
    return { before: [fingerprintRow(current, guard, body)], row: current, date };
  }
  if (method === "DELETE") return { before: [], date, gone: true };
  throw new NotAsPlanned(address, "it no longer exists");
}

/** The fields that are not as the plan expects them in a row. */
function changedFields(current: Fields, guard: Precondition, written: CheckOptions["written"]): readonly string[] {
  const { held = {}, row = {} } = guard;
  const others = Object.keys(held).filter((wire) => fingerprintOf(current, wire, guard) !== held[wire]);
  if (others.length === 0) return [];
  // What this run has written there may be shown otherwise by reads than by the response to the write.
  const own = written(row);
  return own === undefined ? others : others.filter((wire) => !mayBeOf(own[wire], current[wire]));
}

/** Throws for the fields that have changed in the list as well, which may show them in another form than the resource by itself. */
async function requireListed(
  reader: Reader,
  address: string,
  filled: FilledRequest,
  { member, ...guard }: Precondition,
  {
    changed,
    current,
    written,
  }: { readonly changed: readonly string[]; readonly current: Fields } & Pick<CheckOptions, "written">,
): Promise<void> {
  const { rows } = member === true ? await readCurrent(reader, address, filled, guard) : { rows: [current] };
  const listed = rows.find((live) => isRow(live, guard.row ?? {})) ?? current;
  const also = new Set(changedFields(listed, guard, written));
  const wires = changed.filter((wire) => also.has(wire));
  if (wires.length === 0) return;
  const values = Object.fromEntries(wires.map((wire) => [wire, current[wire]]));
  throw new NotAsPlanned(address, `somebody has changed its ${wires.join(", ")}`, values);
}

/** Whether a value may be what reads show of one that a response has. A read that leaves it out says nothing about it. */
function mayBeOf(own: Json | undefined, read: Json | undefined): boolean {
  if (read === undefined) return true;
  return own !== undefined && (isSameAnswer(own, read) || mayShowValue(own, read));
}

/** Throws if the resource exists; else returns the identities of rows that the new one must be distinguished from. */
function requireAbsent(
  address: string,
  rows: readonly Fields[],
  guard: Precondition,
  list: ExpectedList | undefined,
  written: CheckOptions["written"],
): readonly Fields[] {
  const namesake = rows.find((row) => hasName(row, guard));
  if (namesake !== undefined) {
    const identity = identityOf(namesake, guard);
    const isOwn = Object.keys(identity).length > 0 && written(identity) !== undefined;
    const why = isOwn
      ? "the service has stored another resource of this run under its name"
      : "somebody has created it";
    throw new NotAsPlanned(address, why);
  }
  if (list !== undefined && !isSameList(rows, list.rows))
    throw new NotAsPlanned(address, "somebody has changed the list that it is added to");
  const others = guard.repeatable === true ? rows : rows.filter((row) => mayHaveName(row, guard));
  return others.map((row) => identityOf(row, guard));
}

function isSameList(rows: readonly Fields[], expected: readonly Fields[]): boolean {
  const isExpected = (row: Fields, index: number): boolean =>
    // Most lists are in the order in which the rows were added.
    isRow(row, expected[index] ?? {}) || expected.some((identity) => isRow(row, identity));
  return rows.length === expected.length && rows.every(isExpected);
}

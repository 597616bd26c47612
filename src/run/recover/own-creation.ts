/** Recognizes a creation of this run by its id, where the service stored a name in which nothing of the one that was sent is left. */

import type { Clock } from "../../core/clock.ts";
import type { Fields } from "../../core/json.ts";
import { PREFIX } from "../../plan/checks/token-requests.ts";
import type { Operation, Precondition } from "../../plan/model/plan.ts";
import { PREFIX_LENGTH } from "../../plan/model/token-paths.ts";
import { Unchecked, WrongResource } from "../exchange/failure.ts";
import type { FilledRequest } from "../exchange/request.ts";
import { hasName, identityOf, isRow } from "../exchange/row-match.ts";
import { isUnrelated, type ResponseParts, verifyResponse, verifySlug } from "../exchange/verify-response.ts";

/** The rows around a creation. */
export interface RowsAround {
  /** All rows of the list before it, or before the run if they were not read again; undefined if they are not known. */
  readonly listed: readonly Fields[] | undefined;
  /** Reads the rows as they are now. */
  readonly read: () => Promise<readonly Fields[]>;
  /** The responses to the other creations of the run. */
  readonly others: () => readonly Fields[];
  readonly clock: Clock;
}

/** Waits for the responses to other creations in the list, in milliseconds. */
const WAITS: readonly number[] = [500, 1_000, 2_000];

/**
 * Throws {@link WrongResource} if the response with a token is about a resource that was there before, or about one of somebody else: its
 * token is neither stored nor revoked.
 */
export async function verifyNew(
  operation: Operation,
  filled: FilledRequest,
  { token, member }: ResponseParts,
  before: readonly Fields[] | null,
  rows: RowsAround,
): Promise<void> {
  const { address, reveals } = operation;
  const { guard, body } = filled;
  if (reveals === undefined || guard === undefined) return;
  const shown = { ...(token === undefined ? {} : { prefix: token.prefix(PREFIX_LENGTH) }), ...member };
  const isFormer = before?.some((known) => Object.keys(known).length > 0 && isRow(shown, known)) === true;
  if (isFormer) throw new WrongResource(address);
  if (!isUnrelated(member, body ?? {}) || (await isOwnCreation(operation, filled, member, rows))) return;
  // The name may be that of another resource, and the token that of this one.
  const isOwnToken = token !== undefined && (await hasToken(rows, guard, token.prefix(PREFIX_LENGTH)));
  if (!isOwnToken) throw new WrongResource(address);
}

/** Whether a resource with the name that was sent has a token with this prefix. */
async function hasToken({ read }: RowsAround, guard: Precondition, prefix: string): Promise<boolean> {
  try {
    return (await read()).some((row) => hasName(row, guard) && row[PREFIX] === prefix);
  } catch (error) {
    if (error instanceof Unchecked) return false;
    throw error;
  }
}

/** Verifies a response. Throws as {@link verifyResponse} does, unless the list shows that the resource is what this creation has made. */
export async function verifyOwnResponse(
  operation: Operation,
  filled: FilledRequest,
  member: Fields,
  before: readonly Fields[] | null,
  rows: RowsAround,
): Promise<void> {
  try {
    verifyResponse(operation, filled, member, before);
  } catch (error) {
    if (!(error instanceof WrongResource) || !(await isOwnCreation(operation, filled, member, rows))) throw error;
    verifySlug(operation, member);
  }
}

/**
 * Whether a response about a resource of quite another name is that of the creation all the same: the list, which did not have that resource
 * before, has it now, and nothing else that is new and may be ours.
 */
async function isOwnCreation(
  { method }: Operation,
  { guard }: FilledRequest,
  member: Fields,
  { listed, read, others, clock }: RowsAround,
): Promise<boolean> {
  if (method !== "POST" || guard?.names === undefined || listed === undefined) return false;
  const identity = identityOf(member, guard);
  const isAmong = (row: Fields, rows: readonly Fields[]): boolean =>
    rows.some((other) => isRow(other, identityOf(row, guard)));
  if (Object.keys(identity).length === 0 || isAmong(member, listed)) return false;
  try {
    for (const wait of [...WAITS, undefined]) {
      const added = (await read()).filter((row) => !isAmong(row, listed));
      if (added.some((row) => hasName(row, guard))) return false;
      const unknown = added.filter((row) => !isAmong(row, others()));
      if (unknown.length < 2 || wait === undefined)
        return unknown.length === 1 && unknown.some((row) => isRow(row, identity));
      await clock.sleep(wait);
    }
  } catch (error) {
    if (!(error instanceof Unchecked)) throw error;
  }
  return false;
}

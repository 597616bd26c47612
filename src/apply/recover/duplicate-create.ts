/**
 * Resolves duplicates: two runs created the same at the same time, and the service does not require unique names. Each run reads the
 * list once more, and one of them removes the resource that it created itself.
 */

import type { Clock } from "../../core/clock.ts";
import { equal, type Fields, type Json } from "../../core/json.ts";
import type { Operation } from "../../plan/plan.ts";
import { Unchecked } from "../execute/failure.ts";
import type { FilledRequest } from "../execute/request.ts";
import { confirms } from "../execute/response-match.ts";
import { hasIdentity, hasName, identityOf } from "../execute/row-match.ts";

/** Tools to resolve a duplicate. */
export interface DuplicateOptions {
  /** Reads the current rows. */
  readonly read: () => Promise<readonly Fields[]>;
  /** Removes the resource that this run created. */
  readonly remove: (own: Fields) => Promise<void>;
  readonly clock: Clock;
}

/** Waits for the other run to remove its resource, in milliseconds. After them it is clear that it has not seen ours. */
const WAITS: readonly number[] = [500, 1_000, 2_000];

/**
 * Returns the resource that stays: this run's, or the other run's. The one with the larger identity is removed. If the other run does
 * not remove its own, it read the list before this run's resource existed; then this run removes its own.
 */
export async function resolveDuplicate(
  operation: Operation,
  { guard, body }: FilledRequest,
  own: Fields,
  before: readonly Fields[] | null,
  { read, remove, clock }: DuplicateOptions,
): Promise<Fields> {
  if (operation.method !== "POST" || guard?.repeatable !== true || guard.names === undefined) return own;
  const identity = identityOf(own, guard);
  if (Object.keys(identity).length === 0 || before === null) return own;
  const others = async () =>
    (await read()).filter(
      (row) =>
        hasName(row, guard) &&
        !hasIdentity(row, identity) &&
        !before.some((known) => hasIdentity(row, known)) &&
        confirms(row, body ?? {}, guard),
    );
  try {
    let [duplicate] = await others();
    for (const wait of WAITS) {
      if (duplicate === undefined) return own;
      if (isSmaller(identityOf(duplicate, guard), identity)) break;
      await clock.sleep(wait);
      [duplicate] = await others();
    }
    if (duplicate === undefined) return own;
    await remove(own);
    return duplicate;
  } catch (error) {
    // The create succeeded. If there is a duplicate, the read after the last write will show it.
    if (error instanceof Unchecked) return own;
    throw error;
  }
}

/** Whether the left identity is the smaller one; both runs get the same result. */
function isSmaller(left: Fields, right: Fields): boolean {
  for (const [name, value] of Object.entries(left)) {
    const other: Json | undefined = right[name];
    if (other !== undefined && !equal(value, other)) return String(value) < String(other);
  }
  return true;
}

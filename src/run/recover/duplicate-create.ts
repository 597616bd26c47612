/**
 * Resolves duplicates: two runs created the same at the same time, and the service does not require unique names. Each run reads the
 * list once more, and one of them removes the resource that it created itself. In a list without names, this is the run that appended
 * second, whatever the other one appended.
 */

import type { Clock } from "../../core/clock.ts";
import { equal, type Fields, type Json } from "../../core/json.ts";
import type { Operation } from "../../plan/model/plan.ts";
import { AppendRemoved, Unchecked } from "../exchange/failure.ts";
import type { FilledRequest } from "../exchange/request.ts";
import { confirms } from "../exchange/response-match.ts";
import { hasName, identityOf, isRow } from "../exchange/row-match.ts";

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
 * not remove its own, it read the list before this run's resource existed; then this run removes its own. Throws {@link AppendRemoved} if
 * this run removed what it appended to a list without names.
 */
export async function resolveDuplicate(
  operation: Operation,
  { guard, body }: FilledRequest,
  own: Fields,
  before: readonly Fields[] | null,
  { read, remove, clock }: DuplicateOptions,
): Promise<Fields> {
  if (operation.method !== "POST" || guard?.repeatable !== true) return own;
  const identity = identityOf(own, guard);
  if (Object.keys(identity).length === 0 || before === null) return own;
  const isAppend = guard.names === undefined;
  const others = async () =>
    (await read()).filter(
      (row) =>
        !isRow(row, identity) &&
        !before.some((known) => isRow(row, known)) &&
        (isAppend || (hasName(row, guard) && confirms(row, body ?? {}, guard))),
    );
  const isFirst = (row: Fields): boolean => isSmaller(identityOf(row, guard), identity);
  try {
    let duplicates = await others();
    for (const wait of WAITS) {
      if (duplicates.length === 0) return own;
      if (duplicates.some(isFirst)) break;
      await clock.sleep(wait);
      duplicates = await others();
    }
    const [duplicate] = duplicates;
    if (duplicate === undefined) return own;
    // Who appended second has seen ours. If it stays all the same, the check before the next append or the end of the run reports it.
    if (isAppend && !duplicates.some(isFirst)) return own;
    await remove(own);
    if (isAppend) throw new AppendRemoved(operation.address);
    return duplicate;
  } catch (error) {
    // The create succeeded. If there is a duplicate, the read after the last write will show it.
    if (error instanceof Unchecked) return own;
    throw error;
  }
}

/** Whether the left identity is the smaller one; both runs get the same result. A number is the rank in a list, and decides first. */
function isSmaller(left: Fields, right: Fields): boolean {
  for (const [name, value] of Object.entries(left)) {
    const other = right[name];
    if (typeof value === "number" && typeof other === "number" && value !== other) return value < other;
  }
  for (const [name, value] of Object.entries(left)) {
    const other: Json | undefined = right[name];
    if (other !== undefined && !equal(value, other)) return String(value) < String(other);
  }
  return true;
}

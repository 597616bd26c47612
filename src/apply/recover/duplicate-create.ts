/**
 * Two runs that create the same at the same time, where the service knows no unique name: each looks once more, and one of the
 * two entries goes. Each run only ever removes its own.
 */

import type { Clock } from "../../core/clock.ts";
import { equal, type Fields, type Json } from "../../core/json.ts";
import type { Operation } from "../../plan/plan.ts";
import { Unchecked } from "../execute/failure.ts";
import { identityOf, isNamed, isRow } from "../execute/read-current.ts";
import type { Filled } from "../execute/request.ts";
import { tells } from "../execute/response-match.ts";

/** What it takes. */
export interface Looking {
  /** The rows now. */
  readonly look: () => Promise<readonly Fields[]>;
  /** Removes the entry that this run has made. */
  readonly remove: (own: Fields) => Promise<void>;
  readonly clock: Clock;
}

/** So long the other run has to take its own away, before it is clear that it has not seen ours. In milliseconds. */
const PATIENCE: readonly number[] = [500, 1_000, 2_000];

/**
 * The entry that stays: the one that was made, or the other run's. The larger identity goes. A run that does not see it go
 * takes its own away instead: the other one had looked before ours was there.
 */
export async function settleTwins(
  operation: Operation,
  { guard, body }: Filled,
  own: Fields,
  before: readonly Fields[] | null,
  { look, remove, clock }: Looking,
): Promise<Fields> {
  if (operation.method !== "POST" || guard?.repeatable !== true || guard.names === undefined) return own;
  const identity = identityOf(own, guard);
  if (Object.keys(identity).length === 0 || before === null) return own;
  const others = async () =>
    (await look()).filter(
      (row) =>
        isNamed(row, guard) &&
        !isRow(row, identity) &&
        !before.some((known) => isRow(row, known)) &&
        tells(row, body ?? {}, guard),
    );
  try {
    let [twin] = await others();
    for (const wait of PATIENCE) {
      if (twin === undefined) return own;
      if (isAhead(identityOf(twin, guard), identity)) break;
      await clock.sleep(wait);
      [twin] = await others();
    }
    if (twin === undefined) return own;
    await remove(own);
    return twin;
  } catch (error) {
    // The creation was answered. That nobody could look for another one, the read after the last write will tell.
    if (error instanceof Unchecked) return own;
    throw error;
  }
}

/** Whether the left one stays: the same from either side. */
function isAhead(left: Fields, right: Fields): boolean {
  for (const [name, value] of Object.entries(left)) {
    const other: Json | undefined = right[name];
    if (other !== undefined && !equal(value, other)) return String(value) < String(other);
  }
  return true;
}

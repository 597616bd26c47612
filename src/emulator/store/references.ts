/** References between resources, counted by the modules that hold them, for the modules that delete the referenced ones. */

import type { Dialects } from "../dialects.ts";
import { unprocessable } from "../http/http-error.ts";
import type { Database } from "./database.ts";

/** The advice of the wire facts for option lists, custom fields and runbooks. */
export const disableInstead = "Disable it instead.";

/** A counter of one kind of reference to resources of one kind. */
export interface ReferenceCounter {
  /** The path of the referenced resources: `severities`, `custom_fields`, `catalog/types`. */
  readonly target: string;
  /** The noun for one reference in messages: `incident`, `runbook condition`. */
  readonly noun: string;
  /** Whether it counts under the dialect `delete_guard: incidents` too. */
  readonly isAlwaysCounted: boolean;
  /** The number of references to the resource with this id. */
  count(database: Database, id: string): number;
}

/** A counter of references that are rows in SQL, such as `deliveries WHERE webhook_id = ?`. */
export function rowCounter(target: string, noun: string, rows: string, isAlwaysCounted: boolean): ReferenceCounter {
  const sql = `SELECT COUNT(*) FROM ${rows}`;
  return { target, noun, isAlwaysCounted, count: (database, id) => database.scalar(sql, [id]) };
}

/** The context in which references are counted: a request, or the service. */
export interface ReferenceScope {
  readonly database: Database;
  readonly dialects: Dialects;
  readonly referenceCounters: readonly ReferenceCounter[];
}

/**
 * The counts of references to the resource with this id, by kind and without zeros. The dialect `delete_guard`
 * determines the kinds.
 */
export function countReferences(
  id: string,
  target: string,
  { database, dialects, referenceCounters }: ReferenceScope,
): readonly { readonly noun: string; readonly count: number }[] {
  return referenceCounters
    .filter(
      (reference) => reference.target === target && (reference.isAlwaysCounted || dialects.delete_guard === "any"),
    )
    .map(({ noun, count }) => ({ noun, count: count(database, id) }))
    .filter(({ count }) => count > 0);
}

/** Throws 422 with the count if the resource is still referenced. `advice` is the last sentence of the message. */
export function refuseIfReferenced(
  entry: { readonly id: string; readonly name: string },
  target: string,
  scope: ReferenceScope,
  advice?: string,
): void {
  const counts = countReferences(entry.id, target, scope);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const [first, ...others] = counts;
  if (first === undefined) return;
  const parts = counts.map(({ noun, count }) => `${count} ${noun}(s)`).join(", ");
  const uses = others.length === 0 ? parts : `${total} references (${parts})`;
  const message = `${entry.name} is in use by ${uses} and cannot be deleted.`;
  throw unprocessable(advice === undefined ? message : `${message} ${advice}`);
}

/** References: what points at an entry, told by the rooms that do the pointing and asked by the rooms that delete. */

import type { Dialects } from "../dialects.ts";
import { refused } from "../http/http-error.ts";
import type { Database } from "./database.ts";

/** One way of pointing: rows of some room at the entries of a target. */
export interface Reference {
  /** What is pointed at, by its path: `severities`, `custom_fields`, `catalog/types`. */
  readonly target: string;
  /** What one pointing row is called in a message: `incident`, `runbook condition`. */
  readonly noun: string;
  /** True when the dialect `delete_guard: incidents` counts it too. */
  readonly always: boolean;
  /** How many rows point at the entry with this id. */
  count(database: Database, id: string): number;
}

/** Where references are looked for: a call, or the running service. */
export interface ReferenceScope {
  readonly database: Database;
  readonly dialects: Dialects;
  readonly references: readonly Reference[];
}

/** How many rows of each kind point at the entry with this id, as the dialect `delete_guard` counts them; no zeros. */
export function countReferences(
  id: string,
  target: string,
  { database, dialects, references }: ReferenceScope,
): readonly { readonly noun: string; readonly count: number }[] {
  return references
    .filter((reference) => reference.target === target && (reference.always || dialects.delete_guard === "any"))
    .map(({ noun, count }) => ({ noun, count: count(database, id) }))
    .filter(({ count }) => count > 0);
}

/** Throws 422 with the count when something still points at the entry. */
export function guardReferences(
  entry: { readonly id: string; readonly name: string },
  target: string,
  scope: ReferenceScope,
): void {
  const counts = countReferences(entry.id, target, scope);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const [first, ...others] = counts;
  if (first === undefined) return;
  const parts = counts.map(({ noun, count }) => `${count} ${noun}(s)`).join(", ");
  const uses = others.length === 0 ? parts : `${total} references (${parts})`;
  throw refused(`${entry.name} is in use by ${uses} and cannot be deleted. Disable it instead.`);
}

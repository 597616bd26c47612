/** The look before a write whose address may have come to mean another entry: a rule's priority is taken by the next one. */

import type { Reader } from "../api/connection.ts";
import { rowsOf } from "../api/envelope.ts";
import { signOf } from "../api/retry.ts";
import { equal, type Fields } from "../json.ts";
import type { Operation } from "../plan/plan.ts";
import { NotAsPlanned, Unchecked } from "./failure.ts";

/** What the look found. */
export interface Checked {
  /** The row as it is; null where nothing had to be looked at. */
  readonly before: readonly Fields[] | null;
  /** The service's clock. */
  readonly date?: Date;
}

/**
 * Lists the collection and looks for the planned row, which holds its own address.
 * Throws {@link NotAsPlanned} when it is not there, {@link Unchecked} when the list cannot be read.
 */
export async function checkGuard(reader: Reader, operation: Operation): Promise<Checked> {
  const { guard, address } = operation;
  if (guard === undefined) return { before: null };
  const { path, query, list, row } = guard;
  const { rows, date } = await readRows(reader, operation, path, query, list);
  const found = rows.find((live) => holds(live, row));
  if (found === undefined) throw new NotAsPlanned(address, row);
  return { before: [found], ...(date === undefined ? {} : { date }) };
}

async function readRows(
  reader: Reader,
  { address, admin }: Operation,
  path: string,
  query: Readonly<Record<string, string>>,
  list: string,
): Promise<{ readonly rows: readonly Fields[]; readonly date: Date | undefined }> {
  try {
    const answer = await reader.get({ path, query, ...(admin === true ? { admin } : {}) });
    return { rows: rowsOf({ method: "GET", path }, answer, list), date: answer.date };
  } catch (error) {
    if (error instanceof Error && signOf(error) !== undefined) throw new Unchecked(address, error);
    throw error;
  }
}

function holds(live: Fields, planned: Fields): boolean {
  return Object.entries(planned).every(([name, value]) => equal(live[name] ?? null, value));
}

/** The check right before a write: the entry is as planned, or nobody has made it yet. */

import { type Reader, readingFor } from "../../api/http/connection.ts";
import type { Fields } from "../../core/json.ts";
import { fingerprint, type Operation, type Precondition } from "../../plan/plan.ts";
import { NotAsPlanned } from "./failure.ts";
import { identityOf, isNamed, isRow, look, pictureOf } from "./read-current.ts";
import type { Filled } from "./request.ts";

/** What the check found. */
export interface Checked {
  /** Null where nothing had to be looked at. */
  readonly before: readonly Fields[] | null;
  /** The service's clock. */
  readonly date?: Date | undefined;
  /** What is to be deleted is not there any more. */
  readonly gone?: true;
}

/** Throws {@link NotAsPlanned}, or `Unchecked` when nothing can be read. */
export async function check(reader: Reader, { address, method }: Operation, filled: Filled): Promise<Checked> {
  const { guard, body } = filled;
  if (guard === undefined || guard.unchecked === true) return { before: null };
  const { row } = guard;
  const looking = readingFor(reader, row === undefined ? "census" : "pre_image");
  const { rows, date } = await look(looking, address, filled, guard);
  if (row === undefined) return { before: census(address, rows, guard), date };
  const found = rows.find((live) => isRow(live, row));
  if (found !== undefined) return { before: [asPlanned(address, found, guard, body)], date };
  if (method === "DELETE") return { before: [], date, gone: true };
  throw new NotAsPlanned(address, "it is gone");
}

function asPlanned(address: string, found: Fields, guard: Precondition, body: Fields | null): Fields {
  const moved = Object.entries(guard.held ?? {}).filter(
    ([wire, held]) => found[wire] === undefined || fingerprint(found[wire]) !== held,
  );
  if (moved.length === 0) return pictureOf(found, guard, body);
  const names = moved.map(([wire]) => wire).join(", ");
  throw new NotAsPlanned(address, `somebody has changed its ${names}`);
}

/** Identities of the rows that a new one will be told from. */
function census(address: string, rows: readonly Fields[], guard: Precondition): readonly Fields[] {
  if (rows.some((row) => isNamed(row, guard))) throw new NotAsPlanned(address, "somebody has made it");
  if (isListChanged(rows, guard)) throw new NotAsPlanned(address, "somebody has changed the list that it is added to");
  const others = guard.repeatable === true ? rows : rows.filter((row) => guard.names?.some((name) => isRow(row, name)));
  return others.map((row) => identityOf(row, guard));
}

/** Whether a list without names, in which a new row is told by its place alone, holds other rows than were planned from. */
function isListChanged(rows: readonly Fields[], { names, known }: Precondition): boolean {
  if (names !== undefined || known === undefined) return false;
  return rows.length !== known.length || rows.some((row) => !known.some((identity) => isRow(row, identity)));
}

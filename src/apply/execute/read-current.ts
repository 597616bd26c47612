/** Reads what a guard speaks of: the rows of the list, and among them the one that is meant. */

import type { Answer, Ask, Reader } from "../../api/http/connection.ts";
import { signOf } from "../../api/http/retry.ts";
import { IncompleteList } from "../../api/read/cannot-read.ts";
import { memberOf } from "../../api/read/envelope.ts";
import { readList } from "../../api/read/list.ts";
import { ServiceError } from "../../api/read/service-error.ts";
import { equal, type Fields, type Json } from "../../core/json.ts";
import { fingerprint, type Precondition } from "../../plan/plan.ts";
import { Unchecked } from "./failure.ts";
import type { Filled } from "./request.ts";
import { wiresOf } from "./response-match.ts";

/** What was read. */
export interface Seen {
  readonly rows: readonly Fields[];
  /** The service's clock. */
  readonly date: Date | undefined;
}

/** The list, or only the entry where it can be read alone and is there. Throws {@link Unchecked}. */
export async function look(reader: Reader, address: string, filled: Filled, guard: Precondition): Promise<Seen> {
  let date: Date | undefined;
  const get = async (ask: Ask): Promise<Answer> => {
    const answer = await reader.get({ ...ask, ...(filled.ask.admin === true ? { admin: true } : {}) });
    date = answer.date ?? date;
    return answer;
  };
  try {
    const alone = guard.member === true ? await readMember(get, filled) : undefined;
    const { path, query, list, paginated } = guard;
    const listing = { ask: { path, query }, list, paginated: paginated === true, identity: ["id"] };
    const rows = alone === undefined ? await readList(get, listing) : [alone];
    return { rows, date };
  } catch (error) {
    if (error instanceof Error && (signOf(error) !== undefined || error instanceof IncompleteList)) {
      throw new Unchecked(address, error);
    }
    throw error;
  }
}

/** Undefined where there is no entry, or no way to read one alone: the list tells which. */
async function readMember(get: Reader["get"], { ask: { path }, item }: Filled): Promise<Fields | undefined> {
  try {
    return memberOf((await get({ path })).body, item);
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 404 || error.status === 405)) return undefined;
    throw error;
  }
}

/** Whether the row has every member of the identity. */
export function isRow(row: Fields, identity: Fields): boolean {
  return Object.entries(identity).every(([name, value]) => equal(row[name] ?? null, value));
}

/** What tells the row from others. */
export function identityOf(row: Fields, { identity }: Precondition): Fields {
  return Object.fromEntries(identity.flatMap((name) => (isTold(row[name]) ? [[name, row[name]]] : [])));
}

/** Whether the row has the entry's name and is none of those known. */
export function isNamed(row: Fields, { names = [], known = [] }: Precondition): boolean {
  return names.some((name) => isRow(row, name)) && !known.some((identity) => isRow(row, identity));
}

/** The row's identity, and a fingerprint of every field that was planned from or is sent. */
export function pictureOf(row: Fields, guard: Precondition, body: Fields | null): Fields {
  const sent = Object.keys(body ?? {}).flatMap((field) => wiresOf(field, guard));
  const wires = [...new Set([...Object.keys(guard.held ?? {}), ...sent])].filter((wire) => row[wire] !== undefined);
  return {
    ...Object.fromEntries(wires.map((wire) => [wire, fingerprint(row[wire] ?? null)])),
    ...identityOf(row, guard),
  };
}

function isTold(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

/** Reads the most recent incidents, newest first. */

import type { Reader } from "../api/http/connection.ts";
import { CannotRead } from "../api/read/cannot-read.ts";
import { pageOf, rowsOf } from "../api/read/envelope.ts";
import { readList } from "../api/read/list.ts";
import { type RequestLine, ServiceError } from "../api/read/service-error.ts";
import type { Fields } from "../core/json.ts";

const PATH = "/api/v1/incidents";

/** Maximum of the interface (section "Pagination"). */
const PER_PAGE = 100;

/** The last incidents. Throws {@link CannotRead} with the permission that the token lacks. */
export async function recentIncidents(reader: Reader, last: number): Promise<readonly Fields[]> {
  try {
    const rows = await firstRows(reader, last);
    // The interface does not specify an order: if the list does not start with the newest incident, all of it is read.
    return isNewestFirst(rows) ? rows : (await allRows(reader)).toSorted(byDeclaration).slice(0, last);
  } catch (error) {
    if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) {
      throw new CannotRead({ name: "incidents (permission incidents.read)", admin: false }, "", error);
    }
    throw error;
  }
}

/** The rows of the first pages, each once: a new incident shifts the others while pages are read. */
async function firstRows(reader: Reader, last: number): Promise<readonly Fields[]> {
  const request: RequestLine = { method: "GET", path: PATH };
  const size = Math.min(last, PER_PAGE);
  const rows = new Map<string, Fields>();
  for (let page = 1; rows.size < last; page++) {
    const answer = await reader.get({
      path: PATH,
      query: { page: String(page), per_page: String(size) },
      purpose: "incidents",
    });
    const added = rowsOf(request, answer, "incidents");
    for (const row of added) rows.set(String(row.id ?? rows.size), row);
    const pagination = pageOf(request, answer);
    if (added.length === 0 || pagination === undefined || page * pagination.perPage >= pagination.total) break;
  }
  return [...rows.values()].slice(0, last);
}

function allRows(reader: Reader): Promise<readonly Fields[]> {
  const ask = { path: PATH, purpose: "incidents" } as const;
  return readList((one) => reader.get(one), { request: ask, list: "incidents", paginated: true, identity: ["id"] });
}

function isNewestFirst(rows: readonly Fields[]): boolean {
  return rows.every((row, at) => at === 0 || momentOf(rows[at - 1] ?? row) >= momentOf(row));
}

function byDeclaration(left: Fields, right: Fields): number {
  return momentOf(right) - momentOf(left);
}

function momentOf({ declared_at, created_at }: Fields): number {
  const moment = Date.parse(String(declared_at ?? created_at));
  return Number.isNaN(moment) ? 0 : moment;
}

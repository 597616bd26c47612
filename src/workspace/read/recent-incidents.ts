/** Reads the most recent incidents, newest first. */

import type { Fields } from "../../core/json.ts";
import { CannotRead } from "../../service/lists/cannot-read.ts";
import { readFirstRows, readList } from "../../service/lists/list.ts";
import type { ApiRequest, Reader } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";

const LIST: ApiRequest = { path: "/api/v1/incidents", purpose: "incidents" };

/** The last incidents. Throws {@link CannotRead} with the permission that the token lacks. */
export async function recentIncidents(reader: Reader, last: number): Promise<readonly Fields[]> {
  try {
    const { rows } = await readFirstRows((one) => reader.get(one), LIST, "incidents", last);
    // The interface does not specify an order: if the list does not start with the newest incident, all of it is read.
    return isNewestFirst(rows) ? rows : (await allRows(reader)).toSorted(byDeclaration).slice(0, last);
  } catch (error) {
    if (error instanceof ServiceError && [401, 403, 404].includes(error.status)) {
      throw new CannotRead({ name: "incidents (permission incidents.read)", admin: false }, "", error);
    }
    throw error;
  }
}

function allRows(reader: Reader): Promise<readonly Fields[]> {
  return readList((one) => reader.get(one), { request: LIST, list: "incidents", paginated: true, identity: ["id"] });
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

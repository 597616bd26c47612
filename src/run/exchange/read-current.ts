/** Reads the current rows that a precondition is about. */

import { type Fields, hasMembers, objectsIn } from "../../core/json.ts";
import type { Precondition } from "../../plan/model/plan.ts";
import { classifyFailure } from "../../service/http/retry.ts";
import { IncompleteList } from "../../service/lists/cannot-read.ts";
import { memberOf } from "../../service/lists/envelope.ts";
import { readList } from "../../service/lists/list.ts";
import type { ApiRequest, ApiResponse, Reader } from "../../service/requests/connection.ts";
import { ServiceError } from "../../service/requests/service-error.ts";
import { Unchecked } from "./failure.ts";
import type { FilledRequest } from "./request.ts";

/** Rows as they are now. */
export interface CurrentRows {
  readonly rows: readonly Fields[];
  /** Time by the service's clock. */
  readonly date: Date | undefined;
}

/** Reads the list, or only the resource if it exists and can be read alone. Throws {@link Unchecked}. */
export async function readCurrent(
  reader: Reader,
  address: string,
  filled: FilledRequest,
  guard: Precondition,
): Promise<CurrentRows> {
  let date: Date | undefined;
  const get = async (request: ApiRequest): Promise<ApiResponse> => {
    const response = await reader.get({ ...request, ...(filled.request.admin === true ? { admin: true } : {}) });
    date = response.date ?? date;
    return response;
  };
  try {
    const member = guard.member === true ? await readMember(get, filled) : undefined;
    const { path, query, list, paginated } = guard;
    const listing = { request: { path, query }, list, paginated: paginated === true, identity: ["id"] };
    const rows = member === undefined ? await readList(get, listing) : [member];
    return { rows: guard.within === undefined ? rows : itemsWithin(rows, guard.within), date };
  } catch (error) {
    if (error instanceof Error && (classifyFailure(error) !== undefined || error instanceof IncompleteList)) {
      throw new Unchecked(address, error);
    }
    throw error;
  }
}

/** The items of a list in the row that has these fields; none if there is no such row. */
function itemsWithin(rows: readonly Fields[], { row, list }: NonNullable<Precondition["within"]>): readonly Fields[] {
  return objectsIn(rows.find((one) => hasMembers(one, row))?.[list]);
}

/** Reads the resource alone. Undefined if it does not exist or cannot be read alone: the list shows which. */
async function readMember(get: Reader["get"], { request: { path }, item }: FilledRequest): Promise<Fields | undefined> {
  try {
    return memberOf((await get({ path })).body, item);
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 404 || error.status === 405)) return undefined;
    throw error;
  }
}

/** Reads the first rows of a list in pages. Unlike `list.ts`, it does not prove that nothing is missing among them. */

import type { Fields } from "../../core/json.ts";
import type { ApiRequest, Reader } from "../requests/connection.ts";
import type { RequestLine } from "../requests/service-error.ts";
import { pageOf, rowsOf } from "./envelope.ts";

/** Maximum of the interface (section "Pagination"). */
const PER_PAGE = 100;

/** The first rows of a list, each once. */
export interface FirstRows {
  readonly rows: readonly Fields[];
  /** The list has no other rows. */
  readonly isWhole: boolean;
}

/** Reads pages until `most` rows are read or there are no more. A new row shifts the others while pages are read. */
export async function readFirstRows(
  get: Reader["get"],
  ask: ApiRequest,
  list: string,
  most: number,
): Promise<FirstRows> {
  const request: RequestLine = { method: "GET", path: ask.path };
  const size = Math.min(most, PER_PAGE);
  const rows = new Map<string, Fields>();
  for (let page = 1; ; page++) {
    const response = await get({ ...ask, query: { ...ask.query, page: String(page), per_page: String(size) } });
    const added = rowsOf(request, response, list);
    for (const row of added) rows.set(String(row.id ?? rows.size), row);
    const pagination = pageOf(request, response);
    const total = pagination?.total ?? (added.length < size ? rows.size : Number.POSITIVE_INFINITY);
    const isLast = added.length === 0 || pagination === undefined || page * pagination.perPage >= total;
    if (!isLast && rows.size < most) continue;
    return { rows: [...rows.values()].slice(0, most), isWhole: rows.size === total && total <= most };
  }
}

/**
 * Reads one list completely, or its first rows. A list may change between its pages, so a reading counts only if every page reports the same total, the
 * rows add up to it, and no row occurs twice; otherwise the list is read again from the start. One row may appear as another
 * disappears, with the same total: if that matters, the list is read until two readings agree.
 */

import { equal, type Fields } from "../../core/json.ts";
import { addTo, groupBy } from "../../core/lists.ts";
import type { ApiRequest, ApiResponse, Reader } from "../requests/connection.ts";
import type { RequestLine } from "../requests/service-error.ts";
import { IncompleteList } from "./cannot-read.ts";
import { type Page, pageOf, rowsOf } from "./envelope.ts";

/** The interface's maximum (heading "Pagination"). */
const PER_PAGE = 100;
/** Largest believable total. */
const MOST_ROWS = 100_000;
const MOST_PAGES = MOST_ROWS / PER_PAGE;
/** Most readings of a list; of a list in pages, two of which must agree. */
const READINGS = 3;
const READINGS_OF_PAGES = 4;

/** A list to read. */
export interface Listing {
  readonly request: ApiRequest;
  /** Key of the array. */
  readonly list: string;
  /** Ask for pages. A list that comes in pages unasked is read page by page as well. */
  readonly paginated: boolean;
  /** Fields that identify a row; the first one present counts. */
  readonly identity: readonly string[];
  /** The existence of every row matters: a list in pages is read until two readings have the same rows. */
  readonly certain?: boolean;
}

/** All rows of a list, and the number of its pages. */
interface CompleteList {
  readonly rows: readonly Fields[];
  readonly pages: number;
}

/** Returns all rows of a list. Throws {@link IncompleteList} if it cannot be proved complete. */
export async function readList(get: Reader["get"], listing: Listing): Promise<readonly Fields[]> {
  return (await readWhole(get, listing)).rows;
}

/**
 * Returns all rows of a list and the number of its pages. `earlier` are the rows of a previous reading, which this one must agree
 * with if `certain` is set. Throws {@link IncompleteList} if the list cannot be proved complete.
 */
export async function readWhole(
  get: Reader["get"],
  listing: Listing,
  earlier?: readonly Fields[],
): Promise<CompleteList> {
  let doubt = "";
  let readings = earlier === undefined ? 0 : 1;
  let before = earlier === undefined ? undefined : namesOf(earlier, listing);
  for (let most = earlier === undefined ? READINGS : READINGS_OF_PAGES; readings < most; readings++) {
    const reading = await readOnce(readings === 0 ? get : asRepetition(get), listing);
    if ("doubt" in reading) {
      doubt = reading.doubt;
      before = undefined;
      continue;
    }
    if (reading.pages === 1 || listing.certain !== true) return reading;
    const now = namesOf(reading.rows, listing);
    if (now === before) return reading;
    if (before !== undefined) doubt = "every reading returned other items";
    before = now;
    most = READINGS_OF_PAGES;
  }
  throw new IncompleteList(listing.request.path, `${doubt}, ${readings} times in a row`);
}

/** The rows of one reading, or the reason to doubt them. */
type ListReading = CompleteList | { readonly doubt: string };

/** Gives every request the purpose `again`: readings after the first only prove that no row is missing. */
function asRepetition(get: Reader["get"]): Reader["get"] {
  return (request) => get({ ...request, purpose: "again" });
}

async function readOnce(get: Reader["get"], listing: Listing): Promise<ListReading> {
  const request: RequestLine = { method: "GET", path: listing.request.path };
  const first = await get(listing.paginated ? pageRequest(listing.request, 1, PER_PAGE) : listing.request);
  const page = pageOf(request, first);
  const rows = [...rowsOf(request, first, listing.list)];
  if (page === undefined) {
    // A full page without a pagination object may be the first of many.
    const full = listing.paginated && rows.length === PER_PAGE;
    return full ? { doubt: "a full page came without a pagination object" } : withoutDuplicates(rows, 1, listing);
  }
  const pages = pagesOf(listing, page);
  /** By first row: only pages with the same one are compared in full. */
  const earlier = groupBy([[...rows]], beginning);
  for (const response of await otherPages(get, listing.request, page.perPage, pages)) {
    if (pageOf(request, response)?.total !== page.total) return { doubt: "its total changed between the pages" };
    const more = rowsOf(request, response, listing.list);
    if (earlier.get(beginning(more))?.some((other) => equal(other, more)) === true)
      return { doubt: "the same page came twice" };
    addTo(earlier, beginning(more), [...more]);
    rows.push(...more);
  }
  if (rows.length !== page.total) return { doubt: `${rows.length} of ${page.total} items came` };
  return withoutDuplicates(rows, pages, listing);
}

function beginning([first]: readonly Fields[]): string {
  return JSON.stringify(first ?? null);
}

/** Number of pages, at the page size that the service has chosen. */
function pagesOf({ request }: Listing, { total, perPage }: Page): number {
  const pages = Math.max(1, Math.ceil(total / perPage));
  if (total > MOST_ROWS) throw new IncompleteList(request.path, `it claims to have ${total} items`);
  if (pages > MOST_PAGES) throw new IncompleteList(request.path, `it claims to have ${pages} pages`);
  return pages;
}

/** The pages after the first. */
function otherPages(
  get: Reader["get"],
  request: ApiRequest,
  perPage: number,
  pages: number,
): Promise<readonly ApiResponse[]> {
  return Promise.all(Array.from({ length: pages - 1 }, (_, at) => get(pageRequest(request, at + 2, perPage))));
}

function pageRequest(request: ApiRequest, page: number, perPage: number): ApiRequest {
  return { ...request, query: { ...request.query, page: String(page), per_page: String(perPage) } };
}

function withoutDuplicates(rows: readonly Fields[], pages: number, listing: Listing): ListReading {
  const identities = new Set<string>();
  for (const row of rows) {
    const name = nameOf(row, listing);
    if (identities.has(name)) return { doubt: `the item with ${name} came twice` };
    if (!name.startsWith("{")) identities.add(name);
  }
  return { rows, pages };
}

function namesOf(rows: readonly Fields[], listing: Listing): string {
  return rows
    .map((row) => nameOf(row, listing))
    .sort()
    .join("\n");
}

/** Identity of a row: its first identity field, or the whole row without one. */
function nameOf(row: Fields, { identity }: Listing): string {
  for (const field of identity) {
    const value = row[field];
    if (value !== undefined && value !== null) return `${field} ${JSON.stringify(value)}`;
  }
  return JSON.stringify(row);
}

/** The first rows of a list, each once. */
export interface FirstRows {
  readonly rows: readonly Fields[];
  /** The list has no other rows. */
  readonly isWhole: boolean;
}

/**
 * Reads pages until `most` rows are read or there are no more. It does not prove that nothing is missing among them: a new row shifts the
 * others while pages are read.
 */
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
    const response = await get(pageRequest(ask, page, size));
    const added = rowsOf(request, response, list);
    for (const row of added) rows.set(String(row.id ?? rows.size), row);
    const pagination = pageOf(request, response);
    const total = pagination?.total ?? (added.length < size ? rows.size : Number.POSITIVE_INFINITY);
    const isLast = added.length === 0 || pagination === undefined || page * pagination.perPage >= total;
    if (!isLast && rows.size < most) continue;
    return { rows: [...rows.values()].slice(0, most), isWhole: rows.size === total && total <= most };
  }
}

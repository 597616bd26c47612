/**
 * Reading one list whole. A list may come in pages and may change between them, so what was read is believed only when
 * every page tells the same total, the rows add up to it, and no row came twice; otherwise it is read again from the start.
 */

import type { Fields } from "../json.ts";
import { IncompleteList } from "./cannot-read.ts";
import type { Answer, Ask, Reader } from "./connection.ts";
import { type Page, pageOf, rowsOf } from "./envelope.ts";
import type { Asked } from "./service-error.ts";

/** The interface's maximum (heading "Pagination"). */
const PER_PAGE = 100;
/** Beyond this a total is not believed. */
const MOST_ROWS = 100_000;
const READINGS = 3;

/** A list to be read. */
export interface Listing {
  readonly ask: Ask;
  /** Key of the array. */
  readonly list: string;
  /** Ask for pages; a list that answers in pages without being asked is read page by page as well. */
  readonly paginated: boolean;
  /** Fields that name a row, the first present counts. */
  readonly identity: readonly string[];
}

/** Every row of a list. Throws {@link IncompleteList} when it cannot be proved whole. */
export async function readList(get: Reader["get"], listing: Listing): Promise<readonly Fields[]> {
  let doubt = "";
  for (let reading = 0; reading < READINGS; reading++) {
    const rows = await readOnce(get, listing);
    if (typeof rows !== "string") return rows;
    doubt = rows;
  }
  throw new IncompleteList(listing.ask.path, `${doubt}, ${READINGS} times in a row`);
}

/** The rows, or why they are not believed. */
async function readOnce(get: Reader["get"], listing: Listing): Promise<readonly Fields[] | string> {
  const asked: Asked = { method: "GET", path: listing.ask.path };
  const first = await get(listing.paginated ? pageAsk(listing.ask, 1, PER_PAGE) : listing.ask);
  const page = pageOf(asked, first);
  const rows = [...rowsOf(asked, first, listing.list)];
  if (page === undefined) {
    // A full page without a pagination object may be the first of many.
    if (listing.paginated && rows.length === PER_PAGE) return "a full page came without a pagination object";
    return repeated(rows, listing) ?? rows;
  }
  if (page.total > MOST_ROWS) throw new IncompleteList(listing.ask.path, `it claims to have ${page.total} entries`);
  for (const answer of await otherPages(get, listing.ask, page)) {
    if (pageOf(asked, answer)?.total !== page.total) return "its total changed between the pages";
    rows.push(...rowsOf(asked, answer, listing.list));
  }
  if (rows.length !== page.total) return `${rows.length} of ${page.total} entries came`;
  return repeated(rows, listing) ?? rows;
}

/** The pages after the first, in the size that the service has chosen. */
function otherPages(get: Reader["get"], ask: Ask, { total, perPage }: Page): Promise<readonly Answer[]> {
  const pages = Math.ceil(total / perPage);
  return Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, at) => get(pageAsk(ask, at + 2, perPage))));
}

function pageAsk(ask: Ask, page: number, perPage: number): Ask {
  return { ...ask, query: { ...ask.query, page: String(page), per_page: String(perPage) } };
}

function repeated(rows: readonly Fields[], { identity }: Listing): string | undefined {
  const seen = new Set<string>();
  for (const row of rows) {
    const name = identity.find((field) => row[field] !== undefined && row[field] !== null);
    if (name === undefined) continue;
    const value = `${name} ${JSON.stringify(row[name])}`;
    if (seen.has(value)) return `the entry with ${value} came twice`;
    seen.add(value);
  }
  return undefined;
}

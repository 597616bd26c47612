/**
 * Reading one list whole. A list may come in pages and may change between them, so what was read is believed only when
 * every page tells the same total, the rows add up to it, and no row came twice; otherwise it is read again from the start.
 * One row may come as another goes, and the total stays the same: where that matters, pages are read until two readings agree.
 */

import type { Fields } from "../../core/json.ts";
import type { Answer, Ask, Reader } from "../http/connection.ts";
import { IncompleteList } from "./cannot-read.ts";
import { type Page, pageOf, rowsOf } from "./envelope.ts";
import type { Asked } from "./service-error.ts";

/** The interface's maximum (heading "Pagination"). */
const PER_PAGE = 100;
/** Beyond this a total is not believed. */
const MOST_ROWS = 100_000;
const MOST_PAGES = MOST_ROWS / PER_PAGE;
/** Of a list in one piece, and of one in pages, which takes two to be believed. */
const READINGS = 3;
const READINGS_OF_PAGES = 4;

/** A list to be read. */
export interface Listing {
  readonly ask: Ask;
  /** Key of the array. */
  readonly list: string;
  /** Ask for pages; a list that answers in pages without being asked is read page by page as well. */
  readonly paginated: boolean;
  /** Fields that name a row, the first present counts. */
  readonly identity: readonly string[];
  /** It is to be known of every row whether it exists: a list in pages is read until two readings hold the same rows. */
  readonly certain?: true;
}

/** Every row of a list, and in how many pages they came. */
interface Whole {
  readonly rows: readonly Fields[];
  readonly pages: number;
}

/** Every row of a list. Throws {@link IncompleteList} when it cannot be proved whole. */
export async function readList(get: Reader["get"], listing: Listing): Promise<readonly Fields[]> {
  return (await readWhole(get, listing)).rows;
}

/**
 * Reads a list; `already` are the rows of a reading before this one, with which it has to agree where that matters. Throws
 * {@link IncompleteList} when it cannot be proved whole.
 */
export async function readWhole(get: Reader["get"], listing: Listing, already?: readonly Fields[]): Promise<Whole> {
  let doubt = "";
  let readings = already === undefined ? 0 : 1;
  let before = already === undefined ? undefined : namesOf(already, listing);
  for (let most = already === undefined ? READINGS : READINGS_OF_PAGES; readings < most; readings++) {
    const reading = await readOnce(readings === 0 ? get : again(get), listing);
    if ("doubt" in reading) {
      doubt = reading.doubt;
      before = undefined;
      continue;
    }
    if (reading.pages === 1 || listing.certain !== true) return reading;
    const now = namesOf(reading.rows, listing);
    if (now === before) return reading;
    if (before !== undefined) doubt = "other entries came at each reading";
    before = now;
    most = READINGS_OF_PAGES;
  }
  throw new IncompleteList(listing.ask.path, `${doubt}, ${readings} times in a row`);
}

/** What a list held, or why that is not believed. */
type Reading = Whole | { readonly doubt: string };

/** Whatever is read after the first time proves what is missing. */
function again(get: Reader["get"]): Reader["get"] {
  return (ask) => get({ ...ask, purpose: "again" });
}

async function readOnce(get: Reader["get"], listing: Listing): Promise<Reading> {
  const asked: Asked = { method: "GET", path: listing.ask.path };
  const first = await get(listing.paginated ? pageAsk(listing.ask, 1, PER_PAGE) : listing.ask);
  const page = pageOf(asked, first);
  const rows = [...rowsOf(asked, first, listing.list)];
  if (page === undefined) {
    // A full page without a pagination object may be the first of many.
    const full = listing.paginated && rows.length === PER_PAGE;
    return full ? { doubt: "a full page came without a pagination object" } : unrepeated(rows, 1, listing);
  }
  const pages = pagesOf(listing, page);
  const contents = new Contents(rows);
  for (const answer of await otherPages(get, listing.ask, page.perPage, pages)) {
    if (pageOf(asked, answer)?.total !== page.total) return { doubt: "its total changed between the pages" };
    const more = rowsOf(asked, answer, listing.list);
    if (contents.holds(more)) return { doubt: "the same page came twice" };
    contents.add(more);
    rows.push(...more);
  }
  if (rows.length !== page.total) return { doubt: `${rows.length} of ${page.total} entries came` };
  return unrepeated(rows, pages, listing);
}

/** What pages hold, by their first rows: only of pages that begin alike all of it is compared. */
class Contents {
  readonly #pages = new Map<string, (readonly Fields[])[]>();

  constructor(page: readonly Fields[]) {
    this.add([...page]);
  }

  add(page: readonly Fields[]): void {
    const alike = this.#pages.get(beginning(page));
    if (alike === undefined) this.#pages.set(beginning(page), [page]);
    else alike.push(page);
  }

  holds(page: readonly Fields[]): boolean {
    const alike = this.#pages.get(beginning(page)) ?? [];
    return alike.some((other) => JSON.stringify(other) === JSON.stringify(page));
  }
}

function beginning([first]: readonly Fields[]): string {
  return JSON.stringify(first ?? null);
}

/** How many pages there are, in the size that the service has chosen. */
function pagesOf({ ask }: Listing, { total, perPage }: Page): number {
  const pages = Math.max(1, Math.ceil(total / perPage));
  if (total > MOST_ROWS) throw new IncompleteList(ask.path, `it claims to have ${total} entries`);
  if (pages > MOST_PAGES) throw new IncompleteList(ask.path, `it claims to have ${pages} pages`);
  return pages;
}

/** The pages after the first. */
function otherPages(get: Reader["get"], ask: Ask, perPage: number, pages: number): Promise<readonly Answer[]> {
  return Promise.all(Array.from({ length: pages - 1 }, (_, at) => get(pageAsk(ask, at + 2, perPage))));
}

function pageAsk(ask: Ask, page: number, perPage: number): Ask {
  return { ...ask, query: { ...ask.query, page: String(page), per_page: String(perPage) } };
}

function unrepeated(rows: readonly Fields[], pages: number, listing: Listing): Reading {
  const seen = new Set<string>();
  for (const row of rows) {
    const name = nameOf(row, listing);
    if (seen.has(name)) return { doubt: `the entry with ${name} came twice` };
    if (!name.startsWith("{")) seen.add(name);
  }
  return { rows, pages };
}

function namesOf(rows: readonly Fields[], listing: Listing): string {
  return rows
    .map((row) => nameOf(row, listing))
    .sort()
    .join("\n");
}

/** What tells a row from others; all of it, where it has no name. */
function nameOf(row: Fields, { identity }: Listing): string {
  for (const field of identity) {
    const value = row[field];
    if (value !== undefined && value !== null) return `${field} ${JSON.stringify(value)}`;
  }
  return JSON.stringify(row);
}

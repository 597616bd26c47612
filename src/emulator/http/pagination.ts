/** The pages of a long listing: `page` and `per_page` of a query, and the `pagination` object of an answer. */

/** The part of a listing that was asked for. */
export interface Page {
  readonly page: number;
  readonly per_page: number;
}

/** The `pagination` object; total_pages is 0 when nothing matches. */
export type Pagination = {
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
  readonly total_pages: number;
};

const defaultPerPage = 25;
const maximumPerPage = 100;

/** Reads `page` (default 1) and `per_page` (default 25, 1 to 100); text that is no number counts as 0 and lands at 1. */
export function pageOf(query: URLSearchParams): Page {
  return {
    page: countOf(query, "page", 1, Number.MAX_SAFE_INTEGER),
    per_page: countOf(query, "per_page", defaultPerPage, maximumPerPage),
  };
}

/** The `pagination` object for a total. */
export function pagination(page: Page, total: number): Pagination {
  return { ...page, total, total_pages: Math.ceil(total / page.per_page) };
}

/** Where the page lies in the listing, in rows; a page past the end lies at the end and is empty. */
export function rowsOf({ page, per_page }: Page, total: number): { limit: number; offset: number } {
  return { limit: per_page, offset: Math.min(total, (page - 1) * per_page) };
}

/** A count of a query, held between 1 and the maximum; `fallback` when it is absent or blank, 1 when it is no number. */
export function countOf(query: URLSearchParams, name: string, fallback: number, maximum: number): number {
  const text = query.get(name);
  if (text === null || text.trim() === "") return fallback;
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? 1 : Math.min(maximum, Math.max(1, number));
}

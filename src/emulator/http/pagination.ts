/** Pages of a long list: `page` and `per_page` of the query, and the `pagination` object of the response. */

/** The requested page. */
export interface PageRequest {
  readonly page: number;
  readonly per_page: number;
}

/** The `pagination` object. total_pages is 0 for an empty list. */
export type Pagination = {
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
  readonly total_pages: number;
};

const defaultPerPage = 25;
const maximumPerPage = 100;

/** Reads `page` (default 1) and `per_page` (default 25, 1 to 100). Text that is not a number becomes 1. */
export function readPageRequest(query: URLSearchParams): PageRequest {
  return {
    page: readCount(query, "page", 1, Number.MAX_SAFE_INTEGER),
    per_page: readCount(query, "per_page", defaultPerPage, maximumPerPage),
  };
}

/** The `pagination` object for a total. */
export function pagination(page: PageRequest, total: number): Pagination {
  return { ...page, total, total_pages: Math.ceil(total / page.per_page) };
}

/** The page as a range of rows. A page past the end is empty. */
export function rowRange({ page, per_page }: PageRequest, total: number): { limit: number; offset: number } {
  return { limit: per_page, offset: Math.min(total, (page - 1) * per_page) };
}

/** A number of the query, limited to 1 to `maximum`; `fallback` if absent or blank, 1 if not a number. */
export function readCount(query: URLSearchParams, name: string, fallback: number, maximum: number): number {
  const text = query.get(name);
  if (text === null || text.trim() === "") return fallback;
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? 1 : Math.min(maximum, Math.max(1, number));
}

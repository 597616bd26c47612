/** Pages of a long list: `page` and `per_page` of the query, and the `pagination` object of the response. */

import { type ListSchema, listOf, type ObjectSchema, objectSchema } from "./response-schema.ts";
import type { SchemaValue, ValueSchema } from "./value-schema.ts";

const defaultPerPage = 25;
const maximumPerPage = 100;

const paginationProperties = {
  page: { type: "integer", minimum: 1 },
  per_page: { type: "integer", minimum: 1, maximum: 100 },
  total: { type: "integer", minimum: 0, examples: [1] },
  total_pages: { type: "integer", minimum: 0, description: "0 for an empty list.", examples: [1] },
} as const;

const paginationSchema: ObjectSchema<typeof paginationProperties> = objectSchema("Pagination", paginationProperties);

/** The `pagination` object. */
export type Pagination = SchemaValue<typeof paginationSchema>;

/** The query parameters of a long list. */
export const pageQuery: { readonly [name: string]: ValueSchema } = {
  page: { type: "integer", minimum: 1, description: "1 if absent. A page past the end is empty." },
  per_page: {
    type: "integer",
    minimum: 1,
    maximum: maximumPerPage,
    description: `Items on a page, ${defaultPerPage} if absent.`,
  },
};

/** The schema of one page of a list. */
export function pageSchema<const Name extends string, const Item extends ValueSchema>(
  title: string,
  name: Name,
  item: Item,
): ObjectSchema<{ readonly [Key in Name]: ListSchema<Item> } & { readonly pagination: typeof paginationSchema }> {
  const list = { [name]: listOf(item) } as { readonly [Key in Name]: ListSchema<Item> };
  return objectSchema(title, { ...list, pagination: paginationSchema });
}

/**
 * The page that the query asks for by `page` (1 by default) and `per_page` (25 by default, 1 to 100). Text that is not a number is 1.
 * `read` returns its rows; the offset of a page past the end is the total.
 */
export function readPage<Row>(
  query: URLSearchParams,
  total: number,
  read: (limit: number, offset: number) => readonly Row[],
): { readonly rows: readonly Row[]; readonly pagination: Pagination } {
  const page = readCount(query, "page", 1, Number.MAX_SAFE_INTEGER);
  const per_page = readCount(query, "per_page", defaultPerPage, maximumPerPage);
  const rows = read(per_page, Math.min(total, (page - 1) * per_page));
  return { rows, pagination: { page, per_page, total, total_pages: Math.ceil(total / per_page) } };
}

/** A number of the query, limited to 1 to `maximum`; `fallback` if absent or blank, 1 if not a number. */
export function readCount(query: URLSearchParams, name: string, fallback: number, maximum: number): number {
  const text = query.get(name);
  if (text === null || text.trim() === "") return fallback;
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? 1 : Math.min(maximum, Math.max(1, number));
}

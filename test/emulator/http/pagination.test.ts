import { expect, test } from "vitest";
import { readPage } from "../../../src/emulator/http/pagination.ts";

test.each([
  ["", 1, 25],
  ["page=3&per_page=10", 3, 10],
  ["page=0&per_page=0", 1, 1],
  ["page=-1&per_page=-1", 1, 1],
  ["per_page=101", 1, 100],
  ["page=x&per_page=x", 1, 1],
  ["page=&per_page=", 1, 25],
])("Pagination: %j is page %i of %i", (query, page, per_page) => {
  const { pagination } = readPage(new URLSearchParams(query), 7, () => []);
  expect(pagination).toMatchObject({ page, per_page });
});

test("Pagination: a page has no maximum, and past the end it is empty", () => {
  const { rows } = readPage(new URLSearchParams("page=99999999999999999999999"), 7, (...range) => range);
  expect(rows).toEqual([25, 7]);
});

test("Pagination: total_pages is 0 for an empty list", () => {
  const paginationOf = (total: number) => readPage(new URLSearchParams(), total, () => []).pagination;
  expect(paginationOf(0)).toEqual({ page: 1, per_page: 25, total: 0, total_pages: 0 });
  expect(paginationOf(26).total_pages).toBe(2);
});

import { describe, expect, test } from "vitest";
import type { ApiRequest, Reader } from "../../../src/service/requests/connection.ts";
import { recentIncidents } from "../../../src/workspace/read/incidents.ts";

/** A service with so many incidents, one for each minute; number 1 is the oldest. */
function serving(total: number, order: "newest first" | "oldest first"): { reader: Reader; asked: ApiRequest[] } {
  const asked: ApiRequest[] = [];
  const oldest = Array.from({ length: total }, (_, at) => ({
    id: String(at + 1),
    declared_at: new Date(at * 60_000).toISOString(),
  }));
  const all = order === "oldest first" ? oldest : oldest.toReversed();
  const reader: Reader = {
    host: "http://localhost",
    get: async (ask) => {
      asked.push(ask);
      const [page, per_page] = [Number(ask.query?.page), Number(ask.query?.per_page)];
      const rows = all.slice((page - 1) * per_page, page * per_page);
      const pagination = { page, per_page, total, total_pages: Math.ceil(total / per_page) };
      return { status: 200, body: { incidents: rows, pagination } };
    },
  };
  return { reader, asked };
}

describe("the most recent incidents", () => {
  test.each([
    { total: 250, last: 120, pages: 2, first: "250", count: 120 },
    { total: 250, last: 20, pages: 1, first: "250", count: 20 },
    { total: 30, last: 100, pages: 1, first: "30", count: 30 },
    { total: 0, last: 100, pages: 1, first: undefined, count: 0 },
  ])("$last of $total are read in $pages requests", async ({ total, last, pages, first, count }) => {
    const { reader, asked } = serving(total, "newest first");
    const rows = await recentIncidents(reader, last);
    expect(rows.length).toBe(count);
    expect(rows[0]?.id).toBe(first);
    expect(asked.length).toBe(pages);
  });

  test("are the newest ones even if the service lists the oldest first", async () => {
    const { reader } = serving(250, "oldest first");
    expect((await recentIncidents(reader, 3)).map(({ id }) => id)).toEqual(["250", "249", "248"]);
  });
});

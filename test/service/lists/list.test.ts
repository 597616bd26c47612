import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { IncompleteList } from "../../../src/service/lists/cannot-read.ts";
import { type Listing, readList } from "../../../src/service/lists/list.ts";
import { paged, serviceOf } from "../service.ts";

const path = "/entries";
const pages: Listing = {
  request: { path: `/api/v1${path}` },
  list: "entries",
  paginated: true,
  identity: ["id", "slug"],
};
const whole: Listing = { ...pages, paginated: false };

function entries(count: number, from = 0): Fields[] {
  return Array.from({ length: count }, (_, index) => ({ id: `e${from + index}` }));
}

describe("a paginated list", () => {
  it.each([0, 1, 99, 100, 101, 250, 1000])(
    "of %i resources is read completely without an extra page",
    async (count) => {
      const { reader, asked } = serviceOf({ [path]: (query) => paged("entries", entries(count), query) });
      expect(await readList(reader.get, pages)).toEqual(entries(count));
      expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 100)));
      expect(asked[0]).toBe("/entries?page=1&per_page=100");
    },
  );

  it("is read in the page size of the service", async () => {
    const { reader, asked } = serviceOf({ [path]: (query) => paged("entries", entries(60), query, 25) });
    expect(await readList(reader.get, pages)).toEqual(entries(60));
    expect(asked.slice(1)).toEqual(["/entries?page=2&per_page=25", "/entries?page=3&per_page=25"]);
  });

  it("is read in pages although the kind does not declare them", async () => {
    const { reader, asked } = serviceOf({ [path]: (query) => paged("entries", entries(60), query) });
    expect(await readList(reader.get, { ...whole, request: { ...whole.request, query: { source: "A" } } })).toEqual(
      entries(60),
    );
    expect(asked).toEqual([
      "/entries?source=A",
      "/entries?source=A&page=2&per_page=25",
      "/entries?source=A&page=3&per_page=25",
    ]);
  });

  it("is read again when it changed between two pages", async () => {
    let rows = entries(150);
    let reads = 0;
    const { reader } = serviceOf({
      [path]: (query) => {
        const answer = paged("entries", rows, query);
        if (++reads === 1) rows = [...entries(1, 900), ...rows];
        return answer;
      },
    });
    expect(await readList(reader.get, pages)).toEqual([...entries(1, 900), ...entries(150)]);
  });

  it.each<[string, (query: URLSearchParams) => Json, string]>([
    ["keeps changing its total", moving(), "its total changed between the pages, 3 times in a row"],
    [
      "repeats the first page for every page",
      () => paged("entries", entries(150), new URLSearchParams("page=1&per_page=75")),
      "the same page came twice, 3 times in a row",
    ],
    [
      "repeats an entry on the next page",
      (query) => paged("entries", [...entries(100), ...entries(50)], query),
      'the item with id "e0" came twice, 3 times in a row',
    ],
    [
      "holds fewer entries than it says",
      () => ({ entries: entries(3), pagination: { per_page: 100, total: 4 } }),
      "3 of 4 items came",
    ],
    [
      "holds more entries than it says",
      () => ({ entries: entries(3), pagination: { per_page: 100, total: 0 } }),
      "3 of 0 items came",
    ],
    [
      "claims to be endless",
      () => ({ entries: entries(1), pagination: { per_page: 1, total: 1e9 } }),
      "claims to have 1000000000 items",
    ],
    [
      "claims to have more pages than there can be",
      () => ({ entries: entries(1), pagination: { per_page: 1, total: 1_001 } }),
      "claims to have 1001 pages",
    ],
    ["is full and tells no pages", () => ({ entries: entries(100) }), "a full page came without a pagination object"],
  ])("is an error when it %s", async (_what, given, message) => {
    const { reader } = serviceOf({ [path]: given });
    await expect(readList(reader.get, pages)).rejects.toThrow(IncompleteList);
    await expect(readList(reader.get, pages)).rejects.toThrow(message);
  });

  it("is an error if a later page has no total", async () => {
    const { reader } = serviceOf({
      [path]: (query) =>
        query.get("page") === "1" ? paged("entries", entries(150), query) : { entries: entries(50, 100) },
    });
    await expect(readList(reader.get, pages)).rejects.toThrow("its total changed");
  });
});

describe("a list that must be complete", () => {
  const certain: Listing = { ...pages, certain: true };

  it("is read twice with pages, and once without", async () => {
    const { reader, asked } = serviceOf({ [path]: (query) => paged("entries", entries(150), query) });
    expect(await readList(reader.get, certain)).toEqual(entries(150));
    expect(asked).toHaveLength(4);
    const small = serviceOf({ [path]: (query) => paged("entries", entries(100), query) });
    expect(await readList(small.reader.get, certain)).toEqual(entries(100));
    expect(small.asked).toHaveLength(1);
  });

  it("is complete although one resource appeared and one disappeared between two pages with the same total", async () => {
    let rows = entries(150);
    let reads = 0;
    const { reader } = serviceOf({
      [path]: (query) => {
        const answer = paged("entries", rows, query);
        // Entry 100 moves from the second page to the first one, which has been read.
        if (++reads === 1) rows = [...entries(20), ...entries(129, 21), ...entries(1, 900)];
        return answer;
      },
    });
    const read = await readList(reader.get, certain);
    expect(read.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(read).toContainEqual({ id: "e100" });
  });

  it("is the same list if only fields or the order changed", async () => {
    let reads = 0;
    const { reader } = serviceOf({
      [path]: (query) => {
        const rows = entries(150).map((row) => ({ ...row, used: Math.floor(reads / 2) }));
        return paged("entries", reads++ < 2 ? rows : rows.toReversed(), query);
      },
    });
    expect(await readList(reader.get, certain)).toHaveLength(150);
    expect(reads).toBe(4);
  });

  it("is an error if it keeps changing", async () => {
    let reads = 0;
    const { reader } = serviceOf({
      [path]: (query) => paged("entries", entries(150, Math.floor(reads++ / 2)), query),
    });
    await expect(readList(reader.get, certain)).rejects.toThrow("every reading returned other items, 4 times in a row");
  });

  it("is either a consistent state of the service or an error, for any changes during the reading", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 9 }),
        fc.array(fc.record({ after: fc.nat(8), at: fc.nat(30), add: fc.boolean() }), { maxLength: 4 }),
        async (size, edits) => {
          let rows = entries(20);
          const held = [rows];
          let reads = 0;
          const { reader } = serviceOf({
            [path]: (query) => {
              const answer = paged("entries", rows, query, size);
              for (const edit of edits.filter(({ after }) => after === reads)) {
                const at = edit.at % (rows.length + 1);
                rows = edit.add ? rows.toSpliced(at, 0, ...entries(1, 100 + reads * 31 + at)) : rows.toSpliced(at, 1);
                held.push(rows);
              }
              reads++;
              return answer;
            },
          });
          const read = await readList(reader.get, certain).catch((error: unknown) => error);
          if (read instanceof IncompleteList) return;
          const ids = (list: readonly Fields[]) => new Set(list.map(({ id }) => id));
          expect(held.map(ids)).toContainEqual(ids(read as Fields[]));
        },
      ),
      { numRuns: 120 },
    );
  });
});

describe("a list without pages", () => {
  it("is complete, also if pages were requested", async () => {
    const { reader, asked } = serviceOf({ [path]: { entries: entries(99) } });
    expect(await readList(reader.get, whole)).toEqual(entries(99));
    expect(await readList(reader.get, pages)).toEqual(entries(99));
    expect(asked).toEqual(["/entries", "/entries?page=1&per_page=100"]);
  });

  it("is an error that names a resource if it keeps appearing twice", async () => {
    const { reader, asked } = serviceOf({ [path]: { entries: [{ id: null, slug: "a" }, {}, {}, { slug: "a" }] } });
    await expect(readList(reader.get, whole)).rejects.toThrow('the item with slug "a" came twice');
    expect(asked).toHaveLength(3);
  });
});

/** A list that has one more entry each time it is asked. */
function moving(): (query: URLSearchParams) => Json {
  let count = 150;
  return (query) => paged("entries", entries(count++), query);
}

import { describe, expect, it } from "vitest";
import { IncompleteList } from "../../src/api/cannot-read.ts";
import { type Listing, readList } from "../../src/api/list.ts";
import type { Fields, Json } from "../../src/json.ts";
import { paged, serviceOf } from "./service.ts";

const path = "/entries";
const pages: Listing = { ask: { path: `/api/v1${path}` }, list: "entries", paginated: true, identity: ["id", "slug"] };
const whole: Listing = { ...pages, paginated: false };

function entries(count: number, from = 0): Fields[] {
  return Array.from({ length: count }, (_, index) => ({ id: `e${from + index}` }));
}

describe("a list in pages", () => {
  it.each([0, 1, 99, 100, 101, 250, 1000])("of %i entries is read whole with no page too many", async (count) => {
    const { reader, asked } = serviceOf({ [path]: (query) => paged("entries", entries(count), query) });
    expect(await readList(reader.get, pages)).toEqual(entries(count));
    expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 100)));
    expect(asked[0]).toBe("/entries?page=1&per_page=100");
  });

  it("is read in the size that the service chooses", async () => {
    const { reader, asked } = serviceOf({ [path]: (query) => paged("entries", entries(60), query, 25) });
    expect(await readList(reader.get, pages)).toEqual(entries(60));
    expect(asked.slice(1)).toEqual(["/entries?page=2&per_page=25", "/entries?page=3&per_page=25"]);
  });

  it("is read in pages although it was not known to have them", async () => {
    const { reader, asked } = serviceOf({ [path]: (query) => paged("entries", entries(60), query) });
    expect(await readList(reader.get, { ...whole, ask: { ...whole.ask, query: { source: "A" } } })).toEqual(
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
      'the entry with id "e0" came twice, 3 times in a row',
    ],
    [
      "holds fewer entries than it says",
      () => ({ entries: entries(3), pagination: { per_page: 100, total: 4 } }),
      "3 of 4 entries came",
    ],
    [
      "holds more entries than it says",
      () => ({ entries: entries(3), pagination: { per_page: 100, total: 0 } }),
      "3 of 0 entries came",
    ],
    [
      "claims to be endless",
      () => ({ entries: entries(1), pagination: { per_page: 1, total: 1e9 } }),
      "claims to have 1000000000 entries",
    ],
    ["is full and tells no pages", () => ({ entries: entries(100) }), "a full page came without a pagination object"],
  ])("is an error when it %s", async (_what, given, message) => {
    const { reader } = serviceOf({ [path]: given });
    await expect(readList(reader.get, pages)).rejects.toThrow(IncompleteList);
    await expect(readList(reader.get, pages)).rejects.toThrow(message);
  });

  it("is an error when a later page no longer tells its total", async () => {
    const { reader } = serviceOf({
      [path]: (query) =>
        query.get("page") === "1" ? paged("entries", entries(150), query) : { entries: entries(50, 100) },
    });
    await expect(readList(reader.get, pages)).rejects.toThrow("its total changed");
  });
});

describe("a list in one piece", () => {
  it("is what it holds, also where pages were asked for", async () => {
    const { reader, asked } = serviceOf({ [path]: { entries: entries(99) } });
    expect(await readList(reader.get, whole)).toEqual(entries(99));
    expect(await readList(reader.get, pages)).toEqual(entries(99));
    expect(asked).toEqual(["/entries", "/entries?page=1&per_page=100"]);
  });

  it("is an error when an entry keeps coming twice, by the first name that it has", async () => {
    const { reader, asked } = serviceOf({ [path]: { entries: [{ id: null, slug: "a" }, {}, {}, { slug: "a" }] } });
    await expect(readList(reader.get, whole)).rejects.toThrow('the entry with slug "a" came twice');
    expect(asked).toHaveLength(3);
  });
});

/** A list that has one more entry each time it is asked. */
function moving(): (query: URLSearchParams) => Json {
  let count = 150;
  return (query) => paged("entries", entries(count++), query);
}

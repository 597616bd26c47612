import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { Kind } from "../../../src/kinds/model/kind.ts";
import { observe } from "../../../src/workspace/read/observe.ts";
import { serviceOf } from "../../service/service.ts";

const entries: Kind = {
  name: "entries",
  title: "entry",
  module: "x",
  identity: { keys: ["slug"], idFields: ["slug"] },
  endpoint: {
    list: { path: "/entries" },
    member: { path: "/entries/{id}" },
    envelope: { list: "entries", item: "entry" },
    paginated: true,
  },
  lifecycle: {},
};

/** So many entries in pages, as the service tells them. */
function page(rows: readonly Fields[], query: URLSearchParams): Fields {
  const at = Number(query.get("page") ?? "1");
  const size = Number(query.get("per_page") ?? "25");
  return {
    entries: rows.slice((at - 1) * size, at * size),
    pagination: { page: at, per_page: size, total: rows.length, total_pages: Math.ceil(rows.length / size) },
  };
}

/** A list in which, while its second page is read for the first time, one entry goes and another one comes. */
function swapping(): ReturnType<typeof serviceOf> & { readonly later: readonly Fields[] } {
  const rows = Array.from({ length: 150 }, (_unused, at): Fields => ({ id: `e${at}`, slug: `e${at}` }));
  const later = [...rows.slice(1), { id: "new", slug: "new" }];
  let asked = 0;
  const answer = (query: URLSearchParams) => {
    asked += 1;
    return page(asked < 2 ? rows : later, query);
  };
  return { ...serviceOf({ "/entries": answer }), later };
}

const wanted = [{ kind: "entries", scope: "" }];

test("a paginated list in which one resource replaced another is read until two readings agree", async () => {
  const { reader, later } = swapping();
  const { lists: collections } = await observe(reader, [entries], wanted, { parallelism: 1 });
  expect(collections[0]?.rows).toEqual(later);
});

test("a paginated list that is read once is uncertain, and a second reading confirms or corrects it", async () => {
  const { reader, asked, later } = swapping();
  const once = await observe(reader, [entries], wanted, { parallelism: 1, once: true });
  expect(asked).toHaveLength(2);
  expect(once.lists).toMatchObject([{ open: { pages: true } }]);
  // Entry 100 moved to the first page after that was read: it is there, and was not seen.
  expect(once.lists[0]?.rows).not.toContainEqual({ id: "e100", slug: "e100" });
  const already = { ...once, lists: [] };
  const how = { parallelism: 1, earlier: already, openLists: once.lists };
  const proved = await observe(reader, [entries], wanted, how);
  expect(proved.lists).toEqual([{ kind: "entries", scope: "", rows: later }]);
  // The second reading differs from the first one, so that a third has to agree with it.
  expect(asked).toHaveLength(6);
});

test("a list that came in one page is not read again", async () => {
  const { reader, asked } = serviceOf({ "/entries": (query) => page([{ id: "a", slug: "a" }], query) });
  const once = await observe(reader, [entries], wanted, { parallelism: 1, once: true });
  expect(once.lists).toEqual([{ kind: "entries", scope: "", rows: [{ id: "a", slug: "a" }] }]);
  expect(asked).toHaveLength(1);
});

test("of a list without enabled resources only that is verified", async () => {
  const kind: Kind = { ...entries, lifecycle: { disable: "enabled" } };
  const off = [{ id: "a", slug: "a", enabled: false }];
  const { reader, asked } = serviceOf({
    "/entries": (query) => page(query.has("include_disabled") ? off : [], query),
  });
  const once = await observe(reader, [kind], wanted, { parallelism: 1, once: true });
  expect(once.lists).toMatchObject([{ open: { pages: false } }]);
  const already = { ...once, lists: [] };
  const proved = await observe(reader, [kind], wanted, { parallelism: 1, earlier: already, openLists: once.lists });
  expect(proved.lists).toEqual([{ kind: "entries", scope: "", rows: off }]);
  expect(asked.map((one) => one.includes("include_disabled"))).toEqual([true, false]);
});

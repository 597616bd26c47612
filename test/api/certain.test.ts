import { expect, test } from "vitest";
import { observe } from "../../src/api/observe.ts";
import type { Fields } from "../../src/json.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { serviceOf } from "./service.ts";

const entries: Kind = {
  name: "entries",
  title: "entry",
  room: "x",
  source: "x",
  key: ["slug"],
  address: ["slug"],
  item: "entry",
  list: "entries",
  paginated: true,
  collection: { path: "/entries" },
  member: { path: "/entries/{id}" },
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

test("a list in pages in which one entry went as another came is read until two readings hold the same", async () => {
  const rows = Array.from({ length: 150 }, (_unused, at): Fields => ({ id: `e${at}`, slug: `e${at}` }));
  // While the second page of the first reading is asked for, the first entry goes and a new one comes at the end.
  const later = [...rows.slice(1), { id: "new", slug: "new" }];
  let asked = 0;
  const { reader } = serviceOf({
    "/entries": (query) => {
      asked += 1;
      return page(asked < 2 ? rows : later, query);
    },
  });
  const { collections } = await observe(reader, [entries], [{ kind: "entries", scope: "" }], { parallelism: 1 });
  expect(collections[0]?.rows.map(({ id }) => id)).toEqual(later.map(({ id }) => id));
});

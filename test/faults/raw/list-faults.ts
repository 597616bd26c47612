/** Faults of lists: well-formed responses that lie about the rows. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { json, type ServedResponse } from "./http-bytes.ts";
import type { RawFault } from "./raw-fault.ts";

/** Query of the request for a page. */
interface PageQuery {
  readonly page: number;
}

/** Changes a list. `rows` are all rows, in their order. */
type Lie = (rows: readonly Json[], query: PageQuery) => { readonly rows: Json; readonly pagination?: Json };

const OTHER_ID = "00000000-0000-4000-8000-00000000000";

function paged(rows: readonly Json[], page: number, total: number, pages = total): ReturnType<Lie> {
  return { rows: rows.slice(page - 1, page), pagination: { page, per_page: 1, total, total_pages: pages } };
}

function whole(rows: readonly Json[], pagination: Fields): ReturnType<Lie> {
  return { rows: [...rows], pagination: { page: 1, per_page: 100, total: rows.length, total_pages: 1, ...pagination } };
}

function named(rows: readonly Json[], id: (at: number) => string): readonly Json[] {
  return rows.map((row, at) => (isFields(row) && row.id !== undefined ? { ...row, id: id(at) } : row));
}

const lies: Readonly<Record<string, Lie>> = {
  "a total too large": (rows) => whole(rows, { total: rows.length + 1 }),
  "a total too small": (rows) => whole(rows, { total: Math.max(0, rows.length - 1) }),
  "a total of zero": (rows) => whole(rows, { total: 0 }),
  "a total of a billion": (rows) => whole(rows, { total: 1e9 }),
  "a negative total": (rows) => whole(rows, { total: -1 }),
  "a total of letters": (rows) => whole(rows, { total: "many" }),
  "no rows, and a total": (rows) => ({ ...whole(rows, {}), rows: [] }),
  "no total": (rows) => ({ rows: [...rows], pagination: {} }),
  "pages of no rows": (rows) => whole(rows, { per_page: 0 }),
  "pages of one row": (rows, { page }) => paged(rows, page, rows.length),
  "always the first page": (rows) => paged(rows, 1, rows.length),
  "always the last page": (rows) => paged(rows, rows.length, rows.length),
  "a total that grows": (rows, { page }) => paged(rows, page, rows.length + page),
  "a total that shrinks": (rows, { page }) => paged(rows, page, Math.max(1, rows.length + 2 - page)),
  "a row twice": (rows) => whole([...rows, ...rows.slice(0, 1)], { total: rows.length + 1 }),
  "a row twice, and another one missing": (rows) => whole([...rows.slice(1), ...rows.slice(1, 2)], {}),
  "ids that change between pages": (rows, { page }) =>
    paged(
      named(rows, (at) => `${OTHER_ID}${(at + page) % 10}`),
      page,
      rows.length,
    ),
};

/** The same without pages. Nobody can notice a row that is missing from every reading of such a list. */
const wholeLies: Readonly<Record<string, Lie>> = {
  "a row that is missing": (rows) => ({ rows: rows.slice(0, -1) }),
  "no rows at all": () => ({ rows: [] }),
  "rows in another order": (rows) => ({ rows: [...rows].reverse() }),
  "rows that are no objects": (rows) => ({ rows: rows.map((_, at) => at) }),
  "null for rows": () => ({ rows: null }),
  "an object for rows": (rows) => ({ rows: { ...rows } }),
};

/** Requests in a row that a lie about pages lasts for: one reading, or its beginning and that of the next. */
const PAGES = 4;

/** Every list that lies. */
export const listFaults: readonly RawFault[] = [
  ...Object.entries(lies).map(([name, lie]) => listFault(name, lie, PAGES)),
  ...Object.entries(wholeLies).map(([name, lie]) => listFault(name, lie, 1)),
];

function listFault(name: string, lie: Lie, times: number): RawFault {
  return {
    times,
    phase: "list",
    name,
    only: "reads",
    action: {
      at: "request",
      act: async (exchange) => {
        const query = new URL(exchange.request.path, "http://localhost").searchParams;
        exchange.respond(changed(await exchange.deliver(), { page: Number(query.get("page") ?? 1) }, lie));
      },
    },
  };
}

function changed(served: ServedResponse, query: PageQuery, lie: Lie): ServedResponse {
  const body: Json = served.status === 200 ? JSON.parse(served.body.toString("utf8")) : null;
  const [key, rows] = Object.entries(isFields(body) ? body : {}).find(([, value]) => isList(value)) ?? [];
  if (!isFields(body) || key === undefined || !isList(rows)) return served;
  const { rows: shown, pagination } = lie(rows, query);
  const { pagination: _, ...rest } = body;
  return json(200, JSON.stringify({ ...rest, [key]: shown, ...(pagination === undefined ? {} : { pagination }) }));
}

/** Ids that are the same in every run: made from names instead of random numbers. */

import { createHash } from "node:crypto";
import { alertSourceTable } from "../modules/routing/alert-sources.ts";
import type { AnyTable, Database, StoredRows } from "../store/database.ts";

const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Columns that name a row among those of its table, besides the ids of other rows. */
const nameColumns: readonly string[] = ["slug", "email", "number", "name", "label", "position", "priority", "ability"];

/** The id of a name, with the form of a UUID. */
export function stableId(...names: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(names)).digest("hex");
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 3) | 8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

/**
 * Gives every row an id made from its table, its names and the rows that it belongs to. Rows with the same names are numbered in
 * their order. Alert sources get an endpoint path from their name, unless one is stated.
 */
export function makeIdsStable(
  database: Database,
  tables: readonly AnyTable[],
  endpointPaths: Readonly<Record<string, string>> = {},
): void {
  database.transaction(() => {
    for (const { id, name } of database.list(alertSourceTable)) {
      const slug = Object.hasOwn(endpointPaths, name) ? endpointPaths[name] : undefined;
      database.update(alertSourceTable, id, { slug: slug ?? stableId("alert_sources", name).replaceAll("-", "") });
    }
    const stored = database.dump(tables);
    const ids = stableIds(stored);
    database.restore(tables, renamed(stored, ids));
  });
}

/** The new id of each row. A table's rows may name rows of earlier tables. */
function stableIds(stored: StoredRows): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const [table, rows] of Object.entries(stored)) {
    for (const row of rows) {
      const names = Object.entries(row).flatMap(([column, value]) => {
        if (nameColumns.includes(column)) return [String(value)];
        return column.endsWith("_id") && typeof value === "string" ? [ids.get(value) ?? ""] : [];
      });
      const name = JSON.stringify([table, ...names]);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      ids.set(String(row.id), stableId(table, ...names, String(count)));
    }
  }
  return ids;
}

/** The rows with new ids, also where other values contain an id. */
function renamed(stored: StoredRows, ids: ReadonlyMap<string, string>): StoredRows {
  const rename = (value: string | number | null): string | number | null =>
    typeof value === "string" ? value.replace(idPattern, (id) => ids.get(id) ?? id) : value;
  const tables = Object.entries(stored).map(([table, rows]) => {
    const changed = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, rename(value)])),
    );
    return [table, changed] as const;
  });
  return Object.fromEntries(tables);
}

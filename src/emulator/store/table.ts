/** How a room declares a table: named columns that carry a row's fields to SQLite and back. */

import type { Json } from "../../core/json.ts";

/** What SQLite holds in one cell. */
export type Stored = string | number | null;

/** One column: its SQL declaration and the way of a value into a cell and out of it. */
export interface Column<Value> {
  readonly declaration: string;
  encode(value: Value): Stored;
  decode(stored: Stored): Value;
}

/** A table whose rows have the shape Row; every table has the text column `id` as its primary key. */
export interface Table<Row extends { readonly id: string }> {
  readonly name: string;
  readonly columns: { readonly [Name in keyof Row]: Column<Row[Name]> };
  /** The statement that creates the table (and its indexes) where it is absent. */
  readonly create: string;
}

/** The primary key: a UUID made by the room. */
export const key: Column<string> = plain("TEXT PRIMARY KEY NOT NULL");

/** Text that is always present. */
export const text: Column<string> = plain("TEXT NOT NULL");

/** Text that no two rows share. */
export const uniqueText: Column<string> = plain("TEXT NOT NULL UNIQUE");

/** Text or null. */
export const optionalText: Column<string | null> = plain("TEXT");

/** A whole number that is always present. */
export const integer: Column<number> = plain("INTEGER NOT NULL");

/** A whole number or null. */
export const optionalInteger: Column<number | null> = plain("INTEGER");

/** A boolean, stored as 0 or 1. */
export const boolean: Column<boolean> = {
  declaration: "INTEGER NOT NULL",
  encode: (value) => (value ? 1 : 0),
  decode: (stored) => stored === 1,
};

/** A JSON value, stored as its text; SQL can look into it with json_each and json_extract. */
export function json<Value extends Json>(): Column<Value> {
  return {
    declaration: "TEXT NOT NULL",
    encode: (value) => JSON.stringify(value),
    decode: (stored) => JSON.parse(String(stored)),
  };
}

/** Text that is one of a closed set of words. */
export function word<Word extends string | null>(): Column<Word> {
  return plain<Word>("TEXT");
}

/** Declares a table; `rules` are further SQL constraints such as `UNIQUE (scope, priority)`. */
export function table<Row extends { readonly id: string }>(
  name: string,
  columns: Table<Row>["columns"],
  ...rules: readonly string[]
): Table<Row> {
  const declarations = Object.entries<Column<unknown>>(columns).map(([column, { declaration }]) => {
    return `"${column}" ${declaration}`;
  });
  return { name, columns, create: `CREATE TABLE IF NOT EXISTS "${name}" (${[...declarations, ...rules].join(", ")})` };
}

/** The table with an index over the columns, for look-ups that are not by id. */
export function indexed<Row extends { readonly id: string }>(
  of: Table<Row>,
  ...columns: readonly (keyof Row & string)[]
): Table<Row> {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const index = `CREATE INDEX IF NOT EXISTS "${of.name}_by_${columns.join("_")}" ON "${of.name}" (${names})`;
  return { ...of, create: `${of.create}; ${index}` };
}

/** A column whose values SQLite holds as they are. */
function plain<Value extends Stored>(declaration: string): Column<Value> {
  return { declaration, encode: (value) => value, decode: (stored) => stored as Value };
}

/** Declarations of tables, with columns that convert a row's fields to SQLite's values and back. */

import type { Json } from "../../core/json.ts";

/** A value of SQLite. */
export type StoredValue = string | number | null;

/** One column: its SQL declaration and the conversion of its values. */
export interface Column<Value> {
  readonly declaration: string;
  encode(value: Value): StoredValue;
  decode(cell: StoredValue): Value;
}

/** A table of rows of the type Row. The text column `id` is the primary key of every table. */
export interface Table<Row extends { readonly id: string }> {
  readonly name: string;
  readonly columns: { readonly [Name in keyof Row]: Column<Row[Name]> };
  /** The statement that creates the table and its indexes if absent. */
  readonly create: string;
}

/** The primary key, a UUID. */
export const key: Column<string> = plain("TEXT PRIMARY KEY NOT NULL");

/** Text, never null. */
export const text: Column<string> = plain("TEXT NOT NULL");

/** Unique text. */
export const uniqueText: Column<string> = plain("TEXT NOT NULL UNIQUE");

/** Text or null. */
export const optionalText: Column<string | null> = plain("TEXT");

/** A whole number, never null. */
export const integer: Column<number> = plain("INTEGER NOT NULL");

/** A whole number or null. */
export const optionalInteger: Column<number | null> = plain("INTEGER");

/** A boolean, stored as 0 or 1. */
export const boolean: Column<boolean> = {
  declaration: "INTEGER NOT NULL",
  encode: (value) => (value ? 1 : 0),
  decode: (cell) => cell === 1,
};

/** A JSON value, stored as text. SQL reads it with json_each and json_extract. */
export function json<Value extends Json>(): Column<Value> {
  return {
    declaration: "TEXT NOT NULL",
    encode: (value) => JSON.stringify(value),
    decode: (cell) => JSON.parse(String(cell)),
  };
}

/** Text of a closed set of words. */
export function enumText<Word extends string | null>(): Column<Word> {
  return plain<Word>("TEXT");
}

/** Declares a table. `rules` are additional SQL constraints, such as `UNIQUE (scope, priority)`. */
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

/** The table with an index over the columns. */
export function indexed<Row extends { readonly id: string }>(
  of: Table<Row>,
  ...columns: readonly (keyof Row & string)[]
): Table<Row> {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const index = `CREATE INDEX IF NOT EXISTS "${of.name}_by_${columns.join("_")}" ON "${of.name}" (${names})`;
  return { ...of, create: `${of.create}; ${index}` };
}

/** A column whose values need no conversion. */
function plain<Value extends StoredValue>(declaration: string): Column<Value> {
  return { declaration, encode: (value) => value, decode: (cell) => cell as Value };
}

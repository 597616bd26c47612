/** Declarations of tables. The schema of each column is stated once: its type, its SQL and the conversion of its values follow. */

import { type JsonTypeName, type SchemaValue, typesOf, type ValueSchema } from "../http/value-schema.ts";

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

/** The schemas of columns. */
export interface RowColumns {
  readonly id: ValueSchema;
  readonly [name: string]: ValueSchema;
}

/** The type of a row with these columns. */
export type RowOfColumns<C extends RowColumns> = { readonly [Name in keyof C]: SchemaValue<C[Name]> } & {
  readonly id: string;
};

/** The table of rows with these columns. `rules` are additional SQL constraints, such as `UNIQUE (scope, priority)`. */
export function rowTable<const C extends RowColumns>(
  name: string,
  schemas: C,
  ...rules: readonly string[]
): Table<RowOfColumns<C>> {
  const columns = Object.entries(schemas).map(([column, schema]) => [column, columnOf(column, schema)] as const);
  const declarations = columns.map(([column, { declaration }]) => `"${column}" ${declaration}`);
  return {
    name,
    // Each column converts the values of its schema.
    columns: Object.fromEntries(columns) as Table<RowOfColumns<C>>["columns"],
    create: `CREATE TABLE IF NOT EXISTS "${name}" (${[...declarations, ...rules].join(", ")})`,
  };
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

function columnOf(name: string, schema: ValueSchema): Column<unknown> {
  if (name === "id") return unconverted("TEXT PRIMARY KEY NOT NULL");
  if (schema.enum !== undefined) return unconverted("TEXT");
  const [type = "object", ...others] = typesOf(schema);
  return columnTypes[type](others.includes("null") ? "" : " NOT NULL");
}

const json = (): Column<unknown> => ({
  declaration: "TEXT NOT NULL",
  encode: (value) => JSON.stringify(value),
  decode: (cell) => JSON.parse(String(cell)),
});

/** The columns for a value of each type. Objects and lists are stored as text, which SQL reads with json_each and json_extract. */
const columnTypes: { readonly [Name in JsonTypeName]: (constraint: string) => Column<unknown> } = {
  string: (constraint) => unconverted(`TEXT${constraint}`),
  integer: (constraint) => unconverted(`INTEGER${constraint}`),
  boolean: () => ({
    declaration: "INTEGER NOT NULL",
    encode: (value) => (value === true ? 1 : 0),
    decode: (cell) => cell === 1,
  }),
  number: json,
  array: json,
  object: json,
  null: json,
};

/** A column whose values need no conversion. */
function unconverted(declaration: string): Column<unknown> {
  return { declaration, encode: (value) => value as StoredValue, decode: (cell) => cell };
}

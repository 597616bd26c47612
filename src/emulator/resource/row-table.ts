/** Tables of rows that are no resource of their own. The schema of each column is stated once: its type and its SQL follow. */

import type { SchemaValue, ValueSchema } from "../http/value-schema.ts";
import type { Table } from "../store/table.ts";
import { tableOf } from "./schemas.ts";

/** The schemas of columns. */
export interface RowColumns {
  readonly id: ValueSchema;
  readonly [name: string]: ValueSchema;
}

/** The type of a row with these columns. */
export type RowOfColumns<C extends RowColumns> = { readonly [Name in keyof C]: SchemaValue<C[Name]> } & {
  readonly id: string;
};

/** The table of rows with these columns. `rules` are additional SQL constraints. */
export function rowTable<const C extends RowColumns>(
  name: string,
  { id, ...columns }: C,
  ...rules: readonly string[]
): Table<RowOfColumns<C>> {
  const others = Object.entries(columns).map(([column, value]) => [column, { value }] as const);
  // The fields of the same names have values of the same schemas.
  return tableOf(name, { id: { value: id }, ...Object.fromEntries(others) }, ...rules) as unknown as Table<
    RowOfColumns<C>
  >;
}

/** Rows of tests that are data: YAML files with chapters, each a list of rows. */

import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The rows of a file by chapter. A row has no other members than those named here, so that a slip is no silent omission. */
export function rowsIn<Row extends object>(
  file: URL,
  members: Readonly<Record<keyof Row, true>>,
): Readonly<Record<string, readonly Row[]>> {
  const chapters = parse(readFileSync(file, "utf8")) as Readonly<Record<string, readonly Row[]>>;
  for (const row of Object.values(chapters).flat()) {
    const unknown = Object.keys(row).filter((name) => !(name in members));
    if (unknown.length > 0) throw new Error(`${file.pathname}: ${JSON.stringify(row)} has the unknown ${unknown}`);
  }
  return chapters;
}

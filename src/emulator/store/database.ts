/** The door of SQLite: a small typed layer over tables, with prepared statements kept and one transaction per request. */

import { createRequire } from "node:module";
import type sqlite from "node-sqlite3-wasm";
import { holdFile } from "./database-file.ts";
import type { Column, Stored, Table } from "./table.ts";

/** Any table, when its rows do not matter. */
export type AnyTable = Pick<Table<{ id: string }>, "name" | "create">;

/** The rows wanted: equality on every named column. */
export type Where<Row> = { readonly [Name in keyof Row]?: Row[Name] };

/** How a listing is ordered and cut. `order` is SQL, for example `position` or `created_at DESC`. */
export interface Listing {
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}

type Connection = InstanceType<typeof sqlite.Database>;
type StoredRow = { readonly [column: string]: Stored };
type Statement = ReturnType<Connection["prepare"]>;

/** Marks a file as ours ("ICTL"), so that no other program's database is ever written to. */
const applicationId = 0x4943544c;
const schemaVersion = 1;
/** SQLite takes a limited number of values in one statement, and every statement is kept. */
const rowsPerStatement = 100;

/** An open database. Every method throws what SQLite throws; none is asynchronous. */
export class Database {
  readonly #connection: Connection;
  readonly #statements: Map<string, Statement> = new Map();
  readonly #release: () => void;

  /**
   * Opens the file (memory when undefined) and creates the tables that are absent. Throws when another process holds the
   * file, when it is no SQLite database, or when it is one of another program or version.
   */
  constructor(file: string | undefined, tables: readonly AnyTable[]) {
    this.#release = file === undefined ? () => {} : holdFile(file);
    this.#connection = open(file, this.#release);
    try {
      const creates = tables.map(({ create }) => create);
      // Memory is nobody else's, and has no header that somebody will read.
      if (file !== undefined) {
        this.#takeOver(file);
        creates.unshift(`PRAGMA application_id = ${applicationId}`, `PRAGMA user_version = ${schemaVersion}`);
      }
      this.#connection.exec(["BEGIN", ...creates, "COMMIT"].join("; "));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Runs the function as one transaction: all of its writes, or none when it throws. One inside another is a part of it. */
  transaction<Result>(run: () => Result): Result {
    if (this.#connection.inTransaction) return run();
    this.#statement("BEGIN").run();
    try {
      const result = run();
      this.#statement("COMMIT").run();
      return result;
    } catch (error) {
      if (this.#connection.inTransaction) this.#statement("ROLLBACK").run();
      throw error;
    }
  }

  /** Adds rows, in as few statements as their number allows. */
  insert<Row extends { readonly id: string }>(table: Table<Row>, ...rows: readonly Row[]): void {
    const names = namesOf(table);
    const columns = names.map((name) => `"${name}"`).join(", ");
    const marks = `(${names.map(() => "?").join(", ")})`;
    for (let at = 0; at < rows.length; at += rowsPerStatement) {
      const part = rows.slice(at, at + rowsPerStatement);
      const values = part.flatMap((row) => encode(table, names, row));
      this.run(`INSERT INTO "${table.name}" (${columns}) VALUES ${part.map(() => marks).join(", ")}`, values);
    }
  }

  /** Writes the named columns of the row with this id. */
  update<Row extends { readonly id: string }>(table: Table<Row>, id: string, changes: Where<Row>): void {
    const names = namesOf(table).filter((name) => changes[name] !== undefined);
    if (names.length === 0) return;
    const assignments = names.map((name) => `"${name}" = ?`).join(", ");
    this.run(`UPDATE "${table.name}" SET ${assignments} WHERE "id" = ?`, [...encode(table, names, changes), id]);
  }

  /** Removes the rows that match and returns how many they were. */
  remove<Row extends { readonly id: string }>(table: Table<Row>, where: Where<Row>): number {
    const { clause, values } = condition(table, where);
    return this.run(`DELETE FROM "${table.name}" ${clause}`, values);
  }

  /** The first row that matches, undefined when none does. */
  find<Row extends { readonly id: string }>(table: Table<Row>, where: Where<Row>): Row | undefined {
    const { clause, values } = condition(table, where);
    const record = this.#statement(`SELECT * FROM "${table.name}" ${clause} LIMIT 1`).get(values);
    return record === null ? undefined : decode(table, record as StoredRow);
  }

  /** Every row that matches, in the order asked for (as inserted when none is). */
  list<Row extends { readonly id: string }>(table: Table<Row>, where: Where<Row> = {}, listing: Listing = {}): Row[] {
    const { clause, values } = condition(table, where);
    // A negative limit is none: the statement, which is kept, is the same for every page.
    const sql = `${clause} ORDER BY ${listing.order ?? "rowid"} LIMIT ? OFFSET ?`;
    return this.query(table, sql, [...values, listing.limit ?? -1, listing.offset ?? 0]);
  }

  /** How many rows match. */
  count<Row extends { readonly id: string }>(table: Table<Row>, where: Where<Row> = {}): number {
    const { clause, values } = condition(table, where);
    return this.scalar(`SELECT COUNT(*) FROM "${table.name}" ${clause}`, values);
  }

  /** Rows of a table by a clause of SQL: what follows `SELECT * FROM <table>`. */
  query<Row extends { readonly id: string }>(table: Table<Row>, clause: string, values: readonly Stored[] = []): Row[] {
    const records = this.#statement(`SELECT * FROM "${table.name}" ${clause}`).all([...values]);
    return records.map((record) => decode(table, record as StoredRow));
  }

  /** The single number that a statement yields, such as a count or a maximum; 0 where it yields null. */
  scalar(sql: string, values: readonly Stored[] = []): number {
    const record = this.#statement(sql).get([...values]);
    return record === null ? 0 : Number(Object.values(record)[0] ?? 0);
  }

  /** Runs any writing statement and returns the number of rows it changed. */
  run(sql: string, values: readonly Stored[] = []): number {
    return this.#statement(sql).run([...values]).changes;
  }

  /** Removes every row of every table. */
  clear(tables: readonly AnyTable[]): void {
    this.transaction(() => {
      for (const { name } of tables) this.run(`DELETE FROM "${name}"`);
    });
  }

  /** Closes the connection and gives the file back; a second call does nothing. */
  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
    this.#release();
  }

  /** Sets the connection up, and looks whose file it is. */
  #takeOver(file: string): void {
    // One process owns the file: without shared locks SQLite neither re-reads its header nor needs shared memory for WAL.
    this.#connection.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    const isNew = this.scalar("SELECT COUNT(*) FROM sqlite_schema") === 0;
    if (!isNew && this.scalar("PRAGMA application_id") !== applicationId) {
      throw new Error(`${file} is a database of another program`);
    }
    if (!isNew && this.scalar("PRAGMA user_version") !== schemaVersion) {
      throw new Error(`${file} was made by another version; remove it to start afresh`);
    }
  }

  #statement(sql: string): Statement {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** SQLite is loaded and compiled with the first database: who imports the library may never open one. */
function open(file: string | undefined, release: () => void): Connection {
  try {
    const { Database }: typeof sqlite = createRequire(import.meta.url)("node-sqlite3-wasm");
    return new Database(file ?? ":memory:");
  } catch (error) {
    release();
    throw error;
  }
}

function namesOf<Row extends { readonly id: string }>(table: Table<Row>): readonly (keyof Row & string)[] {
  return Object.keys(table.columns) as (keyof Row & string)[];
}

function condition<Row extends { readonly id: string }>(
  table: Table<Row>,
  where: Where<Row>,
): { clause: string; values: Stored[] } {
  const names = namesOf(table).filter((name) => where[name] !== undefined);
  if (names.length === 0) return { clause: "", values: [] };
  const tests = names.map((name) => `"${name}" IS ?`);
  return { clause: `WHERE ${tests.join(" AND ")}`, values: encode(table, names, where) };
}

function encode<Row extends { readonly id: string }>(
  table: Table<Row>,
  names: readonly (keyof Row & string)[],
  row: Where<Row>,
): Stored[] {
  return names.map((name) => table.columns[name].encode(row[name] as Row[typeof name]));
}

function decode<Row extends { readonly id: string }>(table: Table<Row>, record: StoredRow): Row {
  const columns = Object.entries<Column<unknown>>(table.columns);
  return Object.fromEntries(columns.map(([name, column]) => [name, column.decode(record[name] ?? null)])) as Row;
}

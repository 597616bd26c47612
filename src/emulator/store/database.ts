/** The only user of SQLite: a typed layer over tables, with cached prepared statements and transactions. */

import { createRequire } from "node:module";
import type sqlite from "node-sqlite3-wasm";
import { acquireFile } from "./database-file.ts";
import type { Column, StoredValue, Table } from "./table.ts";

/** A table of any rows. */
export type AnyTable = Pick<Table<{ id: string }>, "name" | "create">;

/** A filter: equality on every named column. A column that is undefined does not count. */
export type RowFilter<Row> = { readonly [Name in keyof Row]?: Row[Name] | undefined };

/** Order and range of a list. `order` is SQL, such as `position` or `created_at DESC`. */
export interface ListOptions {
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}

type Connection = InstanceType<typeof sqlite.Database>;
type StoredRow = { readonly [column: string]: StoredValue };

/** The rows of tables as stored, by the table's name, in the order of insertion. */
export interface StoredRows {
  readonly [table: string]: readonly StoredRow[];
}

type Statement = ReturnType<Connection["prepare"]>;

/** "ICTL": marks a file as the emulator's, so that another program's database is never changed. */
const applicationId = 0x4943544c;
const schemaVersion = 1;
/** A commit in memory takes time for each page of the database, so the pages are four times as large as in a file. */
const memoryPageBytes = 16 * 1024;
/** As much as SQLite collects before it moves the log into the database. */
const maximumLogBytes = 4 * 1024 * 1024;
/** SQLite limits the number of values in a statement, and every statement is cached. */
const rowsPerStatement = 100;

/** An open database. All methods are synchronous and throw SQLite's errors. */
export class Database {
  readonly #connection: Connection;
  readonly #statements: Map<string, Statement> = new Map();
  readonly #release: () => void;
  /** undefined outside of transactions. */
  #transactionState: "reading" | "writing" | undefined;
  /** The number of changes of each table by its own methods. */
  readonly #tableChanges: Map<string, number> = new Map();
  /** The number of other changes, which may concern any table. */
  #otherChanges = 0;
  /** By the names of the tables. */
  readonly #derivedValues: Map<string, { readonly version: number; readonly values: Map<string, unknown> }> = new Map();

  /**
   * Opens the file (in memory if undefined) and creates missing tables. Throws if another process holds the file, or if
   * it is not a database of this program and version.
   */
  constructor(file: string | undefined, tables: readonly AnyTable[]) {
    this.#release = file === undefined ? () => {} : acquireFile(file);
    this.#connection = open(file, this.#release);
    try {
      const creates = tables.map(({ create }) => create);
      if (file === undefined) this.#connection.exec(`PRAGMA page_size = ${memoryPageBytes}`);
      // A database in memory needs no owner and no header.
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

  /**
   * Runs the function as one transaction: if it throws, none of its changes remain. A nested transaction is part of the
   * outer one. SQLite's transaction begins with the first change: nobody else changes the database, so reads need none.
   */
  transaction<Result>(run: () => Result): Result {
    if (this.#transactionState !== undefined) return run();
    this.#transactionState = "reading";
    try {
      const result = run();
      if (this.#isWriting()) this.#execute("COMMIT");
      return result;
    } catch (error) {
      // After some errors SQLite has rolled back by itself.
      if (this.#connection.inTransaction) this.#execute("ROLLBACK");
      if (this.#isWriting()) this.#otherChanges += 1;
      throw error;
    } finally {
      this.#transactionState = undefined;
    }
  }

  /**
   * The value that `compute` derives from rows of the tables, under a key of its own among values of the same tables. It is
   * computed again once one of the tables has changed. undefined is not kept.
   */
  derive<Value>(tables: readonly AnyTable[], key: string, compute: () => Value): Value {
    const names = tables.map(({ name }) => name);
    const version = names.reduce((sum, name) => sum + (this.#tableChanges.get(name) ?? 0), this.#otherChanges);
    const group = names.join();
    let derived = this.#derivedValues.get(group);
    if (derived?.version !== version) {
      derived = { version, values: new Map() };
      this.#derivedValues.set(group, derived);
    }
    const known = derived.values.get(key);
    if (known !== undefined) return known as Value;
    const value = compute();
    if (value !== undefined) derived.values.set(key, value);
    return value;
  }

  /** All rows of a table by id, in the order of insertion, kept in memory until the table changes: for small tables. */
  rowsById<Row extends { readonly id: string }>(table: Table<Row>): ReadonlyMap<string, Row> {
    return this.derive([table], "rows", () => new Map(this.list(table).map((row) => [row.id, row])));
  }

  /** Inserts rows, with as few statements as possible. */
  insert<Row extends { readonly id: string }>(table: Table<Row>, ...rows: readonly Row[]): void {
    const names = columnNames(table);
    const columns = names.map((name) => `"${name}"`).join(", ");
    const marks = `(${names.map(() => "?").join(", ")})`;
    for (let at = 0; at < rows.length; at += rowsPerStatement) {
      const part = rows.slice(at, at + rowsPerStatement);
      const values = part.flatMap((row) => encode(table, names, row));
      this.#change(
        table,
        `INSERT INTO "${table.name}" (${columns}) VALUES ${part.map(() => marks).join(", ")}`,
        values,
      );
    }
  }

  /** Updates the named columns of the row with this id. */
  update<Row extends { readonly id: string }>(table: Table<Row>, id: string, changes: RowFilter<Row>): void {
    const names = columnNames(table).filter((name) => changes[name] !== undefined);
    if (names.length === 0) return;
    const assignments = names.map((name) => `"${name}" = ?`).join(", ");
    const sql = `UPDATE "${table.name}" SET ${assignments} WHERE "id" = ?`;
    this.#change(table, sql, [...encode(table, names, changes), id]);
  }

  /** Removes the matching rows, and returns their number. */
  remove<Row extends { readonly id: string }>(table: Table<Row>, where: RowFilter<Row>): number {
    const { clause, values } = whereClause(table, where);
    return this.#change(table, `DELETE FROM "${table.name}" ${clause}`, values);
  }

  /** The first matching row; undefined if there is none. */
  find<Row extends { readonly id: string }>(table: Table<Row>, where: RowFilter<Row>): Row | undefined {
    const { clause, values } = whereClause(table, where);
    return this.query(table, `${clause} LIMIT 1`, values)[0];
  }

  /** The matching rows, in the order of insertion by default. */
  list<Row extends { readonly id: string }>(
    table: Table<Row>,
    where: RowFilter<Row> = {},
    listing: ListOptions = {},
  ): Row[] {
    const { clause, values } = whereClause(table, where);
    // A negative limit means no limit. The cached statement is the same for every page.
    const sql = `${clause} ORDER BY ${listing.order ?? "rowid"} LIMIT ? OFFSET ?`;
    return this.query(table, sql, [...values, listing.limit ?? -1, listing.offset ?? 0]);
  }

  /** The number of matching rows. */
  count<Row extends { readonly id: string }>(table: Table<Row>, where: RowFilter<Row> = {}): number {
    const { clause, values } = whereClause(table, where);
    return this.scalar(`SELECT COUNT(*) FROM "${table.name}" ${clause}`, values);
  }

  /** Rows of a table, by the SQL after `SELECT * FROM <table>`. */
  query<Row extends { readonly id: string }>(
    table: Table<Row>,
    clause: string,
    values: readonly StoredValue[] = [],
  ): Row[] {
    return this.#rows(`SELECT * FROM "${table.name}" ${clause}`, values).map((record) => decode(table, record));
  }

  /** The single number of a statement's result, such as a count or a maximum; 0 for null. */
  scalar(sql: string, values: readonly StoredValue[] = []): number {
    const [record = {}] = this.#rows(sql, values);
    return Number(Object.values(record)[0] ?? 0);
  }

  /** Runs a writing statement, and returns the number of changed rows. */
  run(sql: string, values: readonly StoredValue[] = []): number {
    this.#otherChanges += 1;
    return this.#write(sql, values);
  }

  /** Removes all rows of the tables. */
  clear(tables: readonly AnyTable[]): void {
    this.transaction(() => {
      for (const { name } of tables) this.run(`DELETE FROM "${name}"`);
    });
  }

  /** All rows of the tables. */
  dump(tables: readonly AnyTable[]): StoredRows {
    return Object.fromEntries(tables.map(({ name }) => [name, this.#rows(`SELECT * FROM "${name}" ORDER BY rowid`)]));
  }

  /** Replaces all rows of the tables by those of a dump. */
  restore(tables: readonly AnyTable[], stored: StoredRows): void {
    this.transaction(() => {
      this.clear(tables);
      for (const [name, rows] of Object.entries(stored)) this.#insertStored(name, rows);
    });
  }

  #insertStored(name: string, rows: readonly StoredRow[]): void {
    const columns = Object.keys(rows[0] ?? {});
    const names = columns.map((column) => `"${column}"`).join(", ");
    const marks = `(${columns.map(() => "?").join(", ")})`;
    for (let at = 0; at < rows.length; at += rowsPerStatement) {
      const part = rows.slice(at, at + rowsPerStatement);
      const values = part.flatMap((row) => columns.map((column) => row[column] ?? null));
      this.run(`INSERT INTO "${name}" (${names}) VALUES ${part.map(() => marks).join(", ")}`, values);
    }
  }

  /** Closes the connection and releases the file. A second call does nothing. */
  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
    this.#release();
  }

  /** Configures the connection. Throws for a file of another program or version. */
  #takeOver(file: string): void {
    // One process owns the file. In EXCLUSIVE mode SQLite does not re-read its header and needs no shared memory for
    // WAL. Without a limit, the write-ahead log would keep the size of the largest change.
    const pragmas = [
      "locking_mode = EXCLUSIVE",
      "journal_mode = WAL",
      "synchronous = NORMAL",
      `journal_size_limit = ${maximumLogBytes}`,
    ];
    try {
      this.#connection.exec(pragmas.map((pragma) => `PRAGMA ${pragma}`).join("; "));
    } catch (error) {
      throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
    }
    const isNew = this.scalar("SELECT COUNT(*) FROM sqlite_schema") === 0;
    if (!isNew && this.scalar("PRAGMA application_id") !== applicationId) {
      throw new Error(`${file} is a database of another program`);
    }
    if (!isNew && this.scalar("PRAGMA user_version") !== schemaVersion) {
      throw new Error(`${file} was made by another version; remove it to start afresh`);
    }
  }

  /**
   * All rows of a query. The statement is read to its end, which resets it. With `get` it would stay open, and so would its
   * reading transaction: SQLite could not move the write-ahead log into the database, and the log would grow with each change.
   */
  #rows(sql: string, values: readonly StoredValue[] = []): readonly StoredRow[] {
    return this.#statement(sql).all([...values]) as StoredRow[];
  }

  #isWriting(): boolean {
    return this.#transactionState === "writing";
  }

  #change({ name }: AnyTable, sql: string, values: readonly StoredValue[]): number {
    this.#tableChanges.set(name, (this.#tableChanges.get(name) ?? 0) + 1);
    return this.#write(sql, values);
  }

  #write(sql: string, values: readonly StoredValue[]): number {
    if (this.#transactionState === "reading") {
      this.#execute("BEGIN");
      this.#transactionState = "writing";
    }
    return this.#execute(sql, values);
  }

  /** Runs a statement other than a query. One that fails is not used again, since SQLite would report the error again. */
  #execute(sql: string, values: readonly StoredValue[] = []): number {
    const statement = this.#statement(sql);
    try {
      return statement.run([...values]).changes;
    } catch (error) {
      this.#statements.delete(sql);
      freeFailed(statement);
      throw error;
    }
  }

  #statement(sql: string): Statement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Frees a statement that has failed, which reports its error again then. */
function freeFailed(statement: Statement): void {
  try {
    statement.finalize();
  } catch (error) {
    if (!statement.isFinalized) throw error;
  }
}

/** Loads SQLite with the first database, since many importers of the library never open one. */
function open(file: string | undefined, release: () => void): Connection {
  try {
    const { Database }: typeof sqlite = createRequire(import.meta.url)("node-sqlite3-wasm");
    return new Database(file ?? ":memory:");
  } catch (error) {
    release();
    throw error;
  }
}

function columnNames<Row extends { readonly id: string }>(table: Table<Row>): readonly (keyof Row & string)[] {
  return Object.keys(table.columns) as (keyof Row & string)[];
}

function whereClause<Row extends { readonly id: string }>(
  table: Table<Row>,
  where: RowFilter<Row>,
): { clause: string; values: StoredValue[] } {
  const names = columnNames(table).filter((name) => where[name] !== undefined);
  if (names.length === 0) return { clause: "", values: [] };
  const tests = names.map((name) => `"${name}" IS ?`);
  return { clause: `WHERE ${tests.join(" AND ")}`, values: encode(table, names, where) };
}

function encode<Row extends { readonly id: string }>(
  table: Table<Row>,
  names: readonly (keyof Row & string)[],
  row: RowFilter<Row>,
): StoredValue[] {
  return names.map((name) => table.columns[name].encode(row[name] as Row[typeof name]));
}

function decode<Row extends { readonly id: string }>(table: Table<Row>, record: StoredRow): Row {
  const columns = Object.entries<Column<unknown>>(table.columns);
  return Object.fromEntries(columns.map(([name, column]) => [name, column.decode(record[name] ?? null)])) as Row;
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/emulator.ts";
import { Database } from "../../../src/emulator/store/database.ts";
import { rowTable, type Table } from "../../../src/emulator/store/table.ts";
import { column, listResources, send } from "../client.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "emulator-"));
  file = join(directory, "nested", "emulator.db");
});
afterEach(() => rmSync(directory, { recursive: true }));

test("an existing workspace is opened unchanged, with new tokens", async () => {
  const first = createEmulator({ file });
  await send(first, "POST", "/severities", { name: "Kept" });
  first.close();
  expect(existsSync(`${file}.holder`)).toBe(false);
  const second = createEmulator({ file, workspace: "bare" });
  expect(await column(second, "/severities", "slug")).toContain("kept");
  expect((await send(second, "GET", "/severities", undefined, first.adminToken)).status).toBe(401);
  second.close();
});

test("a file that a running process holds is refused with the process number", () => {
  const holder = createEmulator({ file });
  expect(() => createEmulator({ file })).toThrow(`is in use by process ${process.pid}`);
  holder.close();
});

/** Starts a process that holds the file and ends some time after a signal. Resolves when it holds the file. */
async function startHolder(milliseconds: number): Promise<ChildProcess> {
  createEmulator({ file }).close();
  const program = `process.on("SIGTERM", () => setTimeout(() => process.exit(), ${milliseconds})); setInterval(() => {}, 1000); console.log()`;
  const holder = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  writeFileSync(`${file}.holder`, identityOf(holder.pid));
  return holder;
}

function identityOf(pid = 0): string {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) ? `${pid} ${readFileSync(stat, "utf8").split(" ")[21]}` : String(pid);
}

test("a start right after the holder was told to stop waits for its end", async () => {
  const holder = await startHolder(400);
  holder.kill("SIGTERM");
  createEmulator({ file }).close();
  if (holder.exitCode === null) await once(holder, "exit");
});

test("a holder that goes on is named after the wait", { timeout: 20_000 }, async () => {
  const holder = await startHolder(0);
  expect(() => createEmulator({ file })).toThrow(`is in use by process ${holder.pid}`);
  holder.kill("SIGKILL");
  await once(holder, "exit");
});

test("a killed process that its parent has not noticed holds nothing", async () => {
  const holder = await startHolder(0);
  holder.kill("SIGKILL");
  // Opening is synchronous, so this process, its parent, cannot notice the end before.
  createEmulator({ file }).close();
  await once(holder, "exit");
});

test("the lock of a killed process is removed", async () => {
  createEmulator({ file }).close();
  const killed = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const exited = once(killed, "exit");
  writeFileSync(`${file}.holder`, String(killed.pid));
  mkdirSync(`${file}.lock`);
  killed.kill("SIGKILL");
  await exited;
  const emulator = createEmulator({ file });
  expect(await column(emulator, "/severities", "slug")).toEqual(["critical", "major", "minor"]);
  emulator.close();
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("a lock of an unknown program is left alone", () => {
  mkdirSync(`${file}.lock`, { recursive: true });
  expect(() => createEmulator({ file })).toThrow("locked by another program");
});

test("a file other than a database is refused and released", () => {
  createEmulator({ file }).close();
  writeFileSync(file, "not a database ".repeat(100));
  expect(() => createEmulator({ file })).toThrow(`${file}: file is not a database`);
  expect(existsSync(`${file}.holder`)).toBe(false);
});

test("tokens can be fixed", async () => {
  const emulator = createEmulator({ tokens: { admin: "ff_admin_for_tests", service: "ff_service_for_tests" } });
  expect(emulator.adminToken).toBe("ff_admin_for_tests");
  expect((await send(emulator, "GET", "/severities", undefined, "ff_service_for_tests")).status).toBe(200);
  emulator.close();
});

const columns = { id: { type: "string" }, value: { type: "integer" } } as const;
const numbers: Table<{ readonly id: string; readonly value: number }> = rowTable("numbers", columns);
const others: typeof numbers = rowTable("others", columns);

test("a derived value is computed once until one of its tables changes", () => {
  const database = new Database(undefined, [numbers, others]);
  let computed = 0;
  const sum = (): number =>
    database.derive([numbers], "sum", () => {
      computed += 1;
      return database.scalar("SELECT SUM(value) FROM numbers");
    });
  const changes: readonly (readonly [() => void, number, number])[] = [
    [() => database.insert(numbers, { id: "1", value: 1 }), 1, 1],
    [() => undefined, 1, 1],
    [() => database.insert(others, { id: "1", value: 7 }), 1, 1],
    [() => database.update(numbers, "1", { value: 2 }), 2, 2],
    [() => database.run("UPDATE numbers SET value = 3"), 3, 3],
    [() => database.remove(numbers, { id: "1" }), 0, 4],
    [() => database.clear([numbers]), 0, 5],
  ];
  for (const [change, value, count] of changes) {
    change();
    expect([sum(), sum(), computed]).toEqual([value, value, count]);
  }
  database.close();
});

test.each([
  ["the function throws", () => expect.fail("no commit")],
  [
    "SQLite rolls back by itself",
    (database: Database) => database.run("INSERT OR ROLLBACK INTO numbers VALUES ('2', 3)"),
  ],
])("a value that is derived in a transaction is gone with it when %s", (_case, fail) => {
  const database = new Database(undefined, [numbers]);
  database.insert(numbers, { id: "1", value: 1 });
  const failed = (): void =>
    database.transaction(() => {
      database.insert(numbers, { id: "2", value: 2 });
      expect([...database.rowsById(numbers).keys()]).toEqual(["1", "2"]);
      fail(database);
    });
  expect(failed).toThrow(/no commit|UNIQUE/);
  expect([...database.rowsById(numbers).values()]).toEqual([{ id: "1", value: 1 }]);
  database.transaction(() => database.insert(numbers, { id: "3", value: 3 }));
  expect(database.count(numbers)).toBe(2);
  database.close();
});

test("a statement that failed works the next time, and the database closes", () => {
  const database = new Database(undefined, [numbers]);
  database.insert(numbers, { id: "1", value: 1 });
  expect(() => database.insert(numbers, { id: "1", value: 2 })).toThrow("UNIQUE");
  database.insert(numbers, { id: "2", value: 2 });
  expect(() => database.insert(numbers, { id: "2", value: 2 })).toThrow("UNIQUE");
  expect(database.count(numbers)).toBe(2);
  database.close();
});

test("undefined is not kept as a derived value", () => {
  const database = new Database(undefined, [numbers]);
  const values = [undefined, 1, 2];
  const next = (): number | undefined => database.derive([numbers], "next", () => values.shift());
  expect([next(), next(), next()]).toEqual([undefined, 1, 1]);
  database.close();
});

/** The size of the write-ahead log in MiB. */
const logSize = (): number => statSync(`${file}-wal`).size / 1024 / 1024;

test("the write-ahead log stays small over 5,000 changes, each between other queries", () => {
  const database = new Database(file, [numbers]);
  for (let value = 0; value < 5_000; value += 1) {
    database.insert(numbers, { id: String(value), value });
    database.find(numbers, { id: String(value) });
    database.count(numbers, { id: String(value) });
  }
  expect(logSize()).toBeLessThan(5);
  database.close();
});

test("the write-ahead log stays small over many requests", async () => {
  const emulator = createEmulator({ file, requestsPerMinute: 1e9 });
  const [severity] = await listResources(emulator, "/severities");
  for (let round = 0; round < 300; round += 1) {
    const body = { idempotency_key: `key ${round}`, name: "Declared", severity_id: severity?.id ?? null };
    expect((await send(emulator, "POST", "/incidents", body)).status).toBe(201);
  }
  expect(logSize()).toBeLessThan(5);
  await emulator.close();
});

test("the write-ahead log is small again after a large change", () => {
  const database = new Database(file, [numbers]);
  const rows = Array.from({ length: 20_000 }, (_, value) => ({ id: `${value} ${"x".repeat(500)}`, value }));
  database.transaction(() => database.insert(numbers, ...rows));
  expect(logSize()).toBeGreaterThan(5);
  for (let value = 0; value < 2; value += 1) database.insert(numbers, { id: String(value), value });
  expect(logSize()).toBeLessThan(5);
  database.close();
});

test("any number of rows can be inserted at once", () => {
  const database = new Database(undefined, [numbers]);
  const rows = Array.from({ length: 10_000 }, (_, value) => ({ id: String(value), value }));
  database.insert(numbers, ...rows);
  expect(database.list(numbers, {}, { order: "value", limit: 2, offset: 9_998 })).toEqual(rows.slice(9_998));
  expect(database.count(numbers)).toBe(10_000);
  database.close();
});

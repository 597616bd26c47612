import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, test } from "vitest";
import type { LoadOptions } from "../../../src/config/load/load.ts";
import type { FileBytes } from "../../../src/config/source/files.ts";
import { type Marking, markBeside } from "../../../src/config/source/marking.ts";
import { marksOf } from "../../../src/config/source/marks.ts";
import type { Marked, Task } from "../../../src/config/source/marks-task.ts";
import { utf8 } from "../../../src/config/source/text.ts";
import { InvalidConfiguration } from "../../../src/core/diagnostic.ts";
import { FIELDS } from "../../bad-input/fields.ts";
import { RELATIONS } from "../../bad-input/relations.ts";
import { SCALARS } from "../../bad-input/scalars.ts";
import { STRUCTURE } from "../../bad-input/structure.ts";
import { TEXT } from "../../bad-input/text.ts";
import { type Files, inDirectory, loaded } from "../loading.ts";

/** What the program starts, as it was built. */
const THREAD = new URL("../../../dist/config/source/marks-worker.js", import.meta.url);

const PROGRAM = new URL("../../../dist/cli.cjs", import.meta.url);

const examples = new URL("../../../examples/", import.meta.url);
const EXAMPLES = Object.fromEntries(
  readdirSync(examples)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => [name, readFileSync(new URL(name, examples))]),
);

interface Generator {
  workspace(size: { readonly entries: number; readonly seed: number }): object;
  files(declared: object): ReadonlyMap<string, string>;
}
const generator: Generator = await import(new URL("../../../bench/generate.mjs", import.meta.url).href);

/** Each alone is a configuration that is wrong, and mostly hostile. */
const [LARGE, MANY] = [100_000, 100];
const ROWS = [TEXT, STRUCTURE, SCALARS, FIELDS, RELATIONS]
  .flat()
  .filter(({ files }) => sizeOf(files) < LARGE && Object.keys(files).length < MANY);
/** One of each number of the catalogue. */
const SORTS: readonly Files[] = [...new Map(ROWS.map(({ title, files }) => [title.split(":")[0], files])).values()];

beforeAll(() => {
  expect(existsSync(THREAD), "npm run build comes first").toBe(true);
});

function bytesOf(files: Files): readonly FileBytes[] {
  return Object.entries(files).map(([file, text]) => ({
    file,
    path: `/${file}`,
    bytes: typeof text === "string" ? new TextEncoder().encode(text) : text,
  }));
}

/** What the other thread makes of the files, all of them. */
async function madeElsewhere(files: readonly FileBytes[]): Promise<ReadonlyMap<number, Marked["marks"]>> {
  const taken = new Int32Array(new SharedArrayBuffer(4 * files.length));
  const order = [...files.keys()];
  const workerData: Task = { bytes: files.map(({ bytes }) => bytes), taken, order };
  const worker = new Worker(THREAD, { workerData });
  const made = new Map<number, Marked["marks"]>();
  worker.on("message", ({ index, marks }: Marked) => made.set(index, marks));
  await once(worker, "exit");
  return made;
}

/** As bytes, which are compared at once. */
function numbers(marks: Marked["marks"]): Buffer {
  return marks === undefined ? Buffer.alloc(0) : Buffer.from(marks.buffer, marks.byteOffset, marks.byteLength);
}

function sizeOf(files: Files): number {
  return Object.values(files).reduce((sum, { length }) => sum + length, 0);
}

/** Nothing that is read quickly. */
const UNSURE = "%";

/** Everything that a load tells, or what it fails with. */
async function told(files: Files, options: Partial<LoadOptions> = {}): Promise<unknown> {
  try {
    const { declared, managed, remarks, warnings, digest, listAt } = await loaded(files, options);
    const entries = declared.map(({ address, fields, at, place, extra, secrets }) => [
      address,
      fields,
      at,
      Object.keys(fields).map((name) => place(`/${name}`)),
      extra,
      secrets,
    ]);
    return {
      entries,
      lists: managed.map(({ kind, scope }) => listAt(kind, scope)),
      managed,
      remarks,
      warnings,
      digest,
    };
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.diagnostics;
    throw error;
  }
}

/** What the load waits for before it asks for the first file: nothing, a word of the other thread, or its end. */
type Until = "message" | "exit" | undefined;

/** Loads with another thread, and waits for the end of that; it is `killed` when it is asked for a file. */
async function toldWith(thread: URL, files: Files, until?: Until, killed = false): Promise<unknown> {
  const workers: Worker[] = [];
  const heard: Promise<void>[] = [];
  const ended: Promise<void>[] = [];
  // The process tells of a thread before that can have said anything.
  const note = (worker: Worker): void => {
    workers.push(worker);
    ended.push(new Promise((resolve) => worker.once("exit", () => resolve())));
    heard.push(new Promise((resolve) => worker.once("message", () => resolve())));
  };
  process.on("worker", note);
  const marking = async (read: readonly FileBytes[]): Promise<Marking | undefined> => {
    const begun = markBeside(read, thread);
    if (begun === undefined) return undefined;
    await new Promise((resolve) => setImmediate(resolve));
    if (until === "exit") await Promise.all(ended);
    if (until === "message") await Promise.race([...heard, ...ended]);
    const of = (file: FileBytes): ReturnType<Marking["of"]> => {
      const marks = begun.of(file);
      if (killed) for (const worker of workers) setImmediate(() => void worker.terminate());
      return marks;
    };
    return { of, end: () => begun.end() };
  };
  try {
    return await told(files, { marking });
  } finally {
    process.off("worker", note);
    expect(workers).toHaveLength(1);
    await Promise.all(ended);
  }
}

function generated(entries: number, seed: number): Record<string, string> {
  return Object.fromEntries(generator.files(generator.workspace({ entries, seed })));
}

describe("Reading in two threads", () => {
  test("makes in the other one what this one would, of every text, however hostile", async () => {
    const files = [EXAMPLES, generated(300, 1), ...ROWS.map((row) => row.files)].flatMap(bytesOf);
    const made = await madeElsewhere(files);
    expect(made.size).toBe(files.length);
    const isOther = ({ bytes }: FileBytes, index: number): boolean =>
      numbers(made.get(index)).compare(numbers(marksOf(utf8(bytes) ?? UNSURE))) !== 0;
    expect(files.filter(isOther)).toEqual([]);
    expect([...made.values()].filter((marks) => marks !== undefined).length).toBeGreaterThan(files.length / 2);
  });

  test("ends as in one, with the same words, for whatever is refused", async () => {
    const all = SORTS.map(bytesOf);
    const made = await madeElsewhere(all.flat());
    let before = 0;
    for (const [at, files] of SORTS.entries()) {
      const marks = new Map((all[at] ?? []).map(({ file }, index) => [file, made.get(before + index)]));
      before += marks.size;
      const ready: Marking = { of: async ({ file }) => marks.get(file), end: () => {} };
      expect(await told(files, { marking: async () => ready })).toEqual(await told(files));
    }
  });

  test.each([
    ["as much as it comes to", 1, undefined],
    ["all files", 2, "exit"],
  ] as const)("gives the same configuration in the same order, when the other reads %s", async (_, seed, until) => {
    const files = generated(600, seed);
    expect(await toldWith(THREAD, files, until)).toEqual(await told(files));
    const [first = "", second = ""] = Object.keys(files).filter((_, index) => index % 4 === seed);
    const broken = { ...files, [first]: `${files[first]}x: &a [*a]\n`, [second]: "\u00e9: {\n", "z.yaml": "a: [" };
    expect(await toldWith(THREAD, broken, until)).toEqual(await told(broken));
  });

  test("gives the same under an overlay, which needs all files at once", async () => {
    const settings =
      "version: 1\nbase_url: https://incidents.example.com\nenvironments:\n  one: { overlays: [over.yaml] }\n";
    const files = { ...generated(300, 4), "incidentctl.yaml": settings, "over.yaml": "severities: []\n" };
    const marking = async (all: readonly FileBytes[]): Promise<Marking | undefined> => markBeside(all, THREAD);
    expect(await told(files, { environment: "one", marking })).toEqual(await told(files, { environment: "one" }));
  });

  const taking = `
    import { workerData, parentPort } from "node:worker_threads";
    workerData.taken.fill(1);
    parentPort.postMessage({ index: 0, marks: undefined });
  `;
  test.each([
    ["is not there", "./nowhere.js", undefined],
    ["fails before it takes anything", script("throw new Error('no')"), "exit"],
    ["ends before it takes anything", script(""), "exit"],
    ["takes all files, gives one away and fails", script(`${taking} throw new Error('no')`), "exit"],
    ["takes all files, gives one away and ends", script(`${taking} process.exit(3)`), "exit"],
    ["is killed while it is waited for", script(`${taking} setInterval(() => {}, 1000)`), "message"],
  ] as const)("reads in one when the other %s", async (_, address, until) => {
    const files = generated(100, 5);
    const killed = until === "message";
    expect(await toldWith(new URL(address, import.meta.url), files, until, killed)).toEqual(await told(files));
  });

  test("reads in one when there may be no other", async () => {
    const files = generated(100, 5);
    const marking = async (all: readonly FileBytes[]): Promise<Marking | undefined> => {
      const begun = markBeside(all, new URL("https://elsewhere.example/thread.js"));
      expect(begun).toBeUndefined();
      return begun;
    };
    expect(await told(files, { marking })).toEqual(await told(files));
  });

  test("reads in one when the other is killed between two files", async () => {
    const files = generated(600, 6);
    expect(await toldWith(THREAD, files, "message", true)).toEqual(await told(files));
  });
});

describe("The program", () => {
  /** Two files of so many bytes together, and what is told of every thread that is started. */
  const files = (size: number): Files => ({
    "config/a.yaml": `severities:\n  - { slug: critical, name: Critical, default: true }\n${comments(size / 2)}`,
    "config/b.yaml": `incident_types: []\n${comments(size / 2)}`,
    "tell.cjs": 'process.on("worker", () => process.stderr.write("another thread\\n"));',
  });
  const comments = (size: number): string => `# ${"x".repeat(98)}\n`.repeat(size / 100);

  test.each([
    [1_000_000, false],
    [5_000_000, true],
  ])("starts another thread for what is large alone: %i bytes", async (size, isLarge) => {
    await inDirectory(files(size), async (cwd) => {
      const { PATH } = process.env;
      const args = ["--require", "./tell.cjs", fileURLToPath(PROGRAM), "validate", "config"];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, env: { PATH } });
      expect(stdout).toBe("The configuration is valid: 1 entry in 2 kinds.\n");
      expect(stderr).toBe(isLarge && availableParallelism() > 1 ? "another thread\n" : "");
    });
  });
});

/** The address of a thread that runs the text. */
function script(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

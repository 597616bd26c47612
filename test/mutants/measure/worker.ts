/**
 * The process that runs the quick tests, with one mutant after another switched on. Its parent says which, and takes
 * its end without an answer for an answer: the mutant ran in circles.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import type { Asked, Dry, Said } from "./messages.ts";
import { type Registered, registered, startFile } from "./tests.ts";

/** What the switches of the instrumenter read and count, by its own names. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: {
    readonly static: Readonly<Record<string, number>>;
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

/** A loop that goes so many times further than the sound program went has no end. */
const LONGEST_LOOP = 200;
/** Processor time for a mutant beyond twenty times that of its tests, in milliseconds. */
const GRACE = 10_000;
/** A test that waits so long for nothing, in milliseconds. */
const LONGEST_WAIT = 60_000;

const switches: Switches = {};
Object.defineProperty(globalThis, "__stryker__", { value: switches });

/** End of the processor time of the mutant at hand, in microseconds; 0 while there is none. */
const limit = new Float64Array(new SharedArrayBuffer(8));

const watch = `
  const { workerData } = require("node:worker_threads");
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (workerData[0] !== 0 && user + system > workerData[0]) process.kill(process.pid, "SIGKILL");
  }, 200);
`;

/** How often a test of this process noticed a mutant of a file. */
const noticed = new Map<string, number>();

function say(said: Said): void {
  process.send?.(said);
}

async function load(built: string, files: readonly string[]): Promise<void> {
  fc.configureGlobal({ seed: 1, endOnFailure: true });
  for (const file of files) {
    startFile(file);
    await import(pathToFileURL(join(built, file.replace(/\.ts$/, ".js"))).href);
  }
}

/** Whether the test is green. */
async function green({ body, after }: Registered): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const running = body();
    if (running instanceof Promise) {
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error("the test waits for nothing")), LONGEST_WAIT);
      });
      await Promise.race([running, late]);
    }
    for (const clean of after) await clean();
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Every test without a mutant: what it reaches, how often, and how long it takes. */
async function dry(): Promise<Dry> {
  const tests = [];
  for (const test of registered) {
    switches.currentTestId = test.id;
    const since = process.cpuUsage();
    const sound = await green(test);
    const { user, system } = process.cpuUsage(since);
    tests.push({ id: test.id, file: test.file, sound, time: (user + system) / 1000 });
  }
  switches.currentTestId = undefined;
  const { static: loading = {}, perTest = {} } = switches.mutantCoverage ?? {};
  return {
    tests: tests.map((test) => ({ ...test, reached: perTest[test.id] ?? {} })),
    loading: Object.keys(loading),
  };
}

async function judge({ id, file }: Asked["mutant"], known: Dry, fresh: boolean): Promise<Said> {
  const reaching = known.tests.filter(({ reached }) => reached[id] !== undefined);
  const stem = file.replace(/^.*\/|\.ts$/g, "");
  const cost = (test: Dry["tests"][number]): number =>
    (test.time + 1) / (1 + (noticed.get(`${file} ${test.id}`) ?? 0) + (test.file.includes(`/${stem}`) ? 10 : 0));
  const total = reaching.reduce((sum, { time }) => sum + time, 0);
  const { user, system } = process.cpuUsage();
  limit[0] = user + system + (total * 20 + GRACE) * 1000;
  const bodies = new Map(registered.map((test) => [test.id, test]));
  for (const known of reaching.toSorted((one, other) => cost(one) - cost(other))) {
    const test = bodies.get(known.id);
    if (test === undefined) throw new Error(`there is no test ${known.id}`);
    switches.activeMutant = id;
    switches.hitCount = 0;
    switches.hitLimit = (known.reached[id] ?? 0) * LONGEST_LOOP + 10_000;
    const sound = await green(test);
    const endless = switches.hitCount > switches.hitLimit;
    switches.activeMutant = undefined;
    switches.hitCount = undefined;
    if (sound && !endless) continue;
    // What a mutant leaves behind in the process must not be taken for the work of the next one.
    const clean = await green(test);
    limit[0] = 0;
    if (!clean && !fresh) return { verdict: "tainted", by: known.id };
    const key = `${file} ${known.id}`;
    noticed.set(key, (noticed.get(key) ?? 0) + 1);
    return { verdict: endless ? "endless" : "noticed", by: known.id, end: !clean };
  }
  limit[0] = 0;
  return { verdict: "alive" };
}

async function main(): Promise<void> {
  const [built = "", files = "[]"] = process.argv.slice(2);
  await load(built, JSON.parse(files));
  new Worker(watch, { eval: true, workerData: limit }).unref();
  let known: Dry | undefined;
  let asked = 0;
  process.on("message", async (message: "dry" | Asked | { readonly known: Dry }) => {
    if (message === "dry") say({ verdict: "dry", dry: await dry() });
    else if ("known" in message) known = message.known;
    else if (known !== undefined) {
      asked += 1;
      say(await judge(message.mutant, known, asked === 1));
    }
  });
  process.on("disconnect", () => process.exit());
  say({ verdict: "ready" });
}

await main();

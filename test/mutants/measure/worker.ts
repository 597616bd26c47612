/**
 * The process that runs the quick tests, with one mutant after another switched on. If it ends without a response, the mutant is in an
 * endless loop.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import type { DryRun, RunnerRequest, RunnerResponse, Trial } from "./messages.ts";
import { type Registered, registered, runTest, startFile } from "./tests.ts";

/** State of the instrumenter's switches, by its own names. */
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

/** A loop is endless if it runs this many times as often as without a mutant. */
const LONGEST_LOOP = 200;
/** Processor time for a mutant beyond twenty times that of its tests, in milliseconds. */
const GRACE = 10_000;
/**
 * Processor time of the tests that a mutant is tried by, in milliseconds: those that most often notice the mutants of its file first.
 * Whole commands reach most of the planner, so all that reach a mutant would take minutes for each that stays.
 */
const BUDGET = 5000;
/** Milliseconds after which a waiting test fails. */
const LONGEST_WAIT = 120_000;

const switches: Switches = {};
Object.defineProperty(globalThis, "__stryker__", { value: switches });

/** Processor time at which the current mutant is stopped, in microseconds; 0 if there is none. */
const limit = new Float64Array(new SharedArrayBuffer(8));

const watch = `
  const { workerData } = require("node:worker_threads");
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (workerData[0] !== 0 && user + system > workerData[0]) process.kill(process.pid, "SIGKILL");
  }, 200);
`;

/** File and test → how many mutants of the file the test noticed in this process. */
const noticed = new Map<string, number>();

function respond(response: RunnerResponse): void {
  process.send?.(response);
}

async function load(built: string, files: readonly string[]): Promise<void> {
  fc.configureGlobal({ seed: 1, endOnFailure: true });
  for (const file of files) {
    startFile(file);
    await import(pathToFileURL(join(built, file.replace(/\.ts$/, ".js"))).href);
  }
}

async function passes(test: Registered): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the test waits for nothing")), LONGEST_WAIT);
  });
  try {
    await Promise.race([runTest(test), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Every test without a mutant: the mutants that it reaches, and its processor time. */
async function dryRun(): Promise<DryRun> {
  const tests = [];
  for (const test of registered) {
    switches.currentTestId = test.id;
    const since = process.cpuUsage();
    const isGreen = await passes(test);
    const { user, system } = process.cpuUsage(since);
    tests.push({ id: test.id, file: test.file, passes: isGreen, time: (user + system) / 1000 });
  }
  switches.currentTestId = undefined;
  const { static: loading = {}, perTest = {} } = switches.mutantCoverage ?? {};
  return {
    tests: tests.map((test) => ({ ...test, reached: perTest[test.id] ?? {} })),
    loading: Object.keys(loading),
  };
}

async function judge({ id, file }: Trial["mutant"], known: DryRun, isFresh: boolean): Promise<RunnerResponse> {
  const reaching = known.tests.filter(({ reached }) => reached[id] !== undefined);
  const stem = file.replace(/^.*\/|\.ts$/g, "");
  const cost = (test: DryRun["tests"][number]): number =>
    (test.time + 1) / (1 + (noticed.get(`${file} ${test.id}`) ?? 0) + (test.file.includes(`/${stem}`) ? 10 : 0));
  let spent = 0;
  const chosen = reaching
    .toSorted((one, other) => cost(one) - cost(other))
    .filter(({ time }) => {
      spent += time;
      return spent - time < BUDGET;
    });
  const total = chosen.reduce((sum, { time }) => sum + time, 0);
  const { user, system } = process.cpuUsage();
  limit[0] = user + system + (total * 20 + GRACE) * 1000;
  const bodies = new Map(registered.map((test) => [test.id, test]));
  for (const known of chosen) {
    const test = bodies.get(known.id);
    if (test === undefined) throw new Error(`there is no test ${known.id}`);
    switches.activeMutant = id;
    switches.hitCount = 0;
    switches.hitLimit = (known.reached[id] ?? 0) * LONGEST_LOOP + 10_000;
    const isGreen = await passes(test);
    const isEndless = switches.hitCount > switches.hitLimit;
    switches.activeMutant = undefined;
    switches.hitCount = undefined;
    if (isGreen && !isEndless) continue;
    // A mutant may leave state behind that makes the next one look noticed.
    const isClean = await passes(test);
    limit[0] = 0;
    if (!isClean && !isFresh) return { verdict: "tainted", by: known.id };
    const key = `${file} ${known.id}`;
    noticed.set(key, (noticed.get(key) ?? 0) + 1);
    return { verdict: isEndless ? "endless" : "noticed", by: known.id, end: !isClean };
  }
  limit[0] = 0;
  return { verdict: "alive" };
}

async function main(): Promise<void> {
  const [built = "", files = "[]"] = process.argv.slice(2);
  await load(built, JSON.parse(files));
  new Worker(watch, { eval: true, workerData: limit }).unref();
  let known: DryRun | undefined;
  let trials = 0;
  process.on("message", async (message: RunnerRequest) => {
    if (message === "dry") respond({ verdict: "dry", dry: await dryRun() });
    else if ("known" in message) known = message.known;
    else if (known !== undefined) {
      trials += 1;
      respond(await judge(message.mutant, known, trials === 1));
    }
  });
  process.on("disconnect", () => process.exit());
  respond({ verdict: "ready" });
}

await main();

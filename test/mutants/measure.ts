/**
 * `npm run mutation`: the share of the mutants of Stryker's instrumenter in the planner that the quick tests notice. Arguments select
 * source files; `--sample=N` tries N mutants of them, always the same ones; `--again` discards earlier results.
 */

import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build, type Planted } from "./measure/instrumented.ts";
import { Ledger, type Result } from "./measure/ledger.ts";
import type { DryRun, RunnerRequest, RunnerResponse } from "./measure/messages.ts";
import { printReport } from "./measure/report.ts";
import { measuredFiles, quickTests, TESTS } from "./measure/scope.ts";

/** Processes that try mutants at the same time. */
const PROCESSES = 2;
/** Mutants after which the results are saved. */
const SAVED = 50;
/** The smallest share of noticed mutants that is a success. */
const GOAL = 0.9;
/** Runs of the longest property tests, a tenth of those in the suite. */
const RUNS = 60;

// Compiled into dist-tools/test/mutants.
const root = join(import.meta.dirname, "..", "..", "..");
const folder = join(root, ".stryker");

/** A process that runs tests. */
class Runner {
  readonly #child: ChildProcess;
  #respond: (response: RunnerResponse | undefined) => void = () => {};

  constructor(tests: readonly string[], errors: "inherit" | "ignore") {
    const program = join(import.meta.dirname, "measure", "worker.js");
    const args = [join(folder, "built"), JSON.stringify(tests)];
    this.#child = fork(program, args, {
      env: { ...process.env, CAMPAIGN_RUNS: String(RUNS) },
      execArgv: ["--max-old-space-size=1500"],
      stdio: ["ignore", "inherit", errors, "ipc"],
    });
    this.#child.on("message", (response: RunnerResponse) => this.#respond(response));
    this.#child.on("exit", () => this.#respond(undefined));
  }

  /** The next response; undefined if the process ends without one. */
  response(): Promise<RunnerResponse | undefined> {
    return new Promise((resolve) => {
      this.#respond = resolve;
    });
  }

  ask(request: RunnerRequest): Promise<RunnerResponse | undefined> {
    const response = this.response();
    this.#child.send(request);
    return response;
  }

  send(request: RunnerRequest): void {
    this.#child.send(request);
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}

async function main(args: readonly string[]): Promise<number> {
  const saved = join(folder, "results.json");
  if (args.includes("--again")) rmSync(saved, { force: true });
  const chosen = args.filter((arg) => !arg.startsWith("--"));
  const size = args.find((arg) => arg.startsWith("--sample="))?.slice("--sample=".length);
  const all = measuredFiles(root);
  const unknown = chosen.filter((path) => !all.includes(path));
  if (unknown.length > 0) {
    console.error(`Not measured: ${unknown.join(" ")}. test/mutants/measure/scope.ts lists the files that are.`);
    return 3;
  }
  const planted = await build(root, folder, chosen.length === 0 ? all : chosen);
  const mutants = size === undefined ? planted : sampleOf(planted, Number(size));
  const tests = quickTests(root);
  const known = await dryRun(tests);
  if (known === undefined) return 1;
  const ledger = new Ledger(root, saved, ["src", ...TESTS, "test/support"]);
  const results = new Map<Planted, Result>();
  const waiting = mutants.filter((mutant) => {
    const earlier = unreached(mutant, known) ?? ledger.known(mutant);
    if (earlier !== undefined) results.set(mutant, earlier);
    return earlier === undefined;
  });
  // The quickest first, so that an interrupted run has tried the most.
  const cost = costs(known);
  waiting.sort((one, other) => (cost.get(one.id) ?? 0) - (cost.get(other.id) ?? 0));
  console.log(`${mutants.length} mutants, ${waiting.length} of them to be tried by ${known.tests.length} tests`);
  const note = (mutant: Planted, result: Result): void => {
    results.set(mutant, result);
    ledger.set(mutant, result);
    if (results.size % SAVED !== 0) return;
    ledger.save();
    console.log(`${results.size} of ${mutants.length}`);
  };
  await Promise.all(Array.from({ length: PROCESSES }, () => work(tests, known, waiting, note)));
  ledger.save();
  return printReport(results) >= GOAL ? 0 : 1;
}

/** Some of the mutants, chosen by their digests: the same ones in every run, from all files alike. */
function sampleOf(mutants: readonly Planted[], size: number): readonly Planted[] {
  const digest = ({ file, line, column, replacement }: Planted): string =>
    createHash("sha256").update(`${file}:${line}:${column} ${replacement}`).digest("hex");
  const ordered = mutants.map((mutant) => ({ mutant, at: digest(mutant) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  return ordered.slice(0, size).map(({ mutant }) => mutant);
}

/** The mutants that each test reaches; undefined if no test passes without a mutant. Tests that fail without one do not count. */
async function dryRun(tests: readonly string[]): Promise<DryRun | undefined> {
  const runner = new Runner(tests, "inherit");
  await runner.response();
  const response = await runner.ask("dry");
  runner.end();
  if (response?.verdict !== "dry") throw new Error("the process that runs the tests has ended");
  const failed = response.dry.tests.filter(({ passes }) => !passes);
  const sound = response.dry.tests.filter(({ passes }) => passes);
  if (failed.length > 0) console.error("These tests do not count, because they fail here without a mutant:");
  for (const { id } of failed) console.error(`  ${id}`);
  return sound.length === 0 ? undefined : { ...response.dry, tests: sound };
}

/** Processor time of all tests that reach a mutant, by its id. */
function costs({ tests }: DryRun): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { time, reached } of tests) {
    for (const id of Object.keys(reached)) times.set(id, (times.get(id) ?? 0) + time);
  }
  return times;
}

function unreached({ id }: Planted, { tests, loading }: DryRun): Result | undefined {
  if (tests.some(({ reached }) => reached[id] !== undefined)) return undefined;
  return { verdict: loading.includes(id) ? "loading" : "unreached" };
}

async function work(
  tests: readonly string[],
  known: DryRun,
  waiting: Planted[],
  note: (mutant: Planted, result: Result) => void,
): Promise<void> {
  let runner: Runner | undefined;
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    if (runner === undefined) {
      // A mutant that exhausts the memory makes Node print pages.
      runner = new Runner(tests, "ignore");
      if ((await runner.response())?.verdict !== "ready") throw new Error("the tests could not be loaded");
      runner.send({ known });
    }
    const response = await runner.ask({ mutant: { id: mutant.id, file: mutant.file } });
    if (response === undefined) note(mutant, { verdict: "endless" });
    else if (response.verdict === "alive") note(mutant, { verdict: "alive" });
    else if (response.verdict === "tainted") waiting.unshift(mutant);
    else if (response.verdict === "noticed" || response.verdict === "endless") {
      note(mutant, { verdict: response.verdict, by: response.by });
    } else throw new Error(`unexpected response: ${response.verdict}`);
    const isUsedUp = response === undefined || response.verdict === "tainted" || ("end" in response && response.end);
    if (!isUsedUp) continue;
    runner.end();
    runner = undefined;
  }
  runner?.end();
}

process.exitCode = await main(process.argv.slice(2));

/**
 * The program behind `npm run mutation`: how many of the mutants that Stryker's instrumenter plants in the planner are
 * noticed by the quick tests. Paths on the command line choose the files, `--again` forgets what is known.
 */

import { type ChildProcess, fork } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Planted, testsBelow } from "./measure/instrumented.ts";
import { type Found, Ledger } from "./measure/ledger.ts";
import type { Asked, Dry, Said } from "./measure/messages.ts";
import { printReport } from "./measure/report.ts";

/** Processes that try mutants at a time. */
const PROCESSES = 2;
/** Mutants between two times that the results are written down. */
const SAVED = 50;
/** Fewer noticed mutants than this share are a failure. */
const WANTED = 0.9;
const TESTS: readonly string[] = ["test/plan", "test/kinds"];
/** What would cost more than it notices: whole services, and tests that take the time. */
const SLOW: readonly string[] = ["forms", "ranked-alerts", "ranked-speed", "removal", "scale", "updating"].map(
  (name) => `test/plan/${name}.test.ts`,
);
/** Runs of the longest properties: ten times fewer than in the suite. */
const RUNS = 60;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, ".stryker");

/** A process that runs tests. */
class Runner {
  readonly #child: ChildProcess;
  #answer: (said: Said | undefined) => void = () => {};

  constructor(tests: readonly string[], errors: "inherit" | "ignore") {
    const program = join(import.meta.dirname, "measure", "worker.js");
    const args = [join(folder, "built"), JSON.stringify(tests)];
    this.#child = fork(program, args, {
      env: { ...process.env, CAMPAIGN_RUNS: String(RUNS) },
      execArgv: ["--max-old-space-size=1500"],
      stdio: ["ignore", "inherit", errors, "ipc"],
    });
    this.#child.on("message", (said: Said) => this.#answer(said));
    this.#child.on("exit", () => this.#answer(undefined));
  }

  /** The next thing it says; `undefined` when it ends without a word. */
  heard(): Promise<Said | undefined> {
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  ask(message: "dry" | Asked | { readonly known: Dry }): Promise<Said | undefined> {
    const heard = this.heard();
    this.#child.send(message);
    return heard;
  }

  tell(message: { readonly known: Dry }): void {
    this.#child.send(message);
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}

async function main(args: readonly string[]): Promise<number> {
  const results = join(folder, "results.json");
  if (args.includes("--again")) rmSync(results, { force: true });
  const chosen = args.filter((arg) => arg !== "--again");
  const all = readdirSync(join(root, "src/plan")).map((name) => `src/plan/${name}`);
  const unknown = chosen.filter((path) => !all.includes(path));
  if (unknown.length > 0) {
    console.error(`Only files of src/plan are measured, and these are none: ${unknown.join(" ")}`);
    return 3;
  }
  const mutants = await build(root, folder, chosen.length === 0 ? all : chosen);
  const tests = testsBelow(root, TESTS, SLOW);
  const known = await dryRun(tests);
  if (known === undefined) return 1;
  const ledger = new Ledger(root, results, ["src", ...TESTS, "test/support"]);
  const found = new Map<Planted, Found>();
  const waiting = mutants.filter((mutant) => {
    const before = unreached(mutant, known) ?? ledger.known(mutant);
    if (before !== undefined) found.set(mutant, before);
    return before === undefined;
  });
  // What is quickly tried first: a run that is broken off has then found out the most.
  const cost = costs(known);
  waiting.sort((one, other) => (cost.get(one.id) ?? 0) - (cost.get(other.id) ?? 0));
  console.log(`${mutants.length} mutants, ${waiting.length} of them to be tried by ${known.tests.length} tests`);
  const note = (mutant: Planted, verdict: Found): void => {
    found.set(mutant, verdict);
    ledger.set(mutant, verdict);
    if (found.size % SAVED !== 0) return;
    ledger.save();
    console.log(`${found.size} of ${mutants.length}`);
  };
  await Promise.all(Array.from({ length: PROCESSES }, () => work(tests, known, waiting, note)));
  ledger.save();
  return printReport(found) >= WANTED ? 0 : 1;
}

/** What the tests reach without a mutant; `undefined` when they are not green. */
async function dryRun(tests: readonly string[]): Promise<Dry | undefined> {
  const runner = new Runner(tests, "inherit");
  await runner.heard();
  const said = await runner.ask("dry");
  runner.end();
  if (said?.verdict !== "dry") throw new Error("the tests ended the process that was to run them");
  const red = said.dry.tests.filter(({ sound }) => !sound);
  if (red.length === 0 && said.dry.tests.length > 0) return said.dry;
  console.error("The tests are not green without a mutant, so nothing can be seen by them:");
  for (const { id } of red) console.error(`  ${id}`);
  return undefined;
}

/** Processor time of all tests that come by a mutant, by its id. */
function costs({ tests }: Dry): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { time, reached } of tests) {
    for (const id of Object.keys(reached)) found.set(id, (found.get(id) ?? 0) + time);
  }
  return found;
}

function unreached({ id }: Planted, { tests, loading }: Dry): Found | undefined {
  if (tests.some(({ reached }) => reached[id] !== undefined)) return undefined;
  return { verdict: loading.includes(id) ? "loading" : "unreached" };
}

async function work(
  tests: readonly string[],
  known: Dry,
  waiting: Planted[],
  note: (mutant: Planted, found: Found) => void,
): Promise<void> {
  let runner: Runner | undefined;
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    if (runner === undefined) {
      // A mutant that fills the memory has the process say so at length.
      runner = new Runner(tests, "ignore");
      if ((await runner.heard())?.verdict !== "ready") throw new Error("the tests could not be loaded");
      runner.tell({ known });
    }
    const said = await runner.ask({ mutant: { id: mutant.id, file: mutant.file } });
    if (said === undefined) note(mutant, { verdict: "endless" });
    else if (said.verdict === "alive") note(mutant, { verdict: "alive" });
    else if (said.verdict === "tainted") waiting.unshift(mutant);
    else if (said.verdict === "noticed" || said.verdict === "endless") {
      note(mutant, { verdict: said.verdict, by: said.by });
    } else throw new Error(`${said.verdict} is no answer`);
    const used = said === undefined || said.verdict === "tainted" || ("end" in said && said.end);
    if (!used) continue;
    runner.end();
    runner = undefined;
  }
  runner?.end();
}

process.exitCode = await main(process.argv.slice(2));

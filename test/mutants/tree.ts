/** A copy of the tree in a folder of its own, where one mutant after another stands in the place of the sound source. */

import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Mutant, mutated } from "./mutant.ts";

/** What the tests need of the tree. */
const COPIED: readonly string[] = [
  "src",
  "test",
  "conformance",
  "mutants",
  "bench",
  "schemas",
  "examples",
  "docs",
  "scripts",
];
const FILES: readonly string[] = [
  "package.json",
  "package-lock.json",
  "vitest.config.ts",
  "tsconfig.json",
  "biome.json",
];
const PAGES: readonly string[] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

/** A run that takes longer has gone round in circles: that is noticed as well. */
const LONGEST_RUN = 300_000;

/** What a run of tests came to. `broken`: no test failed, but the files could not be run. */
export type Verdict = "green" | "red" | "endless" | "broken";

/** A run of tests. */
export interface Run {
  readonly verdict: Verdict;
  /** The tests that failed, and what is said of files that could not be run. */
  readonly failed: readonly string[];
}

interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** A copy of the tree. */
export class Tree {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = mkdtempSync(join(tmpdir(), "incidentctl-mutants-"));
    for (const name of [...COPIED, ...FILES, ...PAGES]) {
      cpSync(join(root, name), join(this.#folder, name), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(this.#folder, "node_modules"), "dir");
  }

  /** Puts the mutant in, runs its tests until the first that fails, and takes it out again. */
  async try(mutant: Mutant): Promise<Run> {
    const path = join(this.#folder, mutant.file);
    const sound = readFileSync(path, "utf8");
    writeFileSync(path, mutated(sound, mutant));
    try {
      return await this.test(mutant.redBy);
    } finally {
      writeFileSync(path, sound);
    }
  }

  /** Runs test files until the first failure. */
  async test(files: readonly string[]): Promise<Run> {
    const report = join(this.#folder, "report.json");
    rmSync(report, { force: true });
    const vitest = join("node_modules", "vitest", "vitest.mjs");
    const flags = ["run", "--bail=1", "--maxWorkers=1", "--reporter=json", `--outputFile=${report}`];
    const finished = await this.#run([vitest, ...flags, ...files]);
    if (!finished) return { verdict: "endless", failed: [] };
    return runOf(readFileSync(report, "utf8"));
  }

  /** Whether the process came to its end by itself. */
  #run(args: readonly string[]): Promise<boolean> {
    return new Promise((resolve, reject) => {
      // Snapshots are compared and never written.
      const env = { ...process.env, CI: "true" };
      const child = spawn(process.execPath, args, { cwd: this.#folder, env, stdio: "ignore", detached: true });
      const timer = setTimeout(() => {
        // The process and the workers that it has started.
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      }, LONGEST_RUN);
      child.once("error", reject);
      child.once("close", (_code, signal) => {
        clearTimeout(timer);
        resolve(signal === null);
      });
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function runOf(text: string): Run {
  const { success, numPassedTests, testResults } = JSON.parse(text) as Report;
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ status, fullName }) => (status === "failed" ? [fullName] : [])),
  );
  if (failed.length > 0) return { verdict: "red", failed };
  if (success && numPassedTests > 0) return { verdict: "green", failed };
  return { verdict: "broken", failed: testResults.map(({ name, message }) => `${name}: ${message}`) };
}

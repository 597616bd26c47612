/** A copy of the repository in which mutants are planted one after another. */

import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Mutant, mutated } from "./mutant.ts";

/** Folders and files that the tests need. */
export const COPIED: readonly string[] = [
  "src",
  "test",
  "bench",
  "schemas",
  "examples",
  "templates",
  "docs",
  "scripts",
  "package.json",
  "package-lock.json",
  "vitest.config.ts",
  "tsconfig.json",
  "biome.json",
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
];

/** Milliseconds after which the run of a mutant counts as endless, and the mutant as noticed. */
const LONGEST_RUN = 300_000;
/** The same for the run of all tests without a mutant. */
const LONGEST_SOUND_RUN = 1_800_000;

/** Result of a test run. `broken`: no test failed, but the files could not be run. */
export type Verdict = "green" | "red" | "endless" | "broken";

/** A run of tests. */
export interface Run {
  readonly verdict: Verdict;
  /** Failed tests, and the messages of files that could not be run. */
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

/** A copy of the repository in a temporary folder. */
export class Tree {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = mkdtempSync(join(tmpdir(), "incidentctl-mutants-"));
    for (const name of COPIED) {
      cpSync(join(root, name), join(this.#folder, name), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(this.#folder, "node_modules"), "dir");
  }

  /** Plants the mutant, runs its tests until one fails, and restores the source. */
  async try(mutant: Mutant): Promise<Run> {
    const path = join(this.#folder, mutant.file);
    const sound = readFileSync(path, "utf8");
    writeFileSync(path, mutated(sound, mutant));
    try {
      return await this.#test(mutant.redBy, ["--maxWorkers=1"], LONGEST_RUN);
    } finally {
      writeFileSync(path, sound);
    }
  }

  /** Runs test files without a mutant, on all cores. */
  sound(files: readonly string[]): Promise<Run> {
    return this.#test(files, [], LONGEST_SOUND_RUN);
  }

  /** Runs test files until one test fails. */
  async #test(files: readonly string[], workers: readonly string[], limit: number): Promise<Run> {
    const report = join(this.#folder, "report.json");
    rmSync(report, { force: true });
    const vitest = join("node_modules", "vitest", "vitest.mjs");
    const flags = ["run", "--bail=1", ...workers, "--reporter=json", `--outputFile=${report}`];
    const finished = await this.#run([vitest, ...flags, ...files], limit);
    if (!finished) return { verdict: "endless", failed: [] };
    return runOf(readFileSync(report, "utf8"));
  }

  /** Whether the process ended by itself. */
  #run(args: readonly string[], limit: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      // Vitest writes no snapshots under CI.
      const env = { ...process.env, CI: "true" };
      const child = spawn(process.execPath, args, { cwd: this.#folder, env, stdio: "ignore", detached: true });
      const timer = setTimeout(() => {
        // Kills its workers too.
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      }, limit);
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

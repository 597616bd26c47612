/** Results of this run and of earlier ones, in a file, so that a run can be interrupted and resumed. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Planted } from "./instrumented.ts";

/** `loading`: reached only while the program is loaded, and not counted. `unreached`: no test reaches it. */
export type Verdict = "noticed" | "endless" | "alive" | "unreached" | "loading";

export interface Result {
  readonly verdict: Verdict;
  /** The test that noticed it. */
  readonly by?: string;
}

interface Entry extends Result {
  /** Hash of its source file, and of the test file that noticed it; of all files if none did. */
  readonly source: string;
  readonly tests: string;
}

/** The results by mutant. A result is valid until the source or the test changes. */
export class Ledger {
  readonly #root: string;
  readonly #path: string;
  readonly #entries: Map<string, Entry>;
  readonly #hashes = new Map<string, string>();
  readonly #whole: string;

  constructor(root: string, path: string, folders: readonly string[]) {
    this.#root = root;
    this.#path = path;
    this.#entries = new Map(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : []);
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|txt)$/.test(name))
        .map((name) => join(folder, name))
        .sort(),
    );
    this.#whole = digest(files.map((name) => `${name} ${this.#hash(name)}`).join("\n"));
  }

  /** The result of an earlier run, if it is still valid. */
  known(mutant: Planted): Result | undefined {
    const entry = this.#entries.get(keyOf(mutant));
    if (entry === undefined || entry.source !== this.#hash(mutant.file)) return undefined;
    return entry.tests === this.#basis(entry) ? entry : undefined;
  }

  set(mutant: Planted, result: Result): void {
    this.#entries.set(keyOf(mutant), { ...result, source: this.#hash(mutant.file), tests: this.#basis(result) });
  }

  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, JSON.stringify([...this.#entries]));
    renameSync(`${this.#path}.new`, this.#path);
  }

  #basis({ by }: Result): string {
    return by === undefined ? this.#whole : this.#hash(by.split(" > ")[0] ?? "");
  }

  #hash(name: string): string {
    const path = join(this.#root, name);
    const known = this.#hashes.get(name) ?? (existsSync(path) ? digest(readFileSync(path, "utf8")) : "");
    this.#hashes.set(name, known);
    return known;
  }
}

function keyOf({ file, line, column, original, replacement }: Planted): string {
  return JSON.stringify([file, line, column, original, replacement]);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** What was found out about mutants in this run and earlier ones: a file, so that a run can be broken off and resumed. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Planted } from "./instrumented.ts";

/** `loading`: only come by while the program is loaded, and left out. `unreached`: no test comes by. */
export type Verdict = "noticed" | "endless" | "alive" | "unreached" | "loading";

/** What was found out about a mutant. */
export interface Found {
  readonly verdict: Verdict;
  /** The test that noticed it. */
  readonly by?: string;
}

interface Entry extends Found {
  /** The file that it lies in, and the file of the test that noticed it or, where none did, of all there is. */
  readonly source: string;
  readonly tests: string;
}

/** The results by mutant. What has changed since counts no longer. */
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

  /** What an earlier run found out, where it still holds. */
  known(mutant: Planted): Found | undefined {
    const entry = this.#entries.get(keyOf(mutant));
    if (entry === undefined || entry.source !== this.#hash(mutant.file)) return undefined;
    return entry.tests === this.#basis(entry) ? entry : undefined;
  }

  set(mutant: Planted, found: Found): void {
    this.#entries.set(keyOf(mutant), { ...found, source: this.#hash(mutant.file), tests: this.#basis(found) });
  }

  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, JSON.stringify([...this.#entries]));
    renameSync(`${this.#path}.new`, this.#path);
  }

  #basis({ by }: Found): string {
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

/** Loads configurations that tests write: files given as texts or bytes in a directory of their own. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type LoadContext, load } from "../../src/config/load/load.ts";
import type { Configuration } from "../../src/config/resources/configuration.ts";
import { type Diagnostic, InvalidConfiguration } from "../../src/core/diagnostic.ts";
import { kinds } from "../../src/kinds/index.ts";

/** Files by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Runs a test in a new directory with the files in it, and removes the directory. */
export async function inDirectory<Result>(files: Files, run: (directory: string) => Result): Promise<Awaited<Result>> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "incidentctl-config-")));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), content);
    }
    return await run(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Loads the directory itself. */
export async function loadDirectory(directory: string, options: Partial<LoadContext> = {}): Promise<Configuration> {
  return await load([directory], { kinds, env: {}, cwd: directory, ...options });
}

/** Loads the files, or one file `a.yaml` with the text. */
export async function loaded(files: Files | string, options: Partial<LoadContext> = {}): Promise<Configuration> {
  const all = typeof files === "string" ? { "a.yaml": files } : files;
  return await inDirectory(all, (directory) => loadDirectory(directory, options));
}

/** The findings that a load ends with; errors when it fails, else warnings. */
export async function findings(
  files: Files | string | Uint8Array,
  options: Partial<LoadContext> = {},
): Promise<readonly Diagnostic[]> {
  const all = typeof files === "string" || files instanceof Uint8Array ? { "a.yaml": files } : files;
  try {
    return (await loaded(all as Files, options)).warnings;
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.diagnostics;
    throw error;
  }
}

/** A finding in one line: `a.yaml:1:2 E_CODE`. */
export function brief({ code, at }: Diagnostic): string {
  return at === undefined ? code : `${at.file}:${at.line}:${at.column} ${code}`;
}

/** What the tests of this folder share: the packed program, a copy of the sources as a repository, and processes. */

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository of the program. */
export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** Executables of the packages that `.ci/run` installs for these tests. */
export const tools: string = join(root, ".ci/ecosystem/node_modules/.bin");

/** The packages themselves, for executables whose name two packages have. */
export const packages: string = join(root, ".ci/ecosystem/node_modules");

/** The result of a process. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder until it ends; its environment is that of the tests and `env`. */
export function run(
  cwd: string,
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, [...words], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ exit: code, stdout, stderr: error !== null && code === -1 ? `${stderr}${error.message}` : stderr });
    });
  });
}

/** Runs a program that must succeed, and returns its output. */
export async function succeed(...call: Parameters<typeof run>): Promise<string> {
  const { exit, stdout, stderr } = await run(...call);
  if (exit !== 0) throw new Error(`${[call[1], ...call[2]].join(" ")} ended with ${exit}\n${stdout}\n${stderr}`);
  return stdout;
}

export async function canRun(program: string, words: readonly string[]): Promise<boolean> {
  return (await run(root, program, words)).exit === 0;
}

/** A new folder in the folder for temporary files. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "incidentctl-ecosystem-"));
}

/** The built program, packed as npm publishes it: the path of the file. */
export async function pack(folder: string): Promise<string> {
  const name = await succeed(root, "npm", ["pack", "--ignore-scripts", "--pack-destination", folder]);
  return join(folder, name.trim());
}

/** Copies the sources, without what a build makes, and commits them: the commit. */
export async function commitSources(folder: string): Promise<string> {
  const files = await succeed(root, "git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  for (const file of files.split("\0").filter((name) => name !== "")) cpSync(join(root, file), join(folder, file));
  return commitAll(folder);
}

/** Makes a repository of a folder, with one commit: the commit. */
export async function commitAll(folder: string): Promise<string> {
  await succeed(folder, "git", ["init", "--quiet"]);
  await succeed(folder, "git", ["add", "--all"]);
  await succeed(folder, "git", [
    "-c",
    "user.name=test",
    "-c",
    "user.email=test@localhost",
    "commit",
    "-qm",
    "Add files",
  ]);
  return (await succeed(folder, "git", ["rev-parse", "HEAD"])).trim();
}

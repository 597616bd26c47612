/** The program in the process of a test, which takes a tenth of the time of a process of its own. */

import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import type { Io } from "../../../src/core/io.ts";
import { type Ended, script } from "../workflow.ts";

/** Runs a command of the program with nothing but this environment. */
export async function runHere(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof printed) => ({
    terminal: false,
    write: (text: string): void => {
      printed[name] += text;
    },
  });
  const io: Io = {
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    env: { ...env },
    cwd,
    now: () => new Date(),
    interruption: () => new AbortController().signal,
  };
  return { exit: await runCommandLine(args, io), ...printed };
}

/** Runs a script of a step. Its lines that start the program start it in this process, and nothing is installed. */
export async function scriptHere(text: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const all = { exit: 0, stdout: "", stderr: "" };
  for (const line of text.split(/&&|\n/).map((one) => one.trim())) {
    const [name, ...args] = line.split(" ");
    if (line === "" || name === "npm") continue;
    const path = { PATH: process.env.PATH ?? "", HOME: cwd };
    const ended = await (name === "incidentctl" ? runHere(args, cwd, { ...path, ...env }) : script(line, cwd, env));
    all.stdout += ended.stdout;
    all.stderr += ended.stderr;
    if (ended.exit !== 0) return { ...all, exit: ended.exit };
  }
  return all;
}

/** The help of the program and of its commands, as `--help` prints it. */

import { expect } from "vitest";
import { runCommandLine } from "../../src/app/cli/command-line.ts";
import { EXIT } from "../../src/core/exit-codes.ts";
import type { Io } from "../../src/core/io.ts";

/** The help of a command, or of the program if the name is empty. */
export async function help(command: string): Promise<string> {
  const out: string[] = [];
  const io: Io = {
    stdout: { write: (text) => void out.push(text), terminal: false },
    stderr: { write: (text) => void out.push(text), terminal: false },
    env: {},
    cwd: "/",
    now: () => new Date(0),
    fetch: () => Promise.reject(new Error("nothing is asked")),
    interruption: () => new AbortController().signal,
  };
  const words = command.split(" ").filter((word) => word !== "");
  expect(await runCommandLine([...words, "--help"], io)).toBe(EXIT.success);
  return out.join("").trimEnd();
}

/** The commands that a help lists, and the commands below these. */
export async function commandsBelow(above: string): Promise<readonly string[]> {
  const [, list = ""] = /^Commands:\n((?: .*\n?)*)/m.exec(await help(above)) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name = ""]) => (name === "help" ? [] : [name]));
  const lists = await Promise.all(
    names.map(async (name) => {
      const full = `${above} ${name}`.trim();
      return [full, ...(await commandsBelow(full))];
    }),
  );
  return lists.flat();
}

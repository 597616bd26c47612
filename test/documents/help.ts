/** The help of the program and of its commands, as `--help` prints it. */

import { expect } from "vitest";
import { COMMANDS } from "../../src/app/cli/commands.ts";
import { EXIT } from "../../src/core/exit-codes.ts";
import { typed } from "../support/typed.ts";

/** The help of a command, or of the program if the name is empty. */
export async function help(command: string): Promise<string> {
  const words = command.split(" ").filter((word) => word !== "");
  const { exit, stdout, stderr } = await typed([...words, "--help"]);
  expect({ exit, stderr }).toEqual({ exit: EXIT.success, stderr: "" });
  return stdout.trimEnd();
}

/** The commands that a help lists, and the commands below these. */
export async function commandsBelow(above: string): Promise<readonly string[]> {
  const titles = ["Commands", ...new Set(COMMANDS.flatMap(({ group = [] }) => group))];
  const lists = (await help(above)).matchAll(new RegExp(`^(?:${titles.join("|")}):\\n((?: .*\\n?)*)`, "gm"));
  const list = [...lists].map(([, lines]) => lines).join("");
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name = ""]) => (name === "help" ? [] : [name]));
  const all = await Promise.all(
    names.map(async (name) => {
      const full = `${above} ${name}`.trim();
      return [full, ...(await commandsBelow(full))];
    }),
  );
  return all.flat();
}

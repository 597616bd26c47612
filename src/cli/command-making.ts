/** Commands on the command line, with what lies in the one that is asked for and nothing of the others. */

import type { Command } from "./command-line.ts";
import { endings } from "./exit-code-help.ts";

/** Makes a command of the program: its name, what it does, and an example. */
export type Making = (root: Command, name: string, description: string, example: string) => Command;

/**
 * Makes every command that the arguments may mean. Of the others the help of the program tells the name and what they do:
 * what is said to them is not heard, since making all flags of all commands would take longer than most runs.
 */
export function making(args: readonly string[]): Making {
  return (root, name, description, example) => {
    const made = root.command(name).description(description);
    // A completion offers everything.
    if (!args.includes(name) && !args.includes("completion")) return UNASKED;
    return made.addHelpText("after", () => `${endings(name)}\nExample:\n  $ ${example}`);
  };
}

/** Takes every call, and gives itself. */
const UNASKED: Command = new Proxy(Object.create(null), { get: () => () => UNASKED });

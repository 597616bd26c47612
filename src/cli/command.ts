/** Commands of the program. The only file that imports commander. */

import { Command, CommanderError } from "commander";
import type { Io } from "../core/io.ts";
import type { Console, ConsoleOptions } from "../output/console.ts";

export { Command, CommanderError };

/** A command of the program. */
export interface CommandDefinition {
  readonly name: string;
  /** The line of the command in the list of all commands. */
  readonly description: string;
  readonly example: string;
  /** Adds the arguments, the flags and the action. */
  define(command: Command, run: RunCommand): void;
}

/** Runs a command. Its module is only loaded now, since it takes longer to load than the program itself. */
export type RunCommand = <Options extends ConsoleOptions>(
  options: Options,
  load: () => Promise<CommandFunction<Options>>,
) => Promise<void>;

/** Writes its output to the console and returns the exit code. */
type CommandFunction<Options> = (options: Options, io: Io, console: Console) => number | Promise<number>;

/** Commands of the program. The only file that imports commander. */

import { Command, CommanderError } from "commander";
import type { Io } from "../../core/io.ts";
import type { Console, ConsoleOptions } from "../console/console.ts";

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

/** Runs a command with the values of its flags and arguments. */
export type RunCommand = <Options extends ConsoleOptions>(
  command: Command,
  load: CommandLoader<Options>,
  values?: NoInfer<Partial<Options>>,
) => Promise<void>;

/** Imports the module of a command. Called only for the command to run, since a module takes longer to load than the program itself. */
export type CommandLoader<Options> = () => Promise<CommandFunction<Options>>;

/** Writes its output to the console and returns the exit code. */
type CommandFunction<Options> = (options: Options, io: Io, console: Console) => number | Promise<number>;

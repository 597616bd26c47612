/** The definition of a command. Help, the pages made of it, completion and the parsing of a command line are derived from it. */

import type { Io } from "../../core/io.ts";
import type { Console, ConsoleOptions } from "../console/console.ts";
import type { ExitCodes } from "./exit-codes.ts";
import type { ArgumentRows, ArgumentsOf, FlagRows, OptionsOf } from "./flag.ts";

/** No flags, or no arguments. */
export type NoRows = Readonly<Record<never, never>>;

/** A command with its flags and arguments, without its function. */
export interface CommandDefinition<Flags extends FlagRows = NoRows, Arguments extends ArgumentRows = NoRows> {
  readonly name: string;
  /** Its line in the list of all commands. */
  readonly summary: string;
  readonly arguments?: Arguments;
  readonly flags?: Flags;
  readonly exitCodes: ExitCodes;
  /** Not in the list of all commands: another spelling of it is. */
  readonly hidden?: boolean;
  /** Command lines, the first of which has this command. */
  readonly examples: readonly [string, ...string[]];
  /** A paragraph at the end of its help. */
  readonly note?: string;
  /** The page in `docs/` that says more than its help. */
  readonly page?: string;
}

/** The options that the flags and arguments of a command give. */
export type OptionsFor<Definition> =
  Definition extends CommandDefinition<infer Flags, infer Arguments>
    ? ConsoleOptions & OptionsOf<Flags> & ArgumentsOf<Arguments>
    : never;

/** Writes its output to the console and returns the exit code. */
type CommandFunction<Options> = (options: Options, io: Io, console: Console) => number | Promise<number>;

/** A command of the program. */
export interface Command extends CommandDefinition<FlagRows, ArgumentRows> {
  /** Imports its function, only when it runs: that takes longer than loading the program itself. */
  load(): Promise<CommandFunction<never>>;
  /** Commands inside it, such as `drift accept`. They do not take its flags. */
  readonly commands: readonly Command[];
  /** Its group in the list of all commands. */
  readonly group?: string;
}

/** Connects a command with its function, which takes what its flags and arguments give. */
export function command<Flags extends FlagRows, Arguments extends ArgumentRows>(
  definition: CommandDefinition<Flags, Arguments>,
  load: () => Promise<CommandFunction<ConsoleOptions & OptionsOf<Flags> & ArgumentsOf<Arguments>>>,
  commands: readonly Command[] = [],
): Command {
  return { ...definition, load, commands };
}

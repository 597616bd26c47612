/** The places of a command line where a shell completes words, from the commands of a program. */

import type { CompletionPlace, CompletionWord } from "./shell-completion.ts";

/** A command with its flags, arguments and subcommands. */
export interface CommandShape {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly FlagShape[];
  /** The names of its arguments. */
  readonly arguments: readonly string[];
  readonly commands: readonly CommandShape[];
}

/** A flag of a command. */
interface FlagShape {
  readonly long: string;
  readonly short?: string | undefined;
  readonly description: string;
  /** The flag takes a value. */
  readonly valued: boolean;
  readonly choices?: readonly string[] | undefined;
}

/** The possible values of arguments and flags, by name. */
export interface KnownValues {
  readonly arguments: Readonly<Record<string, readonly string[]>>;
  readonly flags: Readonly<Record<string, readonly string[]>>;
  /** The listings of arguments and flags whose values are in the files: the program prints them when a shell asks. */
  readonly listings: Readonly<Record<string, string>>;
}

/** Arguments that name a file or a directory. */
const FILES: readonly string[] = ["path", "subject", "planfile", "directory", "database"];

/** The places of a command and of its subcommands, itself first. A subcommand also takes the inherited flags. */
export function completionPlaces(
  command: CommandShape,
  values: KnownValues,
  path: readonly string[] = [],
  inherited: readonly FlagShape[] = [],
): readonly CompletionPlace[] {
  const flags = [...command.flags, ...inherited];
  const words: readonly CompletionWord[] = [
    ...command.commands.map(({ name, description }) => ({ word: name, description })),
    ...command.arguments.flatMap((name) => (values.arguments[name] ?? []).map((word) => ({ word, description: name }))),
  ];
  const place: CompletionPlace = {
    commands: path,
    words,
    listing: command.arguments.map((name) => values.listings[name]).find((listing) => listing !== undefined),
    files: command.arguments.some((name) => FILES.includes(name)),
    flags: flags.map((flag) => ({
      long: flag.long,
      short: flag.short,
      description: flag.description,
      valued: flag.valued,
      values: valuesOf(flag, values),
      listing: values.listings[flag.long],
      several: flag.long === "--kinds",
    })),
  };
  // A subcommand takes the flags of the program, and not those of the command around it.
  const global = path.length === 0 ? flags : inherited;
  return [
    place,
    ...command.commands.flatMap((inner) => completionPlaces(inner, values, [...path, inner.name], global)),
  ];
}

/** The possible values of a flag; those of `--format` are in its description only. */
function valuesOf({ long, description, choices }: FlagShape, { flags }: KnownValues): readonly string[] {
  return choices ?? flags[long] ?? (long === "--format" ? description.split(/, | or /) : []);
}

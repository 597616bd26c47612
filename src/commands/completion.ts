/** `completion`: prints a completion script for a shell, generated from the program's commands and flags. */

import { EXIT } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { quoted } from "../core/sanitise.ts";
import { kinds } from "../kinds/index.ts";
import type { ConsoleOptions } from "../output/console.ts";
import {
  bashScript,
  type CompletionPlace,
  type CompletionWord,
  fishScript,
  zshScript,
} from "../report/format/shell-completion.ts";
import { SCHEMA_NAMES } from "./schema.ts";

/** A command with its flags, arguments and subcommands. */
export interface Shape {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly ShapeFlag[];
  /** The names of its arguments. */
  readonly takes: readonly string[];
  readonly commands: readonly Shape[];
}

/** A flag of it. */
interface ShapeFlag {
  readonly long: string;
  readonly short?: string | undefined;
  readonly description: string;
  /** The flag takes a value. */
  readonly valued: boolean;
  readonly choices?: readonly string[] | undefined;
}

/** The argument of `completion`. */
export interface CompletionOptions extends ConsoleOptions {
  readonly shell: string;
  readonly program: Shape;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The supported shells. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

/** Prints the script of a shell. An unknown shell is a usage error. */
export function completion({ shell, program }: CompletionOptions, io: Io): number {
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
  if (script === undefined) throw misuse(`there is no completion for ${quoted(shell)}; there are ${SHELLS.join(", ")}`);
  io.stdout.write(script(program.name, placesOf(program, [])));
  return EXIT.success;
}

const KINDS = kinds.map(({ name }) => name);

/** Possible values of an argument. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = { name: SCHEMA_NAMES, subject: KINDS, shell: SHELLS };

/** Arguments that name a file or a directory. */
const FILES: readonly string[] = ["path", "subject", "planfile", "directory"];

/** Possible values of flags that name them only in their description. */
function valuesOf({ long, description, choices }: ShapeFlag): readonly string[] {
  if (choices !== undefined) return choices;
  if (long === "--kinds") return KINDS;
  if (long === "--fail-on") return ["error", "warning", "note", "never"];
  return long === "--format" ? description.split(/, | or /) : [];
}

/** Every command with its possible next words, the program itself first. */
function placesOf(
  shape: Shape,
  above: readonly string[],
  inherited: readonly ShapeFlag[] = [],
): readonly CompletionPlace[] {
  const flags = [...shape.flags, ...inherited];
  const words: readonly CompletionWord[] = [
    ...shape.commands.map(({ name, description }) => ({ word: name, description })),
    ...shape.takes.flatMap((name) => (ARGUMENTS[name] ?? []).map((word) => ({ word, description: name }))),
  ];
  const place: CompletionPlace = {
    commands: above,
    words,
    files: shape.takes.some((name) => FILES.includes(name)),
    flags: flags.map((flag) => ({
      long: flag.long,
      short: flag.short,
      description: flag.description,
      valued: flag.valued,
      values: valuesOf(flag),
      several: flag.long === "--kinds",
    })),
  };
  return [place, ...shape.commands.flatMap((inner) => placesOf(inner, [...above, inner.name], flags))];
}

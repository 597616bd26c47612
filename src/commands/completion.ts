/** `completion`: prints a completion script for a shell, generated from the program's commands and flags. */

import { EXIT } from "../core/exit-codes.ts";
import { misuse } from "../core/flag-values.ts";
import type { Io } from "../core/io.ts";
import { quoted } from "../core/sanitise.ts";
import { kinds } from "../kinds/index.ts";
import type { ConsoleOptions } from "../output/console.ts";
import { type CommandShape, completionPlaces, type KnownValues } from "../report/format/completion-places.ts";
import { bashScript, fishScript, zshScript } from "../report/format/shell-completion.ts";
import { SCHEMA_NAMES } from "./schema.ts";

/** The argument of `completion`. */
export interface CompletionOptions extends ConsoleOptions {
  readonly shell: string;
  readonly program: CommandShape;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The supported shells. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

const KINDS = kinds.map(({ name }) => name);

const VALUES: KnownValues = {
  arguments: { name: SCHEMA_NAMES, subject: KINDS, shell: SHELLS },
  flags: { "--kinds": KINDS, "--fail-on": ["error", "warning", "note", "never"] },
};

/** Prints the script of a shell. An unknown shell is a usage error. */
export function completion({ shell, program }: CompletionOptions, io: Io): number {
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
  if (script === undefined) throw misuse(`there is no completion for ${quoted(shell)}; there are ${SHELLS.join(", ")}`);
  io.stdout.write(script(program.name, completionPlaces(program, VALUES)));
  return EXIT.success;
}

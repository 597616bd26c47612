/**
 * `completion`: prints a completion script for a shell, generated from the program's commands and flags. The scripts ask it for the
 * addresses and environments of the files.
 */

import { environmentNames } from "../../config/load/environment-names.ts";
import { resourceSchema } from "../../config/schema/schema.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { fieldsIn } from "../../core/json.ts";
import { quoted } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import { type CommandShape, completionPlaces, type KnownValues } from "../../view/format/completion-places.ts";
import { bashScript, fishScript, zshScript } from "../../view/format/shell-completion.ts";
import type { Console, ConsoleOptions } from "../console/console.ts";
import { SCHEMA_NAMES } from "../files/schema-command.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";

/** The argument of `completion`. */
export interface CompletionOptions extends ConsoleOptions {
  /** A shell, or a listing for its script. */
  readonly shell: string;
  readonly program: CommandShape;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The supported shells. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

const KINDS = kinds.map(({ name }) => name);

/** The subjects of `explain`: each kind, and each of its fields. */
const SUBJECTS = kinds.flatMap((kind) => {
  const { properties } = resourceSchema(kind).part;
  return [kind.name, ...Object.keys(fieldsIn(properties)).map((field) => `${kind.name}.${field}`)];
});

/** Words that are in the files, for the scripts. */
const LISTINGS: Readonly<Record<string, (io: Io, console: Console) => Promise<readonly string[]>>> = {
  addresses: async (io, console) => {
    takeTokens(io.env);
    const { declared } = await loadConfiguration({ paths: [] }, io, console);
    return declared.map(({ address }) => address);
  },
  environments: async (io) => environmentNames([], { cwd: io.cwd, env: io.env, kinds }),
};

/** Words that no shell expands or splits. */
const PLAIN_WORD = /^[\w./-]+$/;

const VALUES: KnownValues = {
  arguments: { name: SCHEMA_NAMES, subject: SUBJECTS, shell: SHELLS },
  flags: { "--kinds": KINDS, "--fail-on": ["error", "warning", "note", "never"] },
  listings: {
    address: "addresses",
    "--target": "addresses",
    "--exclude": "addresses",
    "--origin": "addresses",
    "--env": "environments",
  },
};

/** Prints the script of a shell, or a listing, one word a line. An unknown shell is a usage error. */
export async function completion({ shell, program }: CompletionOptions, io: Io, console: Console): Promise<number> {
  const words = Object.hasOwn(LISTINGS, shell) ? await LISTINGS[shell]?.(io, console) : undefined;
  if (words !== undefined) {
    io.stdout.write(words.flatMap((word) => (PLAIN_WORD.test(word) ? `${word}\n` : [])).join(""));
    return EXIT.success;
  }
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
  if (script === undefined) throw misuse(`there is no completion for ${quoted(shell)}; there are ${SHELLS.join(", ")}`);
  io.stdout.write(script(program.name, completionPlaces(program, VALUES)));
  return EXIT.success;
}

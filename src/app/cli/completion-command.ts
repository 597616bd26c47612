/**
 * `completion`: prints a completion script for a shell. The script asks the program for the words at each completion, by the hidden
 * command `__complete` with the words that are typed; it has no lists of its own.
 */

import { environmentNames } from "../../config/load/environment-names.ts";
import { SETTINGS } from "../../config/resources/schema-docs.ts";
import { resourceSchema } from "../../config/schema/schema.ts";
import { settingsSchema } from "../../config/schema/settings-schema.ts";
import { EXIT } from "../../core/exit-codes.ts";
import { misuse } from "../../core/flag-values.ts";
import type { Io } from "../../core/io.ts";
import { fieldsIn } from "../../core/json.ts";
import { quoted } from "../../core/sanitise.ts";
import { kinds } from "../../kinds/index.ts";
import type { Command } from "../command/definition.ts";
import type { Completion, FlagRow, FlagRows } from "../command/flag.ts";
import type { Console } from "../console/console.ts";
import { SCHEMA_NAMES } from "../files/schema-command.ts";
import { loadConfiguration } from "../session/load-configuration.ts";
import { takeTokens } from "../session/tokens.ts";
import type { CompletionOptions } from "./completion-definition.ts";

/** A word that may stand where a line is being typed. */
interface Offer {
  readonly word: string;
  readonly description?: string;
}

/** The line that stands for files and directories. No other word begins with a colon. */
const FILES = ":files";

/** Words that are in the files. Scripts for other shells can ask for them by name. */
const LISTINGS = {
  addresses: async (io: Io, console: Console): Promise<readonly string[]> => {
    takeTokens(io.env);
    const { declared } = await loadConfiguration({ paths: [] }, io, console);
    return declared.map(({ address }) => address);
  },
  environments: async (io: Io): Promise<readonly string[]> => environmentNames([], { cwd: io.cwd, env: io.env, kinds }),
};

/** The flags that commander adds. */
const OWN_FLAGS: FlagRows = {
  "-h, --help": { help: "display help for command" },
  "-V, --version": { help: "output the version number" },
};

/** The words that each source offers. */
const WORDS: Readonly<
  Record<Extract<Completion, string>, (io: Io, console: Console) => readonly string[] | Promise<readonly string[]>>
> = {
  ...LISTINGS,
  files: () => [FILES],
  kinds: () => kinds.map(({ name }) => name),
  schemas: () => SCHEMA_NAMES,
  // Each kind and each of its fields, and the settings.
  subjects: () => [
    ...kinds.flatMap((kind) => {
      const { properties } = resourceSchema(kind).part;
      return [kind.name, ...Object.keys(fieldsIn(properties)).map((field) => `${kind.name}.${field}`)];
    }),
    SETTINGS,
    ...Object.keys(fieldsIn(settingsSchema(kinds).properties)).map((name) => `${SETTINGS}.${name}`),
  ],
};

/** Prints the script of a shell, or a listing, one word a line. An unknown shell is a usage error. */
export async function completion({ shell }: CompletionOptions, io: Io, console: Console): Promise<number> {
  const words = await Object.entries(LISTINGS).find(([name]) => name === shell)?.[1](io, console);
  const script = Object.hasOwn(COMPLETION_SCRIPTS, shell) ? COMPLETION_SCRIPTS[shell] : undefined;
  if (words === undefined && script === undefined) {
    const names = Object.keys(COMPLETION_SCRIPTS).join(", ");
    throw misuse(`there is no completion for ${quoted(shell)}; there are ${names}`);
  }
  io.stdout.write(script ?? (words ?? []).map((word) => `${word}\n`).join(""));
  return EXIT.success;
}

/**
 * Prints the words that may stand in place of the last one, each with a tab and its description; `:files` stands for files. The words come
 * as they are typed, with quotes. Those that are printed have none: each shell adds its own.
 */
export async function complete(
  words: readonly string[],
  commands: readonly Command[],
  globalFlags: FlagRows,
  io: Io,
  console: Console,
): Promise<number> {
  const { before, flag, prefix, value } = lineOf(words);
  const place = placeOf(before, commands);
  const flags: FlagRows = { ...place?.flags, ...OWN_FLAGS, ...globalFlags };
  const row = Object.entries(flags).find(([spelling]) => takesValue(spelling, flag, prefix !== ""))?.[1];
  const inner = place === undefined ? commands : place.commands;
  const offers =
    row !== undefined
      ? await valueOffers(row, value, io, console)
      : value.startsWith("-")
        ? flagOffers(flags)
        : [
            ...inner.map(({ name, summary }) => ({ word: name, description: summary })),
            ...(await offersOf(
              Object.values(place?.arguments ?? {}).flatMap(({ completes }) => completes),
              io,
              console,
            )),
          ];
  for (const { word, description = "" } of offers) {
    if (word === FILES) io.stdout.write(`${FILES}\n`);
    else if (word.startsWith(value)) io.stdout.write(`${prefix}${word}\t${description}\n`);
  }
  return EXIT.success;
}

/** The words before the one that is typed, and the flag whose value that may be. */
function lineOf(words: readonly string[]): {
  readonly before: readonly string[];
  readonly flag: string | undefined;
  /** `--flag=`, if the value is a part of the word. */
  readonly prefix: string;
  readonly value: string;
} {
  const before = words.slice(0, -1);
  const typed = unquoted(words.at(-1) ?? "");
  const [, prefix, flag, value] = /^((--[\w-]+)=)(.*)$/s.exec(typed) ?? [];
  if (prefix !== undefined && value !== undefined) return { before, flag, prefix, value };
  return { before, flag: before.at(-1), prefix: "", value: typed };
}

/** A word without the quotes of a shell, which need not be closed yet. */
function unquoted(typed: string): string {
  return typed.replace(
    /\\(.)|"((?:\\.|[^"\\])*)"?|'([^']*)'?/gs,
    (_, escaped?: string, double?: string, single?: string) =>
      escaped ?? double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? "",
  );
}

/** The innermost command that the words name; undefined for the program itself. */
function placeOf(words: readonly string[], commands: readonly Command[]): Command | undefined {
  let place: Command | undefined;
  for (const word of words)
    place = (place === undefined ? commands : place.commands).find(({ name }) => name === word) ?? place;
  return place;
}

/** Whether a flag is of this spelling and takes the next word as its value, or what follows its equals sign. */
function takesValue(spelling: string, flag: string | undefined, hasEqualsSign: boolean): boolean {
  const [names = "", placeholder = ""] = spelling.split(/ (?=[<[])/);
  const isValued = placeholder.startsWith("<") || (placeholder !== "" && hasEqualsSign);
  return isValued && flag !== undefined && names.split(", ").includes(flag);
}

function flagOffers(flags: FlagRows): readonly Offer[] {
  return Object.entries(flags).flatMap(([spelling, { help }]) =>
    (spelling.match(/--?[\w-]+(?=[, ]|$)/g) ?? []).map((word) => ({ word, description: help })),
  );
}

/** The values of a flag. Those before the last comma of a list of kinds stay. */
async function valueOffers(row: FlagRow, value: string, io: Io, console: Console): Promise<readonly Offer[]> {
  const offers = await offersOf([row.completes ?? row.choices ?? row.formats?.names ?? "files"], io, console);
  const begun = row.completes === "kinds" ? value.slice(0, value.lastIndexOf(",") + 1) : "";
  return offers.map(({ word, ...offer }) => ({ ...offer, word: `${begun}${word}` }));
}

async function offersOf(sources: readonly Completion[], io: Io, console: Console): Promise<readonly Offer[]> {
  const lists = sources.map(async (source) => {
    if (typeof source !== "string") return source;
    // Files with errors offer nothing: where a line is being typed, there is no place for a message.
    return Promise.resolve(WORDS[source](io, console)).catch(() => []);
  });
  return (await Promise.all(lists)).flat().map((word) => ({ word }));
}

// The scripts. Each hands the program what is typed up to the cursor.

// bash splits words at = and : outside quotes, and replaces only what follows (its second argument): `begun` is what stays.
const BASH = `# bash completion of incidentctl; to use it: source <(incidentctl completion bash)
_incidentctl() {
  local line="\${COMP_LINE:0:COMP_POINT}" at=$COMP_CWORD typed="\${COMP_WORDS[COMP_CWORD]}" begun word description escape="" files=""
  while [ "$at" -gt 1 ] && [ "\${line%"\${COMP_WORDS[at-1]}$typed"}" != "$line" ]; do
    at=$((at - 1))
    typed="\${COMP_WORDS[at]}$typed"
  done
  begun="\${typed%"$2"}"
  case "$begun" in
    *\\") escape='s/[\\"$\`]/\\\\&/g' ;;
    *\\') escape="s/'/'\\\\\\\\''/g" ;;
  esac
  COMPREPLY=()
  while IFS=$'\\t' read -r word description; do
    if [ "$word" = ":files" ]; then
      files=yes
    else
      if [ -z "$escape" ]; then printf -v word '%q' "$word"; fi
      COMPREPLY+=("\${word#"\${begun%[\\"\\']}"}")
    fi
  done < <(incidentctl __complete "\${COMP_WORDS[@]:1:at-1}" "$typed" 2> /dev/null | sed "$escape")
  if [ -z "$files" ]; then compopt +o default +o bashdefault 2> /dev/null; fi
}
complete -o bashdefault -o default -F _incidentctl incidentctl
`;

const ZSH = `#compdef incidentctl
# zsh completion of incidentctl; to use it: incidentctl completion zsh > a directory of $fpath, as _incidentctl
_incidentctl() {
  local word description files
  local -a offered
  while IFS=$'\\t' read -r word description; do
    if [[ $word == :files ]]; then files=yes; else offered+=("\${\${word//\\\\/\\\\\\\\}//:/\\\\:}:$description"); fi
  done < <(incidentctl __complete "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2> /dev/null)
  if [[ "$PREFIX" == -* ]]; then _describe -o flag offered; else _describe word offered; fi
  if [[ -n $files ]]; then compset -P '--*='; _files; fi
}
if [ "$funcstack[1]" = "_incidentctl" ]; then _incidentctl "$@"; else compdef _incidentctl incidentctl; fi
`;

const FISH = `# fish completion of incidentctl; to use it: incidentctl completion fish > ~/.config/fish/completions/incidentctl.fish
function __incidentctl_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (incidentctl __complete $words[2..-1] "$current" 2> /dev/null)
    if test "$line" = ":files"
      set -l flag (string match -r '^--[^=]*=' -- "$current")
      for path in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current"))
        printf '%s\\n' "$flag$path"
      end
    else
      printf '%s\\n' $line
    end
  end
end
complete -c incidentctl -f -a '(__incidentctl_complete)'
`;

/** By shell. bash from 3.2 on. */
const COMPLETION_SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** Completion scripts for shells. */

/** A word to complete, with its description. */
export interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

/** A flag to complete. */
interface CompletionFlag {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  /** The flag takes a value. */
  readonly valued: boolean;
  /** The possible values; empty if any value is possible, such as a file. */
  readonly values: readonly string[];
  /** The listing of the program that has the values. */
  readonly listing: string | undefined;
  /** The value is a list with commas. */
  readonly several: boolean;
}

/** The words and flags that may follow some commands, or the program itself if there are none. */
export interface CompletionPlace {
  readonly commands: readonly string[];
  readonly words: readonly CompletionWord[];
  /** The listing of the program that has more words. */
  readonly listing: string | undefined;
  /** A file or a folder may follow. */
  readonly files: boolean;
  readonly flags: readonly CompletionFlag[];
}

/** The script for bash from 3.2 on: `source <(program completion bash)`. Unknown words are completed as files. */
export function bashScript(program: string, places: readonly CompletionPlace[]): string {
  return `# bash completion of ${program}; to use it: source <(${program} completion bash)
_${program}() {
  local at="" each i
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" begun=""
  COMPREPLY=()
  # --flag=value is three words here.
  if [ "$cur" = "=" ]; then cur=""; elif [ "$prev" = "=" ]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    each="$at/\${COMP_WORDS[i]}"
    case "$each" in
    ${alternatives(places)}) at="$each" ;;
    esac
  done
  case "$at $prev" in
${valued(places, (names, values, several) =>
  [
    `  ${names})`,
    ...(several ? [`    case "$cur" in *,*) begun="\${cur%,*}," ;; esac`] : []),
    `    COMPREPLY=($(compgen -P "$begun" -W ${quote(values.join(" "))} -- "\${cur##*,}")); return ;;`,
  ].join("\n"),
)}
${withListing(places, (names, listing) => `  ${names}) COMPREPLY=($(compgen -W "${shellListing(program, listing)}" -- "$cur")); return ;;`)}
${free(places, (names) => `  ${names}) return ;;`)}
  esac
  case "$at" in
${places
  .map((place) => {
    const words = place.words.map(({ word }) => word);
    return [
      `  ${quote(nameOf(place))})`,
      ...(place.files ? [] : ["    compopt +o default +o bashdefault 2> /dev/null"]),
      `    case "$cur" in`,
      `    -*) COMPREPLY=($(compgen -W ${quote(spellings(place).join(" "))} -- "$cur")) ;;`,
      `    *) COMPREPLY=($(compgen -W ${quote(words.join(" "))}${place.listing === undefined ? "" : `" ${shellListing(program, place.listing)}"`} -- "$cur")) ;;`,
      "    esac",
      "    ;;",
    ].join("\n");
  })
  .join("\n")}
  esac
}
complete -o bashdefault -o default -F _${program} ${program}
`;
}

/** The script for zsh: a file `_program` in a folder of `$fpath`, or sourced after `compinit`. */
export function zshScript(program: string, places: readonly CompletionPlace[]): string {
  return `#compdef ${program}
# zsh completion of ${program}; to use it: ${program} completion zsh > a directory of $fpath, as _${program}
_${program}() {
  local at="" each prev="\${words[CURRENT - 1]}"
  local -a offered
  if [[ "\${words[CURRENT]}" == --*=* ]]; then prev="\${words[CURRENT]%%=*}"; compset -P '*='; fi
  for each in "\${(@)words[2,CURRENT - 1]}"; do
    case "$at/$each" in
    ${alternatives(places)}) at="$at/$each" ;;
    esac
  done
  case "$at $prev" in
${valued(places, (names, values, several) => {
  const list = values.map(quote).join(" ");
  return `  ${names}) ${several ? "compset -P '*,'; compadd -q -S ," : "compadd"} -- ${list}; return ;;`;
})}
${withListing(places, (names, listing) => `  ${names}) compadd -- \${(f)"${shellListing(program, listing)}"}; return ;;`)}
${free(places, (names) => `  ${names}) _files; return ;;`)}
  esac
  case "$at" in
${places
  .map((place) => {
    const flags = place.flags.flatMap((flag) =>
      [flag.long, flag.short ?? []].flat().map((word) => ({ word, description: flag.description })),
    );
    return [
      `  ${quote(nameOf(place))})`,
      `    if [[ "\${words[CURRENT]}" == -* ]]; then`,
      `      offered=(${described(flags)})`,
      "      _describe -o flag offered",
      "    else",
      ...(place.words.length === 0
        ? []
        : [`      offered=(${described(place.words)})`, "      _describe word offered"]),
      ...(place.listing === undefined ? [] : [`      compadd -- \${(f)"${shellListing(program, place.listing)}"}`]),
      ...(place.files ? ["      _files"] : place.words.length === 0 ? ["      return 1"] : []),
      "    fi",
      "    ;;",
    ].join("\n");
  })
  .join("\n")}
  esac
}
if [ "$funcstack[1]" = "_${program}" ]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;
}

/** The script for fish: a file `~/.config/fish/completions/program.fish`. */
export function fishScript(program: string, places: readonly CompletionPlace[]): string {
  const lines = places.flatMap((place) => {
    const at = `complete -c ${program} -n ${fishQuote(`__${program}_at ${nameOf(place) === "" ? "/" : nameOf(place)}`)}`;
    return [
      ...(place.files ? [] : [`${at} -f`]),
      ...(place.listing === undefined ? [] : [`${at} -a ${fishQuote(fishListing(program, place.listing))}`]),
      ...place.words.map(({ word, description: says }) => `${at} -a ${fishQuote(word)} -d ${fishQuote(says)}`),
      ...place.flags.map(({ long, short, description: says, valued: takes, values, listing, several }) =>
        [
          at,
          `-l ${long.slice(2)}`,
          ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
          ...(takes ? ["-r"] : []),
          ...(values.length === 0
            ? []
            : ["-f", `-a ${fishQuote(several ? `(__${program}_list ${values.join(" ")})` : values.join(" "))}`]),
          ...(listing === undefined ? [] : ["-f", `-a ${fishQuote(fishListing(program, listing))}`]),
          `-d ${fishQuote(says)}`,
        ].join(" "),
      ),
    ];
  });
  return `# fish completion of ${program}; to use it: ${program} completion fish > ~/.config/fish/completions/${program}.fish
function __${program}_at
  set -l at ''
  for each in (commandline -opc)[2..-1]
    switch "$at/$each"
      case ${places.slice(1).map(nameOf).join(" ")}
        set at "$at/$each"
    end
  end
  test "$argv[1]" = "/$at" -o "$argv[1]" = "$at"
end
function __${program}_list
  set -l begun (string replace -r '[^,=]*$' '' -- (commandline -ct) | string replace -r '^.*=' '')
  printf '%s\\n' "$begun"$argv
end
${lines.join("\n")}
`;
}

/** The identifier of a place: `/drift/accept`; empty for the program itself. */
function nameOf({ commands }: CompletionPlace): string {
  return commands.map((name) => `/${name}`).join("");
}

function alternatives(places: readonly CompletionPlace[]): string {
  return places.slice(1).map(nameOf).join(" | ");
}

function spellings({ flags }: CompletionPlace): readonly string[] {
  return flags.flatMap(({ long, short }) => [long, ...(short === undefined ? [] : [short])]);
}

/** One line for each set of values, with the places and flags that take it. */
function valued(
  places: readonly CompletionPlace[],
  line: (names: string, values: readonly string[], several: boolean) => string,
): string {
  const byValues = new Map<string, { readonly flag: CompletionFlag; readonly names: string[] }>();
  for (const place of places) {
    for (const flag of place.flags) {
      if (flag.values.length === 0) continue;
      const key = JSON.stringify([flag.values, flag.several]);
      const known = byValues.get(key) ?? { flag, names: [] };
      known.names.push(quote(`${nameOf(place)} ${flag.long}`));
      byValues.set(key, known);
    }
  }
  return [...byValues.values()].map(({ flag, names }) => line(names.join(" | "), flag.values, flag.several)).join("\n");
}

/** The command that prints a listing. It prints only words that no shell expands. */
function shellListing(program: string, listing: string): string {
  return `$(${program} completion ${listing} 2> /dev/null)`;
}

function fishListing(program: string, listing: string): string {
  return `(${program} completion ${listing} 2> /dev/null)`;
}

/** One line for each listing, with the places and flags whose values are in it. */
function withListing(places: readonly CompletionPlace[], line: (names: string, listing: string) => string): string {
  const byListing = new Map<string, string[]>();
  for (const place of places) {
    for (const { long, short, listing } of place.flags) {
      if (listing === undefined) continue;
      const spelt = [long, short ?? []].flat().map((name) => quote(`${nameOf(place)} ${name}`));
      byListing.set(listing, [...(byListing.get(listing) ?? []), ...spelt]);
    }
  }
  return [...byListing].map(([listing, names]) => line(names.join(" | "), listing)).join("\n");
}

/** The line for flags that take any value. */
function free(places: readonly CompletionPlace[], line: (names: string) => string): string {
  const spelt = places.flatMap(({ flags }) =>
    flags.flatMap(({ long, short, valued: takes, values, listing }) =>
      takes && values.length === 0 && listing === undefined ? [long, ...(short === undefined ? [] : [short])] : [],
    ),
  );
  return line([...new Set(spelt)].map((name) => `*" ${name}"`).join(" | "));
}

function described(offers: readonly CompletionWord[]): string {
  return offers.map(({ word, description: says }) => quote(`${word.replaceAll(":", "\\:")}:${says}`)).join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

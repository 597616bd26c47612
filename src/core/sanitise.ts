/** Makes text of the service or of a file safe to show: escapes invisible characters and commands for CI logs. */

/**
 * Invisible characters: control, format (bidirectional, zero-width), line and paragraph separators, lone surrogates, noncharacters,
 * and fillers; not the selectors that make a sign an emoji.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
/** Printable ASCII: a text of only this skips `INVISIBLE`, which is slow to compile. */
const PLAIN = /^[ -~]*$/;
/** Commands that CI runners find anywhere in a line: `##[group]`, `##vso[…]`, `##teamcity[…]`. */
export const COMMAND: RegExp = /##(?=\w*\[)/g;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns the text on one line, with every invisible character escaped. */
export function sanitised(text: string): string {
  const visible = PLAIN.test(text) ? text : text.replace(INVISIBLE, escapeCharacter);
  return visible.replace(COMMAND, "#\\u0023").replace(/^(\s*):(?=:)/, "$1\\u003a");
}

/** Returns the text sanitised and in double quotes. */
export function quoted(text: string): string {
  return `"${sanitised(text.replace(/["\\]/g, "\\$&"))}"`;
}

/** Returns the text as YAML has it, in double quotes where it needs them. */
export function yamlWord(text: string): string {
  const isPlain =
    /^\p{L}[\p{L}\p{N}_ .()/-]*$/u.test(text) && text === text.trim() && !/^(true|false|null)$/i.test(text);
  return isPlain ? text : quoted(text);
}

function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A word of a command line, quoted if it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${sanitised(word).replaceAll("'", "'\\''")}'`;
}

/** The words of a command line for the same service, environment and files. All are quoted already. */
export interface RunWords {
  readonly flags: readonly string[];
  readonly files: readonly string[];
}

/** Where a command needs no words, or nothing is known of the run. */
export const NO_WORDS: RunWords = { flags: [], files: [] };

/** Commands whose arguments are resources alone. */
const WITHOUT_FILES = /^(?:get|rotate)\b/;

/** A command line of this program, to be copied as it stands. The command is quoted already. */
export function programLine(command: string, { flags, files }: RunWords): string {
  return ["incidentctl", command, ...flags, ...(WITHOUT_FILES.test(command) ? [] : files)].join(" ");
}

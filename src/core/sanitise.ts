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

/** Returns the text sanitised and in double quotes. Where it would look like the text beside it, the characters that tell the two apart are escaped. */
export function quoted(text: string, beside: string = text): string {
  return `"${sanitised(escapedAlike(text.replace(/["\\]/g, "\\$&"), looksLike(text, beside)))}"`;
}

/** Returns the text as YAML has it, in double quotes where it needs them, or where it would look like the text beside it. */
export function yamlWord(text: string, beside: string = text): string {
  const isPlain =
    escapedAlike(text, looksLike(text, beside)) === text &&
    /^\p{L}[\p{L}\p{N}_ .()/-]*$/u.test(text) &&
    text === text.trim() &&
    !/^(true|false|null)$/i.test(text);
  return isPlain ? text : quoted(text, beside);
}

/** Whether two texts differ, and in more than case, but look the same, or the same in another case. */
export function looksLike(text: string, other: string): boolean {
  const [one = "", two = ""] = [text, other].map((each) => each.normalize("NFC").trim().replace(SPACES, " "));
  if (one === two) return text !== other;
  return one.toLowerCase() === two.toLowerCase() && text.toLowerCase() !== other.toLowerCase();
}

/** The text with the characters escaped that look like others, if it has to be told apart from one that looks the same. */
export function escapedAlike(text: string, isAlike: boolean): string {
  return isAlike ? [...text].map(escapeInYaml).join("") : text;
}

/** Spaces, which look like one of the keyboard. */
const SPACES = /\p{Zs}+/gu;
/** Spaces other than that of the keyboard, and the marks and letters that a character may be composed of. */
const PART = /(?! )\p{Zs}|\p{M}|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;

/** The escape, as double quotes of YAML have it, of a character that looks like another one or is a part of one; else the character. */
function escapeInYaml(character: string): string {
  if (!PART.test(character) && character === character.normalize("NFC")) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
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

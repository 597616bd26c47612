/** Makes text from the service or from a file safe to show: what cannot be seen is written out, and no text commands a CI log. */

/**
 * Control, format (bidirectional, zero-width), line and paragraph separators, lone surrogates, noncharacters, and whatever
 * else leaves no mark, such as fillers; not the selectors that make a sign an emoji.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
/** What holds nothing of that is not asked for it, since the question takes long to prepare. */
const PLAIN = /^[ -~]*$/;
/** What CI runners take for a command anywhere in a line: `##[group]`, `##vso[…]`, `##teamcity[…]`. */
export const COMMAND: RegExp = /##(?=\w*\[)/g;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text on one line, with every invisible character as an escape; what is visible stays as it is. */
export function sanitised(text: string): string {
  const seen = PLAIN.test(text) ? text : text.replace(INVISIBLE, written);
  return seen.replace(COMMAND, "#\\u0023").replace(/^(\s*):(?=:)/, "$1\\u003a");
}

/** The text in double quotes, sanitised: where it begins and ends is plain. */
export function quoted(text: string): string {
  return `"${sanitised(text.replace(/["\\]/g, "\\$&"))}"`;
}

function written(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

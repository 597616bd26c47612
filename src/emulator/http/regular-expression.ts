/** Regular expressions of the service, which are those of Ruby. */

/**
 * Escapes that JavaScript lacks. With the flag "m", which Ruby's ^ and $ require, the anchors of the whole text need
 * lookarounds.
 */
const escapes: ReadonlyMap<string, string> = new Map([
  ["\\A", "(?<![\\s\\S])"],
  ["\\z", "(?![\\s\\S])"],
  ["\\Z", "(?=\\n?(?![\\s\\S]))"],
  ["\\h", "[0-9a-fA-F]"],
  ["\\H", "[^0-9a-fA-F]"],
]);

const classes: ReadonlyMap<string, string> = new Map([
  ["[:alpha:]", "A-Za-z"],
  ["[:digit:]", "0-9"],
  ["[:alnum:]", "A-Za-z0-9"],
  ["[:upper:]", "A-Z"],
  ["[:lower:]", "a-z"],
  ["[:space:]", "\\s"],
  ["[:punct:]", "!-\\/:-@\\[-`{-~"],
]);

/**
 * The expression of the service, which is one of Ruby, in JavaScript; undefined if invalid. Options inside an expression, possessive quantifiers and atomic
 * groups count as invalid, since JavaScript lacks them.
 */
export function regularExpression(text: string): RegExp | undefined {
  const [leading = "", options = ""] = /^\(\?([im]+)\)/.exec(text) ?? [];
  // In Ruby, "m" lets a dot match line ends.
  const flags = `m${options.includes("i") ? "i" : ""}${options.includes("m") ? "s" : ""}`;
  const source = text
    .slice(leading.length)
    .replace(/\\[\s\S]|\[:[a-z]+:\]/g, (part) => escapes.get(part) ?? classes.get(part) ?? part);
  try {
    return new RegExp(source, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

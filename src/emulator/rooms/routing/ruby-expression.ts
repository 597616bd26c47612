/** Ruby's regular expressions in JavaScript's words: line anchors, anchors of the whole text, leading options. */

/** What JavaScript writes otherwise; in Ruby ^ and $ always mean a line, so the anchors of the text are spelled out. */
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
 * The expression as JavaScript has it; undefined when it is not valid. Options in the middle of an expression, possessive
 * quantifiers and atomic groups, which JavaScript lacks, count as not valid.
 */
export function regularExpression(text: string): RegExp | undefined {
  const [leading = "", options = ""] = /^\(\?([im]+)\)/.exec(text) ?? [];
  // "m" is Ruby's name for a dot that matches line ends too.
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

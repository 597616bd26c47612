/** Splits a command line into words like a shell: with quotes and backslashes, without expansion. */

/** Returns the words; undefined if a quotation is not closed or the line ends in a backslash. */
export function splitWords(line: string): readonly string[] | undefined {
  const all: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === "\\" && quote !== "'") {
      const next = line[++at];
      if (next === undefined) return undefined;
      // In double quotes, a backslash escapes only the characters that are special there.
      const literal = quote === '"' && !'"\\$`\n'.includes(next);
      word = (word ?? "") + (literal ? `\\${next}` : next === "\n" ? "" : next);
    } else if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === "'" || character === '"')) {
      quote = character;
      word ??= "";
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) all.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? all : [...all, word];
}

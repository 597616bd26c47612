/** Splits a command line into words as a shell does, without being one: quotes and backslashes, nothing is expanded. */

/** The words; undefined when a quotation is not closed or the line ends in a backslash. */
export function words(line: string): readonly string[] | undefined {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === "\\" && quote !== "'") {
      const next = line[++at];
      if (next === undefined) return undefined;
      // Between double quotes a backslash only takes the meaning of what would have one there.
      const literal = quote === '"' && !'"\\$`\n'.includes(next);
      word = (word ?? "") + (literal ? `\\${next}` : next === "\n" ? "" : next);
    } else if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === "'" || character === '"')) {
      quote = character;
      word ??= "";
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? found : [...found, word];
}

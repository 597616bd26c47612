/** Sample texts for regular expressions. They are guesses, and the caller must check them. */

/** A position in an expression. */
interface ExpressionCursor {
  readonly text: string;
  at: number;
}

/** Returns a text that the expression probably matches. */
export function sampleText(expression: string): string {
  return alternatives({ text: expression, at: 0 });
}

/** A sample of the first alternative; the others are skipped. */
function alternatives(reading: ExpressionCursor): string {
  const first = sequence(reading);
  while (reading.text[reading.at] === "|") {
    reading.at += 1;
    sequence(reading);
  }
  return first;
}

function sequence(reading: ExpressionCursor): string {
  let sample = "";
  while (reading.at < reading.text.length && !"|)".includes(reading.text[reading.at] ?? "")) {
    sample += piece(reading).repeat(repetitions(reading));
  }
  return sample;
}

function piece(reading: ExpressionCursor): string {
  const character = reading.text[reading.at] ?? "";
  reading.at += 1;
  switch (character) {
    case "^":
    case "$":
      return "";
    case ".":
      return "x";
    case "\\":
      return escaped(reading);
    case "[":
      return oneOf(reading);
    case "(":
      return group(reading);
    default:
      return character;
  }
}

const classes: Readonly<Record<string, string>> = { d: "1", w: "a", s: " ", h: "a", D: "x", W: "-", S: "x", H: "x" };
const anchors = "AzZbBG";

function escaped(reading: ExpressionCursor): string {
  const character = reading.text[reading.at] ?? "";
  reading.at += 1;
  if (anchors.includes(character)) return "";
  return classes[character] ?? (character === "n" ? "\n" : character === "t" ? "\t" : character);
}

/** The first character of a class; for a negated one, a character that is rarely in it. */
function oneOf(reading: ExpressionCursor): string {
  const isNegated = reading.text[reading.at] === "^";
  if (isNegated) reading.at += 1;
  let first: string | undefined;
  while (reading.at < reading.text.length && (reading.text[reading.at] !== "]" || first === undefined)) {
    const character = reading.text[reading.at] ?? "";
    reading.at += 1;
    const meant = character === "\\" ? escaped(reading) : character;
    first ??= meant;
  }
  reading.at += 1;
  return isNegated ? "~" : (first ?? "");
}

function group(reading: ExpressionCursor): string {
  const opening = /^\?(?:[:>]|<?[=!]|<\w+>|[a-z-]+[:)])/.exec(reading.text.slice(reading.at))?.[0] ?? "";
  reading.at += opening.length;
  if (opening.endsWith(")")) return "";
  const sample = alternatives(reading);
  reading.at += 1;
  return opening.includes("!") ? "" : sample;
}

/** Number of repetitions of a piece: the smallest allowed, but 1 if the piece is optional. */
function repetitions(reading: ExpressionCursor): number {
  const [quantifier = "", least] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})[?+]?/.exec(reading.text.slice(reading.at)) ?? [];
  reading.at += quantifier.length;
  return least === undefined ? 1 : Math.min(100, Number(least));
}

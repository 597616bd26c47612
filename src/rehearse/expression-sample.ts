/** A text that a regular expression finds: guessed part by part, so whoever uses it checks it. */

/** The expression read up to a place. */
interface Reading {
  readonly text: string;
  at: number;
}

/** A text that the expression probably finds. */
export function textFor(expression: string): string {
  return alternatives({ text: expression, at: 0 });
}

/** The first of the alternatives; the others are passed over. */
function alternatives(reading: Reading): string {
  const first = sequence(reading);
  while (reading.text[reading.at] === "|") {
    reading.at += 1;
    sequence(reading);
  }
  return first;
}

function sequence(reading: Reading): string {
  let made = "";
  while (reading.at < reading.text.length && !"|)".includes(reading.text[reading.at] ?? "")) {
    made += piece(reading).repeat(times(reading));
  }
  return made;
}

function piece(reading: Reading): string {
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

function escaped(reading: Reading): string {
  const character = reading.text[reading.at] ?? "";
  reading.at += 1;
  if (anchors.includes(character)) return "";
  return classes[character] ?? (character === "n" ? "\n" : character === "t" ? "\t" : character);
}

/** The first character of a class; of a negated one a character that is rarely in it. */
function oneOf(reading: Reading): string {
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

function group(reading: Reading): string {
  const opening = /^\?(?:[:>]|<?[=!]|<\w+>|[a-z-]+[:)])/.exec(reading.text.slice(reading.at))?.[0] ?? "";
  reading.at += opening.length;
  if (opening.endsWith(")")) return "";
  const made = alternatives(reading);
  reading.at += 1;
  return opening.includes("!") ? "" : made;
}

/** How often a piece is repeated: the least that is allowed, but once where it may be left out. */
function times(reading: Reading): number {
  const [quantifier = "", least] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})[?+]?/.exec(reading.text.slice(reading.at)) ?? [];
  reading.at += quantifier.length;
  return least === undefined ? 1 : Math.min(100, Number(least));
}

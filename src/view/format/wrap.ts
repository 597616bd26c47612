/** Wraps the lines of a report for the width of a terminal. Further lines are indented below the text that they continue. */

import { columns } from "./columns.ts";

/** The beginning of a line that further lines are indented by: bar and sign of a diff, a label with its spaces, or a symbol. */
const BEFORE = /^ *(?:\| [-+ ] |\S.*? {2,}(?=\S)|[-+~>o!] )/;
const BAR = /^ *\| /;
/** Escape sequences of colors, which take no columns. */
const COLOR = "\u001b\\[[\\d;]*m";
const CHARACTER = new RegExp(`((?:${COLOR})*)(.?)`, "gsu");
/** Columns below which lines are not wrapped. */
const MIN_WIDTH = 20;

interface StyledCharacter {
  /** Escape sequences before the character. */
  readonly color: string;
  readonly text: string;
}

/** The text with lines wrapped, at spaces if there are any. Secrets must be masked before, since a wrapped one is not found. */
export function wrapText(text: string, width: number): string {
  if (width < MIN_WIDTH) return text;
  return text
    .split("\n")
    .flatMap((line) => (columns(line) <= width ? [line] : wrapLine(line, width)))
    .join("\n");
}

function wrapLine(line: string, width: number): readonly string[] {
  const characters: StyledCharacter[] = [...line.matchAll(CHARACTER)].map(([, color = "", text = ""]) => ({
    color,
    text,
  }));
  const bare = characters.map(({ text }) => text).join("");
  const label = BEFORE.exec(bare)?.[0] ?? "";
  const hangs = label !== "" && columns(label) <= width / 2;
  const indent = hangs ? columns(label) : Math.min(blanksBefore(bare) + 2, Math.floor(width / 2));
  const bar = BAR.exec(bare)?.[0] ?? "";
  const begin = (bar.length <= width / 2 ? bar : "").padEnd(indent);
  const lines: string[] = [];
  // Indentation that leaves no room for a word is reduced to that of the further lines.
  const isDeep = !hangs && countFitting(characters, width) <= blanksBefore(bare);
  let remaining = isDeep ? characters.slice(blanksBefore(bare)) : characters;
  let color = isDeep ? colorsOf(characters.slice(0, blanksBefore(bare))) : "";
  // A break right after the label or the indentation would gain nothing.
  let first = hangs ? [...label].length : isDeep ? 0 : blanksBefore(bare);
  for (;;) {
    const before = lines.length === 0 && !isDeep ? "" : begin;
    const end = countFitting(remaining, width - before.length);
    if (end === remaining.length) return [...lines, before + color + joined(remaining)];
    const blank = remaining.findLastIndex(({ text }, at) => text === " " && at > first && at <= end);
    const most = blank < 0 ? Math.max(end, first + 1) : blank;
    lines.push((before + color + joined(remaining.slice(0, most))).trimEnd());
    // Spaces at a break are dropped, but not their colors.
    const rest = remaining.slice(most);
    const word = blank < 0 ? 0 : rest.findIndex(({ text }) => text !== " " && text !== "");
    const skipped = word < 0 ? rest.length : word;
    color = colorsOf(rest.slice(0, skipped));
    remaining = rest.slice(skipped);
    first = 0;
  }
}

/** The number of characters that fit into the columns. */
function countFitting(characters: readonly StyledCharacter[], room: number): number {
  let taken = 0;
  const end = characters.findIndex(({ text }) => {
    taken += columns(text);
    return taken > room;
  });
  return end < 0 ? characters.length : end;
}

function colorsOf(characters: readonly StyledCharacter[]): string {
  return characters.map(({ color }) => color).join("");
}

function blanksBefore(bare: string): number {
  return bare.length - bare.trimStart().length;
}

function joined(characters: readonly StyledCharacter[]): string {
  return characters.map(({ color, text }) => color + text).join("");
}

/** The most characters of a line of a paragraph, without its margin. */
const PARAGRAPH_WIDTH = 100;

/** The lines of a paragraph, each with a margin. */
export function paragraph(text: string, margin: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < PARAGRAPH_WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${margin}${word}`);
  }
  return lines;
}

/** Lines of a report broken for the width of a terminal: what belongs together stays under each other, and nothing is left out. */

import { columns } from "./columns.ts";

/** What continues a line stands behind this: a bar and the sign of a diff, a label and the blanks up to its value, or a mark. */
const BEFORE = /^ *(?:\| [-+ ] |\S.*? {2,}(?=\S)|[-+~>o!] )/;
const BAR = /^ *\| /;
/** Colours as the reports write them; they take no room. */
const COLOUR = "\u001b\\[[\\d;]*m";
const CHARACTER = new RegExp(`((?:${COLOUR})*)(.?)`, "gsu");
/** Below this there is no room to stand under anything. */
const NARROWEST = 20;

interface Character {
  /** Colours that begin or end before it. */
  readonly colour: string;
  readonly text: string;
}

/**
 * The text with each line that is wider in several, broken at blanks where there are any. Secrets are masked before, since
 * one that is broken is not found.
 */
export function folded(text: string, width: number): string {
  if (width < NARROWEST) return text;
  return text
    .split("\n")
    .flatMap((line) => (columns(line) <= width ? [line] : fold(line, width)))
    .join("\n");
}

function fold(line: string, width: number): readonly string[] {
  const characters: Character[] = [...line.matchAll(CHARACTER)].map(([, colour = "", text = ""]) => ({ colour, text }));
  const bare = characters.map(({ text }) => text).join("");
  const label = BEFORE.exec(bare)?.[0] ?? "";
  const hangs = label !== "" && columns(label) <= width / 2;
  const indent = hangs ? columns(label) : Math.min(blanksBefore(bare) + 2, Math.floor(width / 2));
  const bar = BAR.exec(bare)?.[0] ?? "";
  const begin = (bar.length <= width / 2 ? bar : "").padEnd(indent);
  const lines: string[] = [];
  // Blanks that leave no room for a word become as many as the further lines have.
  const isDeep = !hangs && fitting(characters, width) <= blanksBefore(bare);
  let left = isDeep ? characters.slice(blanksBefore(bare)) : characters;
  let colour = isDeep ? coloursOf(characters.slice(0, blanksBefore(bare))) : "";
  // Nothing is won by a break right behind what the further lines stand behind.
  let first = hangs ? [...label].length : isDeep ? 0 : blanksBefore(bare);
  for (;;) {
    const before = lines.length === 0 && !isDeep ? "" : begin;
    const end = fitting(left, width - before.length);
    if (end === left.length) return [...lines, before + colour + written(left)];
    const blank = left.findLastIndex(({ text }, at) => text === " " && at > first && at <= end);
    const most = blank < 0 ? Math.max(end, first + 1) : blank;
    lines.push((before + colour + written(left.slice(0, most))).trimEnd());
    // The blanks at which a line is broken are the break; their colours are not.
    const rest = left.slice(most);
    const word = blank < 0 ? 0 : rest.findIndex(({ text }) => text !== " " && text !== "");
    const skipped = word < 0 ? rest.length : word;
    colour = coloursOf(rest.slice(0, skipped));
    left = rest.slice(skipped);
    first = 0;
  }
}

/** How many of the characters fit into the columns. */
function fitting(characters: readonly Character[], room: number): number {
  let taken = 0;
  const end = characters.findIndex(({ text }) => {
    taken += columns(text);
    return taken > room;
  });
  return end < 0 ? characters.length : end;
}

function coloursOf(characters: readonly Character[]): string {
  return characters.map(({ colour }) => colour).join("");
}

function blanksBefore(bare: string): number {
  return bare.length - bare.trimStart().length;
}

function written(characters: readonly Character[]): string {
  return characters.map(({ colour, text }) => colour + text).join("");
}

/** A page of documentation as a test reads it: its fenced blocks, and the comments that say how each is shown. */

/** A fenced block. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** Of its first line of text, from 1. */
  readonly line: number;
}

/** A comment `<!-- shown: WORD REST -->`; what stands below its first line is its content. */
export interface Note {
  readonly word: string;
  readonly rest: string;
  readonly content: string;
  readonly line: number;
}

/** What a page holds, in its order. */
export type Part = Block | Note;

export function isBlock(part: Part): part is Block {
  return "language" in part;
}

const PARTS =
  /^```(?<language>\w+)\n(?<text>.*?)^```$|^<!-- shown: (?<word>[\w-]+) ?(?<first>.*?)(?:\n(?<more>.*?))?-->$/gms;

/** The blocks and notes of a page. */
export function partsOf(page: string): readonly Part[] {
  return [...page.matchAll(PARTS)].map((found): Part => {
    const { language, text = "", word = "", first = "", more = "" } = found.groups ?? {};
    const line = page.slice(0, found.index).split("\n").length + 1;
    if (language !== undefined) return { language, text, line };
    const [rest = "", ...below] = `${first}${more === "" ? "" : `\n${more}`}`.split("\n");
    return { word, rest: rest.trim(), content: below.join("\n"), line };
  });
}

/** The commands of a block, a line each, without their comments; a line that ends with a backslash goes on. */
export function linesOf({ text }: Block): readonly string[] {
  return text
    .replaceAll("\\\n", "")
    .split("\n")
    .map((line) => line.replace(/(^|\s+)#(\s.*)?$/, ""))
    .filter((line) => line.trim() !== "");
}

/** Splits a line as a shell does, as far as documents need it. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** What is shown as a pattern: a line of `…` alone stands for any lines, `…` before two spaces for the rest of a column, and elsewhere for the rest of a word. */
export function patternOf(shown: string): RegExp {
  const lines = shown.split("\n").slice(0, -1);
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const column = (text: string): string => text.split("…").map(literal).join("\\S*");
  const pattern = lines.map((line) =>
    line.trim() === "…" ? "(?:.*\\n)*?" : `${line.split("…  ").map(column).join(".*  ")}\\n`,
  );
  return new RegExp(`^${pattern.join("")}$`);
}

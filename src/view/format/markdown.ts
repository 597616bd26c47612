/** Text escaped for Markdown: it makes no link, mention, picture, list or table, and ends no fence. */

import { sanitised } from "../../core/sanitise.ts";
import { cut, thousands } from "../../core/value-text.ts";

/** Characters after which a sentence is cut. */
const LONGEST = 400;

/** Words without a meaning in Markdown: letters, numbers and punctuation. */
const PLAIN = /^[\p{L}\p{N}\p{M}'’"“”().,;:!?%→…–-]+$/u;
/** Such words that GitHub or GitLab turn into links or symbols: hosts, issues, commits. */
const LINKED = /\p{L}\.\p{L}|^GH-\d|^[0-9a-f]{7,}$|^-|^:|:.+:/iu;

/** A sentence, with each word that has a meaning in Markdown as code. */
export function prose(text: string): string {
  return cut(sanitised(text), LONGEST)
    .split(" ")
    .map((word) => {
      const [, before = "", inner = "", after = ""] = /^(["(]*)(.*?)([")\],.;:!?]*)$/u.exec(word) ?? [];
      if (word === "" || (PLAIN.test(word) && !LINKED.test(inner))) return word;
      return PLAIN.test(`${before}${after}`) || before + after === "" ? `${before}${span(inner)}${after}` : span(word);
    })
    .join(" ");
}

/** A sentence in which a phrase is one piece of code, to be copied; an empty phrase is none. */
export function proseAround(phrase: string, text: string): string {
  if (phrase === "") return prose(text);
  const around = text.split(phrase).map((part) => prose(part));
  return around.join(code(phrase));
}

/** A name or value as code. */
export function code(text: string): string {
  return span(cut(sanitised(text)));
}

/** The lines in a fence that none of them can end. */
export function fence(language: string, lines: readonly string[]): readonly string[] {
  const marks = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [`${marks}${language}`, ...lines, marks];
}

/** The first lines, as many as fit into the characters. */
export function takeFitting(lines: readonly string[], room: number): readonly string[] {
  let remaining = room;
  const end = lines.findIndex((line) => {
    remaining -= line.length + 1;
    return remaining < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/** A folded list with its number of items, of which these lines are shown. A line may be of several items. */
export function foldedList(
  title: string,
  count: number,
  visible: readonly string[],
  rest: number = count - visible.length,
): readonly string[] {
  return [
    `<details><summary>${title}: ${thousands(count)}</summary>`,
    "",
    ...visible,
    ...(rest === 0 ? [] : [`- … and ${thousands(rest)} more`]),
    "",
    "</details>",
    "",
  ];
}

function span(text: string): string {
  if (text === "") return "";
  const marks = "`".repeat(longestRun(text) + 1);
  const pad = /^[` ]|[` ]$/.test(text) ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

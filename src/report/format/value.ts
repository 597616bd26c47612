/** A JSON value on one line, for people. */

import { isFields, isList, type Json } from "../../core/json.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";

/** Texts and lists longer than this are better shown line by line. */
export const LONG = 60;

/** Where a text is cut when a report is not verbose. */
const CUT = 160;

/** The whole value on one line: strings in quotes, names bare, `(none)` for what is not set. */
export function shown(value: Json): string {
  if (value === null) return "(none)";
  if (typeof value === "string") return quoted(value);
  if (isList(value)) return `[${value.map(shown).join(", ")}]`;
  if (!isFields(value)) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${sanitised(name)}: ${shown(member)}`);
  return `{${members.join(", ")}}`;
}

/** A JSON Pointer as people write it: `steps/0/title`. */
export function place(pointer: string): string {
  return sanitised(pointer.replace(/^\//, "").replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The line, cut in the middle of a report; what is left out is counted. */
export function cut(line: string, most: number = CUT): string {
  const characters = [...line];
  if (characters.length <= most) return line;
  return `${characters.slice(0, most).join("")}… (${counted(characters.length - most, "more character")})`;
}

/** Two lines that differ, cut so that the first difference stays in sight. */
export function cutBoth(before: string, after: string): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const skipped = same > CUT / 2 ? same - CUT / 4 : 0;
  return [cut(tail(before, skipped)), cut(tail(after, skipped))];
}

function tail(line: string, skipped: number): string {
  return skipped === 0 ? line : `…${line.slice(skipped)}`;
}

/** A number of things, in the singular or the plural: `1 request`, `2,000 requests`. */
export function counted(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${thousands(count)} ${count === 1 ? noun : nouns}`;
}

/** A whole number with its thousands set apart; what the machine knows of languages would take longer to load than most runs. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

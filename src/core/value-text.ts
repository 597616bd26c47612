/** Values, fields and numbers as text on one line. */

import type { Location } from "./diagnostic.ts";
import { isFields, isList, type Json, stepsOf } from "./json.ts";
import { quoted, sanitised } from "./sanitise.ts";

/** The text in place of a secret. */
export const MASK = "(secret)";

/** Characters above which texts and lists are shown line by line. */
export const LONG = 60;

/** Characters after which a text is cut in a report that is not verbose. */
const CUT = 160;

/** The value on one line: strings in quotes, names without, `(none)` for null. Texts that look like those of the value beside it are told apart. */
export function valueText(value: Json, beside: Json = null): string {
  if (value === null) return "(none)";
  if (typeof value === "string") return quoted(value, typeof beside === "string" ? beside : value);
  if (isList(value)) {
    const others = isList(beside) ? beside : [];
    return `[${value.map((item, at) => valueText(item, others[at])).join(", ")}]`;
  }
  if (!isFields(value)) return String(value);
  const others = isFields(beside) ? beside : {};
  const members = Object.entries(value).map(
    ([name, member]) => `${sanitised(name)}: ${valueText(member, others[name])}`,
  );
  return `{${members.join(", ")}}`;
}

/** The path of a JSON Pointer without its escapes: `steps/0/title`. */
export function fieldPath(pointer: string): string {
  return sanitised(stepsOf(pointer).join("/"));
}

/** A place in a file: `severities.yaml:3:5`. */
export function placeText({ file, line, column }: Omit<Location, "length">): string {
  return `${sanitised(file)}:${line}:${column}`;
}

/** The line, cut to a length, with the number of the characters that are not shown. */
export function cut(line: string, most: number = CUT): string {
  const characters = [...line];
  if (characters.length <= most) return line;
  return `${characters.slice(0, most).join("")}… (${counted(characters.length - most, "more character")})`;
}

/** Two lines, cut so that their first difference is shown. */
export function cutBoth(before: string, after: string): readonly [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const skipped = same > CUT / 2 ? same - CUT / 4 : 0;
  return [cut(tail(before, skipped)), cut(tail(after, skipped))];
}

function tail(line: string, skipped: number): string {
  return skipped === 0 ? line : `…${line.slice(skipped)}`;
}

/** A number with its noun, in the singular or the plural: `1 request`, `2,000 requests`. */
export function counted(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${thousands(count)} ${count === 1 ? noun : nouns}`;
}

/** A whole number with commas between thousands. `Intl` would take longer to load than most runs last. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

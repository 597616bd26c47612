/** A single value of a file that lives elsewhere. */

import type { Source } from "../../../source/source.ts";
import type { Part } from "../document.ts";

/** A value with its place. A number that JSON cannot hold exactly, such as a long account number, stays the text that it was written as. */
export function scalarPart(
  value: null | boolean | number | string,
  text: string,
  source: Source,
  start: number,
  end: number,
): Part {
  const exact = typeof value === "number" ? exactNumber(value, text) : value;
  return { value: exact, node: { type: "scalar", value: exact, start, end, source } };
}

function exactNumber(value: number, text: string): number | string {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return text;
  // JSON has no negative zero.
  return value === 0 ? 0 : value;
}

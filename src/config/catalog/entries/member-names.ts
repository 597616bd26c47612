/** The names that documents have where an expression finds nothing. */

import type { Findings } from "../../../core/findings.ts";
import { isFields, type Json } from "../../../core/json.ts";
import { joinWords } from "../../../core/suggest.ts";
import type { Expression } from "./expression.ts";

/** A part of a document. */
interface Valued {
  readonly value: Json;
}

/** Names that are listed. Documents with more are no rows of a table. */
const LISTED = 12;

/** Whether a text is the name of a column or a member that an expression holds in backticks: its blanks and dashes mean something else. */
export function needsBackticks(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_ ?#%/-]*$/u.test(text) && !isPlain(text);
}

/** Tells which names documents have in place of those that an expression has; undefined if it is no path to a member. */
export function helpWithNames(
  items: readonly Valued[],
  { text, path }: Expression,
  findings: Findings,
): string | undefined {
  const isName = items.some(({ value }) => isFields(value) && Object.hasOwn(value, text));
  if (isName) return `Write the name in backticks: ${quoted(text)}.`;
  if (path === undefined) return undefined;
  const { step, names } = namesBeside(items, path);
  const guess = findings.guess(step, names);
  const all = [...names];
  if (guess !== undefined && all.every(isPlain)) return guess;
  if (all.length === 0 || all.length > LISTED) return guess;
  const listed = joinWords(all.map((name) => (isPlain(name) ? name : quoted(name))));
  return [guess ?? [], `The names there are ${listed}.`].flat().join(" ");
}

/** The step of a path that no document has, and the names that documents have in its place. */
function namesBeside(items: readonly Valued[], path: readonly string[]): { step: string; names: ReadonlySet<string> } {
  let parts = items.map(({ value }) => value).filter(isFields);
  for (const step of path) {
    const below = parts.flatMap((part) => (Object.hasOwn(part, step) ? [part[step] ?? null] : [])).filter(isFields);
    if (below.length === 0) return { step, names: new Set(parts.flatMap((part) => Object.keys(part))) };
    parts = below;
  }
  return { step: "", names: new Set() };
}

function isPlain(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
}

function quoted(name: string): string {
  return `\`${name}\``;
}

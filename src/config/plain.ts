/** Texts without quotes as YAML means them, for the quick reader. */

import { Elsewhere } from "./elsewhere.ts";
import { NOT_TEXT } from "./text.ts";

const BLANK = 0x20;
const HASH = 0x23;
const HYPHEN = 0x2d;
const COLON = 0x3a;

/** What may end a text without quotes: 1 everywhere, 2 within brackets only. */
const ENDS = new Uint8Array(128);
for (const code of new TextEncoder().encode("\t\n\r#:")) ENDS[code] = 1;
for (const code of new TextEncoder().encode(",[]{}")) ENDS[code] = 2;

/** What no text without quotes begins with, as far as the quick reader takes it. */
const NEVER_FIRST = new Uint8Array(128);
for (const code of new TextEncoder().encode("\t\n\r #&*!|>%@`\"'?:,[]{}")) NEVER_FIRST[code] = 1;

/** Whether a character ends a text without quotes within brackets, and only there. */
export function isBracket(code: number): boolean {
  return ENDS[code] === 2;
}

/** Where a text without quotes ends in the line in which it begins. */
export function plainEnd(text: string, start: number, isFlow: boolean): number {
  const first = text.charCodeAt(start);
  if (NEVER_FIRST[first] === 1) throw new Elsewhere();
  if (first === HYPHEN && (endsAt(text, start + 1, isFlow) || text.startsWith("---", start))) throw new Elsewhere();
  return furtherEnd(text, start, isFlow);
}

/** The same for a line that goes on with a text. */
export function furtherEnd(text: string, start: number, isFlow: boolean): number {
  const { length } = text;
  let at = start;
  for (; at < length; at += 1) {
    const code = text.charCodeAt(at);
    const end = code < 128 ? ENDS[code] : 0;
    if (end === 0 || (end === 2 && !isFlow)) continue;
    if (code === HASH ? text.charCodeAt(at - 1) === BLANK : code !== COLON || endsAt(text, at + 1, isFlow)) break;
  }
  while (at > start && text.charCodeAt(at - 1) === BLANK) at -= 1;
  return at;
}

/** Whether a mark before it stands alone: before a blank, the end of the line, and within brackets one of those. */
function endsAt(text: string, at: number, isFlow: boolean): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code <= BLANK || (isFlow && isBracket(code));
}

/** What an unquoted text means: only in the spellings that leave no doubt. */
export function plain(text: string): null | boolean | number | string {
  const first = text.charCodeAt(0);
  if (first <= 0x39 && first >= 0x2b) return numeric(text);
  const word = text.length > 5 ? undefined : WORDS.get(text);
  return word === undefined ? text : word;
}

function numeric(text: string): number | string {
  if (WHOLE.test(text)) return Number.parseInt(text, 10);
  if (DECIMAL.test(text)) {
    const value = Number(text);
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Elsewhere();
    return value;
  }
  if (NOT_TEXT.test(text)) throw new Elsewhere();
  return text;
}

const WHOLE = /^[-+]?\d{1,15}$/;
const DECIMAL = /^[-+]?\d+\.\d+$/;
const WORDS: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ["~", null],
  ["null", null],
  ["Null", null],
  ["NULL", null],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
]);

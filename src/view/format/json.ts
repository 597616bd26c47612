/** JSON text that is safe to show: control sequences, commands for CI runners and invisible characters are escaped. */

import type { Json } from "../../core/json.ts";
import { COMMAND } from "../../core/sanitise.ts";

/** Characters that JSON need not escape, but that are invisible or control a terminal. */
const UNSEEN =
  /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** Text without such characters. It is tested first, since compiling the expression above takes longer than most runs write JSON. */
const PLAIN = /^[\n -~]*$/;

/** The value as JSON; `indent` as for `JSON.stringify`. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  const visible = PLAIN.test(text) ? text : text.replace(UNSEEN, escaped);
  return visible.replace(COMMAND, (hashes) => `#${escaped(hashes.slice(1))}`);
}

/** A report as indented JSON with a final line feed. Invisible characters are escaped. */
export function prettyJson(value: object | Json): string {
  return `${jsonText(value, 2)}\n`;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}

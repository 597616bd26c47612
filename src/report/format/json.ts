/** JSON as text that may be shown: what a terminal acts on, a CI runner obeys or nobody sees stands as an escape of the same value. */

import { COMMAND } from "../../core/sanitise.ts";

/** What JSON allows in a text and a terminal acts on or nobody sees: DEL and C1, and everything that leaves no mark. */
const UNSEEN =
  /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** What holds none of those is not asked for them: the question takes longer to prepare than most runs to write their JSON. */
const PLAIN = /^[\n -~]*$/;

/** A value as JSON; `indent` as for `JSON.stringify`. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  const seen = PLAIN.test(text) ? text : text.replace(UNSEEN, escaped);
  return seen.replace(COMMAND, (hashes) => `#${escaped(hashes.slice(1))}`);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}

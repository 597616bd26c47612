/** The message about a character that a text may not have says what that character does. */

import { expect, test } from "vitest";
import { textFlaw } from "../../../src/config/source/text.ts";

test.each([
  ["\u2028", "E_EOL", "the text has U+2028, which only some programs take for the end of a line"],
  ["\u2029", "E_EOL", "the text has U+2029, which only some programs take for the end of a paragraph"],
  ["\u202e", "E_BIDI", "the text has U+202E, which changes its direction"],
  ["\u2066", "E_BIDI", "the text has U+2066, which changes its direction"],
  ["\u202c", "E_BIDI", "the text has U+202C, which ends a change of its direction"],
  ["\u2069", "E_BIDI", "the text has U+2069, which ends a change of its direction"],
  ["\u200b", "E_INVISIBLE", "the text has U+200B, which is invisible"],
])("%j", (character, code, message) => {
  expect(textFlaw(`one${character}two`, "name")).toEqual([code, message]);
});

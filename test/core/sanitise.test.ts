import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { quoted, sanitised, yamlWord } from "../../src/core/sanitise.ts";

test.each([
  ["plain words, ümlaut and 🙂", "plain words, ümlaut and 🙂"],
  ["\u001b[31m", "\\u001b[31m"],
  ["a\nb\r\nc\td", "a\\nb\\r\\nc\\td"],
  ["\u0000\u007f\u0085", "\\u0000\\u007f\\u0085"],
  ["\u202e\u2066\u200b\ufeff", "\\u202e\\u2066\\u200b\\ufeff"],
  ["\u2028\u2029", "\\u2028\\u2029"],
  ["\ud800 and \u{e0041}", "\\ud800 and \\u{e0041}"],
  ["  ::error::x", "  \\u003a:error::x"],
  ["a ##[group] b ##vso[x] ##teamcity[y] ## [z]", "a #\\u0023[group] b #\\u0023vso[x] #\\u0023teamcity[y] ## [z]"],
  ["\u3164 \u115f \u034f \ufffe ❤\ufe0f", "\\u3164 \\u115f \\u034f \\ufffe ❤\ufe0f"],
])("%j is shown as %j", (text, shown) => {
  expect(sanitised(text)).toBe(shown);
});

test("a quoted text has quotes at its ends", () => {
  expect(quoted('say "hi" \\ bye')).toBe('"say \\"hi\\" \\\\ bye"');
});

test.each([
  ["Deploy bot", "Deploy bot"],
  ["Café", "Café"],
  ["R&D: on call", '"R&D: on call"'],
  ["chat\n", '"chat\\n"'],
  [" chat", '" chat"'],
  ["True", '"True"'],
  ["7", '"7"'],
])("%j is %s in YAML", (text, written) => {
  expect(yamlWord(text)).toBe(written);
});

test("no sanitised text has invisible characters or line breaks", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(sanitised(text))),
  );
});

test.each([
  ["Caf\u00e9", "Cafe\u0301", '"Caf\u00e9"', '"Cafe\\u0301"'],
  ["a\u00a0b", "A b", '"a\\u00a0b"', '"A b"'],
  ["\u212b", "\u00c5", '"\\u212b"', '"\u00c5"'],
  ["\ud55c", "\u1112\u1161\u11ab", '"\ud55c"', '"\\u1112\\u1161\\u11ab"'],
  ["Cafe\u0301", "cafe\u0301", '"Cafe\u0301"', '"cafe\u0301"'],
  ["Cafe\u0301", "Chat", '"Cafe\u0301"', '"Chat"'],
  ['a"\u2003b', 'a" b', '"a\\"\\u2003b"', '"a\\" b"'],
])("%j beside %j shows what differs", (text, other, shown, shownOther) => {
  expect([quoted(text, other), quoted(other, text)]).toEqual([shown, shownOther]);
  expect(parse(yamlWord(text, other))).toBe(text);
  expect(parse(yamlWord(other, text))).toBe(other);
});

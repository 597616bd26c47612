/** What a dry run prints is a patch: applied to the file, it makes what would have been written. */

import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plain } from "../../../src/view/format/ansi.ts";
import { fileDiff } from "../../../src/view/workspace/pull.ts";

const patched = (before: string, after: string): string | false =>
  applyPatch(before, fileDiff({ file: "a.yaml", before, after }, plain), { autoConvertLineEndings: false });

test.each<[title: string, before: string, after: string]>([
  ["a line in the middle", "a\nb\nc\nd\ne\nf\ng\nh\ni\n", "a\nb\nc\nd\nE\nf\ng\nh\ni\n"],
  ["tabs", "a: b\t# c\nd: e\n", "a: b\t# c\nd:\tf\n"],
  ["line ends of another system", "a\r\nb\r\n", "a\r\nc\r\n"],
  ["a last line without an end", "a\nb", "a\nc"],
  ["a last line that gets one", "a\nb", "a\nb\n"],
  ["nothing left", "a\n", ""],
])("with %s", (_, before, after) => {
  expect(patched(before, after)).toBe(after);
});

test("a patch of texts with little in common replaces all of them", () => {
  const many = (word: string): string => Array.from({ length: 900 }, (_, at) => `${word} ${at}\n`).join("");
  expect(patched(many("a"), many("b"))).toBe(many("b"));
});

test("a patch turns any file into any other", () => {
  const text = fc
    .array(fc.constantFrom("severities:", "  - slug: a", "\t# x", "", "name: b\r", "- c"), { maxLength: 12 })
    .chain((lines) => fc.constantFrom(lines.join("\n"), lines.map((line) => `${line}\n`).join("")));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== "");
      expect(patched(before, after)).toBe(after);
    }),
  );
});

test("invisible characters are escaped in JSON", () => {
  expect(fileDiff({ file: "a.yaml", before: "a\n", after: "a\u001b[31m\u202e\n" }, plain)).toContain(
    "+a\\u001b[31m\\u202e\n",
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { Source } from "../../../src/config/source/source.ts";

/** The place of an offset, by counting the line ends before it. */
function counted(text: string, start: number, end: number): unknown {
  const before = text.slice(0, start);
  const lineEnd = text.indexOf("\n", start);
  const length = Math.min(end, lineEnd < 0 ? text.length : lineEnd) - start;
  const at = { file: "a", line: before.split("\n").length, column: start - before.lastIndexOf("\n") };
  return length > 0 ? { ...at, length } : at;
}

test("a position is the counted one, in any order of requests", () => {
  const text = fc
    .array(fc.constantFrom("a", "bc", "\n", "\r\n", "é", "€", "😀", " "), { maxLength: 40 })
    .map((some) => some.join(""));
  const asked = fc.array(fc.tuple(fc.nat(), fc.nat(5)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(text, asked, (some, places) => {
      const source = new Source("a", "/a", some);
      for (const [at, length] of places) {
        const start = at % (some.length + 1);
        const end = Math.min(start + length, some.length);
        expect(source.location(start, end)).toEqual(counted(some, start, end));
      }
    }),
  );
});

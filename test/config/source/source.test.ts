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

test("a place is where counting finds it, in whatever order places are asked for, also once the text was let go", () => {
  const text = fc
    .array(fc.constantFrom("a", "bc", "\n", "\r\n", "é", "€", "😀", " "), { maxLength: 40 })
    .map((some) => some.join(""));
  const asked = fc.array(fc.tuple(fc.nat(), fc.nat(5), fc.boolean()), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(text, asked, (some, places) => {
      const source = new Source("a", "/a", some, new TextEncoder().encode(some));
      for (const [at, length, gone] of places) {
        const start = at % (some.length + 1);
        const end = Math.min(start + length, some.length);
        if (gone) source.letGo();
        expect(source.location(start, end)).toEqual(counted(some, start, end));
      }
      expect(source.text).toBe(some);
    }),
  );
});

test("a byte order mark is no part of a text that was let go", () => {
  const source = new Source("a", "/a", "b: 1\nc", new TextEncoder().encode("\ufeffb: 1\nc"));
  source.letGo();
  expect(source.location(5)).toEqual({ file: "a", line: 2, column: 1 });
  expect(source.text).toBe("b: 1\nc");
});

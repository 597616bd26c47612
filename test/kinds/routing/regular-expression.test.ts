import { describe, expect, test } from "vitest";
import { search, searchWithin } from "../../../src/kinds/routing/regular-expression.ts";

test.each<readonly [expression: string, text: string, isFound: boolean]>([
  ["lag over \\d+ s", "ledger lag over 45 s", true],
  ["^b$", "a\nb\nc", true],
  ["\\Ab", "a\nb", false],
  ["b\\z", "a\nb", true],
  ["b\\z", "b\n", false],
  ["b\\Z", "b\n", true],
  ["a.b", "a\nb", false],
  ["a.b", "a\rb", true],
  ["(?m)a.b", "a\nb", true],
  ["(?i)disk", "DISK full", true],
  ["disk", "DISK full", false],
  ["\\h{4}", "beef", true],
  ["\\A\\H+\\z", "zoo", true],
  ["[[:upper:]][[:digit:]]", "P1", true],
  ["[\\w-.]+@", "first-last.x@", true],
  ["[a\\S]", "\u00a0", true],
  ["\\s", "\u00a0", false],
  ["\\bö", "(ö)", true],
  ["a{,2}b", "aab", true],
  ["{x}", "a {x}", true],
  ["foo]", "foo]", true],
  ["(?<year>\\d{4})", "2026", true],
  ["x(?#a comment)y", "xy", true],
  ["(?<!no )page", "no page", false],
  ["a\\/b\\-c", "a/b-c", true],
  ["\\p{Lu}", "aÉ", true],
  ["^", "", true],
  ["^$", "a\n", false],
])("%j searches %j as Ruby does", (expression, text, isFound) => {
  expect(search(expression, text)).toEqual({ isFound });
});

test.each([
  "(?>a+)b",
  "a++",
  "a(?i)b",
  "(?x) a b",
  "(a)\\1",
  "(?<n>a)\\k<n>",
  "[a[bc]]",
  "[a-z&&[^b]]",
  "a{2}?",
  "\\R",
  "\\G",
  "(?~a)",
  "[[:cntrl:]]",
  "(",
])("%j has no equivalent in JavaScript and is undecided", (expression) => {
  expect(search(expression, "a")).toEqual({ isFound: undefined, why: expect.stringContaining("no equivalent") });
});

test("searches within a limit are undecided when their time is used up, and others are not", () => {
  const used = new Map([["^b+$", 5001]]);
  const why = "the searches for this regular expression take too long";
  expect(searchWithin(used, () => search("^b+$", "bbb"))).toEqual({ isFound: undefined, why });
  expect(search("^b+$", "bbb")).toEqual({ isFound: true });
});

test("a search that takes longer than the service allows is undecided", () => {
  const result = search("^(a+)+$", `${"a".repeat(40)}!`);
  expect(result).toEqual({ isFound: undefined, why: expect.stringContaining("0.1 s") });
});

/** Parts of expressions that are small to write and large to compile or slow to search. */
const HOSTILE_PARTS: readonly string[] = [
  "\\b",
  "\\b\\p{L}\\B",
  "\\p{L}",
  "[^\\p{L}]",
  "\\P{L}",
  "[[:alpha:]]",
  "[[:space:]]+",
  "(?:\\p{L}{3}){3}",
  "(?:\\b\\p{L}?)+",
  "[\\S]",
  "[\\W]",
  "\\W",
  "[a-zé]",
  "[^a]",
  ".",
  "^",
  "$",
  "\\Z",
  "a",
  "é",
  "a|",
  "a*",
  "a?",
  "(?:a|b)",
  "(?=a)",
  "(?<=a)",
  "(a)",
  "(a|a)*",
  "a{1000}",
  "(?:a{2,1000}){2,1000}",
  "(?#",
  "(?<a>",
  "{1",
  "[a",
];

const HOSTILE_NESTS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["(?:", "){3}"],
  ["(?:", ")*"],
  ["(?=", ")"],
  ["(?:\\p{L}", "){3}"],
  ["(?:a|", ")+"],
];

const TIMES: readonly number[] = [25, 100, 200, 3_000, 100_000];
/** Regardless of case, a set is larger. */
const HOSTILE: readonly string[] = [
  ...HOSTILE_PARTS.flatMap((part) => TIMES.map((times) => `(?i)${part.repeat(times)}`)),
  ...HOSTILE_NESTS.flatMap(([open, close]) => TIMES.map((times) => `(?i)${open.repeat(times)}a${close.repeat(times)}`)),
];

describe("a hostile expression takes little time and memory", () => {
  test.each(HOSTILE.map((expression) => [`${expression.slice(0, 24)}… (${expression.length} characters)`, expression]))(
    "%s",
    (_, expression) => {
      const [before, memory] = [process.cpuUsage(), process.memoryUsage().rss];
      for (const text of ["ab ".repeat(300), "aé ".repeat(300)]) {
        const result = search(expression, text);
        if (result.isFound === undefined) expect(result.why).not.toBe("");
      }
      const { user, system } = process.cpuUsage(before);
      expect(user + system).toBeLessThan(2_000_000);
      expect(process.memoryUsage().rss - memory).toBeLessThan(256 * 1024 * 1024);
    },
  );

  test.each([
    ["thousands of sets", `(?i)${"\\b\\p{L}\\B".repeat(3_000)}`],
    ["a long text", "a".repeat(100_000)],
  ])("is undecided with the reason: %s", (_, expression) => {
    const why = "this regular expression is too large to be evaluated offline";
    expect(search(expression, "a".repeat(100_000))).toEqual({ isFound: undefined, why });
  });

  test("throws nothing where only the compilation may find it to be too large", () => {
    const result = search(`(?:${"a".repeat(19_000)}){3}`, "a".repeat(100_000));
    expect([true, undefined]).toContain(result.isFound);
  });

  test("of a usual size is evaluated", () => {
    const words = Array.from({ length: 20 }, (_, index) => `\\bword${index}\\b`).join("|");
    expect(search(`(?i)${words}`, "a Word7 é")).toEqual({ isFound: true });
  });
});

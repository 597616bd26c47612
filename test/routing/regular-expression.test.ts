import { expect, test } from "vitest";
import { search, translate } from "../../src/routing/regular-expression.ts";

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
  expect(translate(expression)).toBeUndefined();
  expect(search(expression, "a").isFound).toBeUndefined();
});

test("a search that takes longer than the service allows is undecided", () => {
  const result = search("^(a+)+$", `${"a".repeat(40)}!`);
  expect(result).toEqual({ isFound: undefined, why: expect.stringContaining("0.1 s") });
});

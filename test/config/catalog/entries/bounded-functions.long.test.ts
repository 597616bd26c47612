/** Functions in place of those of the package: they give the same, and none takes seconds in a single step. */

import fc from "fast-check";
import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import {
  InvalidExpression,
  LIMITS,
  StoppableRegularExpression,
} from "../../../../src/config/catalog/entries/bounds.ts";
import { Expression } from "../../../../src/config/catalog/entries/expression.ts";
import type { Json } from "../../../../src/core/json.ts";

/** The result of the package alone, or "error". */
async function packaged(text: string, document: Json): Promise<unknown> {
  const limits = { timeout: 60_000, stack: LIMITS.depth, sequence: LIMITS.items };
  const RegexEngine = StoppableRegularExpression as unknown as RegExpConstructor;
  return outcome(async () => jsonata(text, { ...limits, RegexEngine }).evaluate(document, {}));
}

async function bounded(text: string, document: Json): Promise<unknown> {
  const expression = await Expression.compile(text);
  return outcome(() => expression.evaluate(document, "a.yaml"));
}

async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return JSON.stringify((await run()) ?? null);
  } catch {
    return "error";
  }
}

const scalar = fc.oneof(fc.string({ maxLength: 4 }), fc.integer({ min: -5, max: 5 }), fc.boolean(), fc.constant(null));
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
})).value;
const list = fc.oneof(
  fc.array(fc.string({ maxLength: 3 }), { maxLength: 40 }),
  fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 40 }),
  fc.array(scalar, { maxLength: 5 }),
);

test.each([
  ["$sort(x)", list],
  ["$sort(x, function($l, $r) { $l > $r })", list],
  ["$sort(x, function($l, $r) { $string($l) >= $string($r) })", list],
  ["$sort(x.a)", fc.array(value, { maxLength: 5 })],
  ["$spread(x)", value],
  ["$map(x, $spread)", value],
  ["$string(x)", value],
  ["$string(x, true)", value],
  ["$map(x, $string)", value],
  ["$sift(x, function($v) { $v = 1 })", value],
  ["$sift(x, function($v, $k) { $k != 'a' })", value],
  ["$sift(x, $boolean)", value],
  ["$reduce(x, $append)", value],
  ["$reduce(x, function($l, $r, $i) { $string($l) & $r & $i }, 'z')", value],
  ["$reduce(x, function($one) { $one })", value],
  ["$distinct(x)", value],
  ["$formatNumber(x, '#,##0.00')", scalar],
  ["$formatInteger(x, 'w')", scalar],
  ["$parseInteger($formatInteger(x, 'w;o'), 'w')", fc.nat({ max: 99_999 })],
  ["$toMillis(x, '[Y]-[M]-[D]')", scalar],
  ["$toMillis('2024-05-06', '[Y]-[M]-[D]')", scalar],
  ["$fromMillis(x, '[Y]-[M01] [Dwo]')", scalar],
  ["$fromMillis(x)", scalar],
])("%s gives what the package gives", async (text, values) => {
  await fc.assert(
    fc.asyncProperty(values as fc.Arbitrary<Json>, async (x) => {
      expect(await bounded(text, { x })).toBe(await packaged(text, { x }));
    }),
    { numRuns: 60 },
  );
});

describe("A step of a large document takes at most about a second", () => {
  const numbers = Array.from({ length: LIMITS.items }, (_, at) => (at * 7919) % 20_011);
  const document = {
    numbers,
    texts: numbers.map((number) => `s${number}`),
    lists: numbers.map((number) => [number]),
    items: numbers.map((a) => ({ a })),
    wide: Array.from({ length: 20 }, () => Object.fromEntries(numbers.map((_, at) => [`k${at}`, at]))),
    big: Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`k${at}`, at])),
    picture: "#,".repeat(90_000),
    digits: "1".repeat(190_000),
    words: "one ".repeat(40_000),
  };

  test.each([
    "$count($sort(numbers))",
    "$count($sort(texts))",
    "$count($sort(texts, $contains))",
    "$count($sort(lists, $append))",
    "$count($sort(items, function($l, $r) { $l.a > $r.a }))",
    "$count($reduce(items, $append))",
    "$count($spread(items))",
    "$count($spread(wide))",
    "$sift(big, $boolean)",
    "$string(big)",
    "$formatInteger(123456789, picture)",
    "$parseInteger(digits, picture)",
    "$toMillis(words & '!', '[Yw][Mw][Dw]')",
    "$toMillis('MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM!', '[YI][MI][DI][dI][HI][mI][sI]')",
  ])("%s", async (text) => {
    const expression = await Expression.compile(text);
    const started = performance.now();
    const error: unknown = await expression.evaluate(document, "a.yaml").catch((thrown: unknown) => thrown);
    if (error instanceof Error) expect(error).toBeInstanceOf(InvalidExpression);
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

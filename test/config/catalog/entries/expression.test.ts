import fc from "fast-check";
import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import { InvalidExpression } from "../../../../src/config/catalog/entries/bounds.ts";
import { Expression } from "../../../../src/config/catalog/entries/expression.ts";
import { processorTime } from "../../../../src/core/clock.ts";
import type { Json } from "../../../../src/core/json.ts";
import { loaded } from "../../loading.ts";

async function evaluate(text: string, document: Json = {}, path = "a.yaml"): Promise<Json | undefined> {
  return (await Expression.compile(text)).evaluate(document, path);
}

async function failure(text: string, document: Json = {}): Promise<string> {
  const error = await evaluate(text, document).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InvalidExpression);
  return error instanceof Error ? error.message : "";
}

describe("The five mappings that the language was chosen for", () => {
  test.each<[string, string, Json, string, Json | undefined]>([
    ["a name in upper case", "$uppercase(metadata.name)", { metadata: { name: "payments" } }, "", "PAYMENTS"],
    ["a text in some files", "[team][]", { team: "a" }, "", ["a"]],
    ["a list in others", "[team][]", { team: ["a", "b"] }, "", ["a", "b"]],
    [
      "a tier from a label",
      "metadata.labels.`acme.io/tier`",
      { metadata: { labels: { "acme.io/tier": "1" } } },
      "",
      "1",
    ],
    ["no such label", "metadata.labels.`acme.io/tier`", { metadata: {} }, "", undefined],
    ["the team from the folder", "$split($path, '/')[1]", {}, "teams/payments/api/service.yaml", "payments"],
    [
      "a filter by kind and lifecycle",
      "kind = 'Component' and spec.lifecycle in ['production', 'experimental']",
      { kind: "Component", spec: { lifecycle: "production" } },
      "",
      true,
    ],
  ])("%s", async (_what, text, document, path, result) => {
    expect(JSON.parse(JSON.stringify((await evaluate(text, document, path)) ?? null))).toEqual(result ?? null);
  });
});

describe("An expression", () => {
  test("that is a plain path tells its names", async () => {
    expect((await Expression.compile("metadata.`a b`.name")).path).toEqual(["metadata", "a b", "name"]);
    for (const text of ["$uppercase(name)", "a[0].b", "'x'", "a.b[]"]) {
      expect((await Expression.compile(text)).path).toBeUndefined();
    }
  });

  test("that is evaluated directly gives what the package gives for it", async () => {
    const name = fc.constantFrom("a", "b", "c");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("."));
    const comparison = fc
      .tuple(path, fc.constantFrom("=", "!="), fc.constantFrom("x", "", "1", "true"))
      .map(([left, operator, text]) => `${left} ${operator} '${text}'`);
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        comparison,
        fc
          .tuple(tie("condition"), fc.constantFrom("and", "or"), tie("condition"))
          .map(([left, operator, right]) => `${left} ${operator} ${right}`),
      ),
    }));
    const value = fc.oneof(fc.constantFrom<Json>("x", "", "1", 1, true, false, null, [], ["x"], [["x"], "y"]));
    const { document } = fc.letrec<{ document: Json }>((tie) => ({
      document: fc.oneof(
        { depthSize: "medium" },
        value,
        fc.dictionary(name, tie("document")),
        fc.array(tie("document"), { maxLength: 2 }),
      ),
    }));
    let direct = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(path, condition), document, async (text, input) => {
        const expression = await Expression.compile(text);
        const own = expression.evaluateDirectly(input);
        if (own === undefined) return;
        direct += 1;
        const library = await jsonata(text).evaluate(input);
        expect(JSON.stringify(own.value ?? "nothing")).toBe(JSON.stringify(library ?? "nothing"));
      }),
      { numRuns: 200 },
    );
    expect(direct).toBeGreaterThan(50);
  });

  test("that needs the package is not evaluated directly", async () => {
    for (const text of [
      "a[]",
      "a[0].b",
      "a.b^(c)",
      "$path",
      "a = 1",
      "a = b",
      "'x' = a",
      "a in ['x']",
      "$not(a = 'x')",
    ]) {
      expect((await Expression.compile(text)).evaluateDirectly({ a: { b: "x" } })).toBeUndefined();
    }
  });

  test("returns the objects of the document themselves", async () => {
    const document = { items: [{ name: "a" }, { name: "b" }] };
    expect(await evaluate("items[name = 'b']", document)).toBe(document.items[1]);
  });

  test("that is broken is refused with the reason", async () => {
    expect(await failure("foo(")).toContain('Expected ")"');
    expect(await failure("$uppercase(5)")).toContain("does not match");
  });

  test.each(["$now()", "$millis()", "$random()", "$shuffle([1, 2])", "$eval('1')", "$map([1], $random)"])(
    "cannot use %s, which would make other entries out of the same files",
    async (text) => {
      expect(await failure(text)).toContain("entries depend on the files");
    },
  );

  test.each(["function($a) { $a }", "$uppercase", "/a/"])("that gives %s is refused", async (text) => {
    expect(await failure(text)).toBe("it gives a function, not a value");
  });
});

describe("An evaluation is stopped", () => {
  test.each([
    ["an endless recursion", "($f := function($n) { $f($n + 1) + 1 }; $f(0))"],
    ["an endless tail call", "($f := function($n) { $f($n + 1) }; $f(0))"],
    ["a text that doubles itself", "$reduce([1..60], function($text) { $text & $text }, 'aaaaaaaa')"],
    ["a list that doubles itself", "$reduce([1..60], function($list) { $append($list, $list) }, [1, 2])"],
    ["a long range", "$sum([1..9999999])"],
    ["ranges within ranges", "[1..9999].([1..9999].($$))"],
    ["a padded text", "$pad('', 100000000)"],
    ["a search that takes centuries", "$match(text, /(a+)+$/)"],
    ["many short searches", "$replace($pad('a', 190000, 'a'), /a/, 'b')"],
    ["texts joined by a long one", "$join([1..20000].$string($), $pad('', 190000))"],
    [
      "a mapping that holds another one twice, and so on",
      "($f := function($x, $n) { $n = 0 ? $x : $f({ 'a': $x, 'b': $x }, $n - 1) }; $string($f(1, 40)))",
    ],
    [
      "a list that holds another one twice, and so on",
      "($f := function($x, $n) { $n = 0 ? $x : $f([[$x], [$x]], $n - 1) }; $string($f(1, 40)))",
    ],
  ])("%s", async (_what, text) => {
    const before = processorTime();
    await failure(text, { text: `${"a".repeat(60)}!` });
    expect(processorTime() - before).toBeLessThan(5000);
  });
});

test("An expression that takes long for every document is not evaluated for all of them", async () => {
  let milliseconds = 0;
  const now = () => {
    milliseconds += 900;
    return milliseconds;
  };
  const expression = await Expression.compile("$uppercase(name)", now);
  for (let at = 0; at < 67; at += 1) expect(await expression.evaluate({ name: "a" }, "a.yaml")).toBe("A");
  await expect(expression.evaluate({ name: "a" }, "a.yaml")).rejects.toThrow(
    "it has taken more than 60 seconds in all",
  );
});

describe("Long lists", () => {
  test("lose their equal items in little time", async () => {
    const started = performance.now();
    const items = Array.from({ length: 20_000 }, (_, at) => ({ at, half: at % 10_000 }));
    expect(await evaluate("$count($distinct(items))", { items })).toBe(20_000);
    expect(await evaluate("$count($distinct(items.half))", { items })).toBe(10_000);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test.each<[string, Json | undefined]>([
    ["$distinct([1, '1', 1, true, null, null])", [1, "1", true, null]],
    ["$distinct([{ 'a': 1, 'b': 2 }, { 'b': 2, 'a': 1 }])", [{ a: 1, b: 2 }]],
    ["$distinct(items.name)", "x"],
    ["$distinct('x')", "x"],
    ["$distinct(nothing)", undefined],
    ["$join(['a', 'b'])", "ab"],
    ["$join(items.name, ', ')", "x, x"],
    ["$join('a', ', ')", "a"],
    ["$join(nothing)", undefined],
    ["['a', 'b'] ~> $join('-')", "a-b"],
    ["$replace('a1b22', /[0-9]+/, function($m) { '<' & $m.match & '>' })", "a<1>b<22>"],
  ])("and texts are as JSONata has them: %s", async (text, result) => {
    const value = await evaluate(text, { items: [{ name: "x" }, { name: "x" }] });
    expect(JSON.parse(JSON.stringify(value ?? null))).toEqual(result ?? null);
  });
});

test("Evaluations of many documents let the program hear a signal in between", async () => {
  const files = (rows: number) => ({
    "a.yaml": `catalog_types:
  - slug: app
    name: App
    entries_from: { files: repo/*.csv, slug: { jsonata: "($sum([1..10000].($)); name)" } }
`,
    "repo/a.csv": ["name", ...Array.from({ length: rows }, (_, at) => `s${at}`)].join("\n"),
  });
  // Loads the modules, which takes turns of its own.
  await loaded(files(1));
  let turns = 0;
  const ticks = setInterval(() => {
    turns += 1;
  }, 1);
  await loaded(files(80));
  clearInterval(ticks);
  expect(turns).toBeGreaterThan(0);
});

describe("A variable or function that nothing binds", () => {
  test.each([
    ["$nmae", "there is no variable or function $nmae"],
    ["$uppercas(name)", "there is no variable or function $uppercas; did you mean $uppercase?"],
    ["kind = 'Component' and $pth", "there is no variable or function $pth; did you mean $path?"],
    ["($team := owner; $taem)", "there is no variable or function $taem; did you mean $team?"],
    ["items[$v.a = 1]", "there is no variable or function $v"],
  ])("is an error before any document is read: %s", async (text, message) => {
    expect(await failure(text)).toBe(message);
  });

  test.each<[string, Json, Json]>([
    ["($team := owner; $uppercase($team))", { owner: "a" }, "A"],
    ["$map(items, function($v, $i) { $v & $i })", { items: ["a", "b"] }, ["a0", "b1"]],
    ["items@$v.($v & '!')", { items: ["a"] }, "a!"],
    ["items#$i[$i = 1]", { items: ["a", "b"] }, "b"],
    ["items.($$.name & $)", { items: ["b"], name: "a" }, "ab"],
    ["items ~> $join('_')", { items: ["a", "b"] }, "a_b"],
    ["$path", {}, "a.yaml"],
  ])("is none that the expression or the program binds: %s", async (text, document, value) => {
    // The package's lists have properties of their own.
    expect(JSON.parse(JSON.stringify(await evaluate(text, document)))).toEqual(value);
  });
});

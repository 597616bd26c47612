import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseValue } from "../../../../src/config/edit/yaml-cst.ts";
import { LIMITS, type Limits } from "../../../../src/config/source/limits.ts";
import { decode } from "../../../../src/config/source/text.ts";
import type { Node, Span } from "../../../../src/config/source/tree.ts";
import { readYaml, type YamlFile } from "../../../../src/config/source/yaml/read-yaml.ts";
import type { Diagnostic } from "../../../../src/core/diagnostic.ts";
import { Findings } from "../../../../src/core/findings.ts";
import type { Json } from "../../../../src/core/json.ts";
import { styled } from "../../../support/samples/yaml-styles.ts";

/** Few in every run of the tests, many in the campaign. */
const RUNS = Number(process.env.CAMPAIGN_EDITS ?? 300);
const timeout = 30_000 + RUNS * 50;

const examples = new URL("../../../../examples/", import.meta.url);
const TEXTS = readdirSync(examples)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(new URL(name, examples), "utf8"));

interface Reading {
  readonly file: YamlFile | undefined;
  readonly errors: readonly Diagnostic[];
}

function read(text: string, limits: Limits = LIMITS): Reading {
  const findings = new Findings();
  const source = decode("a.yaml", "/a.yaml", new TextEncoder().encode(text), findings);
  const file = source === undefined ? undefined : readYaml(source, limits, findings);
  const errors = findings.list("error");
  expect(errors.length === 0, text).toBe(file !== undefined);
  for (const { at, message } of errors) {
    expect(at, `${text}\n${message}`).toMatchObject({ file: "a.yaml" });
    expect(at?.line, text).toBeLessThanOrEqual(text.split("\n").length);
  }
  return { file, errors };
}

/** The value of a text, or the code of its first error and the place of that. */
function told(text: string): unknown {
  const { file, errors } = read(text);
  const [error] = errors;
  return file === undefined ? `${error?.at?.line}:${error?.at?.column} ${error?.code}` : file.value;
}

/**
 * The value of a text for the other parser. That refuses four things that are YAML: a comment in front of a value that is indented
 * less than the value, a tab on an otherwise empty line or before an anchor or tag, and a byte order mark before a list.
 */
function otherValue(text: string): Json | undefined {
  const plainer = text
    .replaceAll(/^[ \t]*#.*$/gm, "")
    .replaceAll(/^[ \t]+$/gm, "")
    .replaceAll(/\t(?=[&!])/g, " ")
    .replace(/^\ufeff/, "");
  return parseValue(text) ?? parseValue(plainer);
}

/** Whether a text is read; it must then have the value that it has for the other parser, and each part must lie where it says. */
function agrees(text: string, limits: Limits = LIMITS): boolean {
  const { file } = read(text, limits);
  // A single value is no configuration, whatever it is.
  if (file === undefined || file.node.type === "scalar") return false;
  const other = otherValue(text);
  expect(other, text).toEqual(file.value);
  expect(JSON.stringify(other)).toBe(JSON.stringify(file.value));
  expect(jsonOf(file.node)).toEqual(file.value);
  expectPlaces(file.node, text.replace(/^\ufeff/, ""));
  return true;
}

function jsonOf(node: Node): Json {
  if (node.type === "scalar") return node.value;
  if (node.type === "list") return node.items.map(jsonOf);
  return Object.fromEntries([...node.members].map(([key, { value }]) => [key, jsonOf(value)]));
}

/** Each key and each single value lies where its text says what it is. */
function expectPlaces(node: Node, text: string): void {
  if (node.type === "scalar") {
    expectWritten(node, node.value, text);
  } else if (node.type === "list") {
    for (const item of node.items) expectPlaces(item, text);
  } else {
    for (const [key, member] of node.members) {
      expectWritten(member, key, text);
      expectPlaces(member.value, text);
    }
  }
}

function expectWritten({ start, end }: Span, value: Json, text: string): void {
  const written = text.slice(start, end);
  const words = (some: string): string => some.replaceAll(/\s+/g, " ");
  // The lines of a block are a part of what is around it, and a tag stands before its value.
  if (/^[|>]/.test(written) || text.includes("!")) return;
  if (/^["']/.test(written)) expect(parseValue(written), text).toBe(value);
  else if (typeof value === "string") expect(words(written), text).toBe(words(value));
  else if (written !== "") expect(parseValue(written), text).toBe(value);
}

const words = fc.constantFrom(
  "a",
  "b c",
  "true",
  "12",
  "1.5",
  "-0",
  "null",
  "x: y",
  "# z",
  "it's",
  'say "no"',
  "é",
  "",
);
const lines = fc.array(words, { minLength: 1, maxLength: 4 }).map((some) => some.join("\n"));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    lines,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("name", "slug", "a b", "é", "1", "on"), tie("value"), { maxKeys: 4 }),
  ),
}));
const text = fc
  .tuple(value, fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), fc.constantFrom(2, 3, 4))
  .map(([json, choices, indent]) => styled({ a: JSON.parse(JSON.stringify(json)) }, choices, indent));

/** What hostile and careless hands put into YAML. */
const pieces = fc.constantFrom(
  ..."\t\n\r :-[]{},#&*!|>'\"%@`?~=+.0",
  ..."- |: |, |\n  |\n- |\n  - |\n    |? |# x|<<: |*a|&a |!!set |!!str |!x |---\n|--- |...\n|null|true|0x1F|0o7|1e999|1e3|.nan|\u00e9|\u0301|\ufeff|''|\"\"|\\\n|\\u0041|a: b|a:|{a|[a|]: |}: |\n]|\n}|>-\n|>1\n|:\n|?\n".split(
    "|",
  ),
  "|\n",
  "|2-\n  ",
  "|+\n",
  "\r\n",
  "x".repeat(1030),
);

describe("reading YAML", { timeout }, () => {
  test.each(TEXTS)("takes every example, with either sort of line ends", (example) => {
    expect(agrees(example)).toBe(true);
    expect(agrees(example.replaceAll("\n", "\r\n"))).toBe(true);
  });

  test("reads a value in any style, as another parser does", () => {
    let taken = 0;
    fc.assert(
      fc.property(text, (some) => {
        const { errors } = read(some);
        if (agrees(some)) taken += 1;
        else if (!errors.some(({ code }) => code.startsWith("E_NUMBER")))
          expect(parseValue(some), some).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
    expect(taken).toBeGreaterThan(RUNS / 2);
  });

  const edits = fc.array(fc.record({ at: fc.nat(5000), remove: fc.nat(8), insert: fc.oneof(pieces, fc.string()) }), {
    minLength: 1,
    maxLength: 4,
  });

  test("gives a mutated text the value that it has for another parser, or refuses it", () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.constantFrom(...TEXTS)), edits, (some, changes) => {
        const changed = changes.reduce((rest, { at, remove, insert }) => {
          const place = at % (rest.length + 1);
          return rest.slice(0, place) + insert + rest.slice(place + remove);
        }, some);
        agrees(changed);
      }),
      { numRuns: RUNS },
    );
  });

  test("gives any run of YAML's own characters the value that it has for another parser, or refuses it", () => {
    const parts = fc.array(fc.oneof(pieces, fc.constantFrom("a", "b: ", "- ", "\n", "\n  ")), { maxLength: 20 });
    const beginnings = fc.constantFrom("", "b: ", "b:\n  - ", "b: {", "b: [", "b: |\n  ", "b: 'x", "- b: \n  c: ");
    fc.assert(
      fc.property(beginnings, parts, (beginning, some) => void agrees(beginning + some.join(""))),
      { numRuns: RUNS * 2 },
    );
  });

  test("takes nothing that is too large, too deep or too many", () => {
    const limits = fc.record({ values: fc.nat(12), keys: fc.nat(4), depth: fc.nat(5), tokens: fc.nat(40) });
    const size = (json: Json): { readonly values: number; readonly keys: number; readonly depth: number } => {
      if (typeof json !== "object" || json === null) return { values: 1, keys: 0, depth: 0 };
      const inside = Object.values(json).map(size);
      const sum = inside.reduce((total, { values }) => total + values, 0);
      const keys = Math.max(0, ...inside.map((one) => one.keys), Array.isArray(json) ? 0 : inside.length);
      return { values: sum, keys, depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)) };
    };
    fc.assert(
      fc.property(text, limits, (some, few) => {
        const { file } = read(some);
        if (file === undefined) return;
        const whole = size(file.value);
        const fits = whole.values <= few.values && whole.keys <= few.keys && whole.depth <= few.depth;
        const isTaken = agrees(some, { ...LIMITS, ...few });
        if (isTaken) expect(fits).toBe(true);
        expect(agrees(some, { ...LIMITS, ...few, tokens: LIMITS.tokens })).toBe(fits);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("where parsers are more lenient than YAML, or do not agree", { timeout }, () => {
  const gap = fc
    .array(fc.constantFrom("\n", " ", "  ", "#c", " #c\n", "\n \n"), { maxLength: 5 })
    .map((some) => some.join(""));
  const token = fc.constantFrom(
    '"a"',
    "'a'",
    "a",
    "[a]",
    "{ a: 1 }",
    '"a\n  b"',
    "a\n  b",
    "[a,\n  b]",
    "&x a",
    "!!str a",
    "",
  );
  const agreesAlways = (arbitrary: fc.Arbitrary<string>): void => {
    fc.assert(
      fc.property(arbitrary, (some) => void agrees(some)),
      { numRuns: RUNS },
    );
  };

  test("an empty line behind a backslash that ends its line is refused", () => {
    expect(told('a: "one\\\n\n  two"')).toBe("1:8 E_SYNTAX");
    expect(told('a: "one\\\r\n \r\n  two"')).toBe("1:8 E_SYNTAX");
    expect(told('a: "one\\\n  two"')).toEqual({ a: "onetwo" });
    expect(told('a: "one\\\\\n\n  two"')).toEqual({ a: "one\\\ntwo" });
    const inside = fc.constantFrom("one", "\\\n", "\n", "  ", "\t", "\\\\", "\\n", "\\ ");
    agreesAlways(fc.array(inside, { maxLength: 8 }).map((some) => `a: "${some.join("")}"`));
  });

  test("a key or an item begins its line, in the column of the first", () => {
    expect(told('protected:\n- "severities/critical"limits: { max_removals: 100% }\n')).toBe("2:24 E_SYNTAX");
    expect(told('a:\n  - "b\n    c" - d\n')).toBe("3:8 E_SYNTAX");
    expect(told('a:\n  b: "c\n    d" e: f\n')).toBe("3:8 E_SYNTAX");
    expect(told("a: !!str b: c\n")).toBe("1:4 E_SYNTAX");
    const rest = fc.constantFrom(
      "",
      "b: 1",
      " b: 1",
      "- b",
      " - b",
      "\nb: 1",
      "\n- b",
      "\n  b: 1",
      "\n   b: 1",
      "b",
      "\n  - b",
      "#c",
    );
    const beginning = fc.constantFrom("a: ", "a:\n- ", "a:\n  - ", "- ", "- - ", "a:\n  b: ", "- a: ", "a:\n  - b: ");
    agreesAlways(fc.tuple(beginning, token, rest, rest).map((some) => some.join("")));
  });

  test("in brackets, a colon behind a plain key has a blank behind it", () => {
    expect(told("{a #\n:a}")).toBe("2:1 E_SYNTAX");
    expect(told('{"a" #\n:a}')).toEqual({ a: "a" });
    expect(told("{a #\n: a}")).toEqual({ a: "a" });
    const colon = fc.constantFrom(":", ": ", ":\n", ",", "? ", " ");
    const part = fc.tuple(token, gap, colon, gap, token).map((some) => some.join(""));
    agreesAlways(
      fc
        .tuple(fc.constantFrom("{", "[", "a: {", "a: [\n  "), part, fc.constantFrom("}", "]", "\n}", "\n]"))
        .map((some) => some.join("")),
    );
  });

  test("a comment before a value is none of it, wherever it begins", () => {
    expect(told("a:\n#c\n x\ns: y")).toEqual({ a: "x", s: "y" });
    const comment = fc.constantFrom("#c\n", "  #c\n", "      #c\n", "\n", "# - d: e\n");
    const after = fc.constantFrom("  x", "  - x", "  x: 1", '  "x"', "  [x]", "  |\n    x", "  &a x");
    const written = fc.tuple(fc.array(comment, { maxLength: 4 }), after);
    fc.assert(
      fc.property(written, fc.constantFrom("", "\ns: y"), ([comments, own], more) => {
        expect(told(`a:\n${comments.join("")}${own}${more}`)).toEqual(told(`a:\n${own}${more}`));
        agrees(`a:\n${comments.join("")}${own}${more}`);
      }),
      { numRuns: RUNS },
    );
  });

  test("a closing bracket may be in the column of its key", () => {
    expect(told("a: [\n  b,\n  { c: d }, # e\n]\nf: g\n")).toEqual({ a: ["b", { c: "d" }], f: "g" });
    expect(told("a:\n  - {\n    b: c\n  }\n  - d: [\n      e\n    ]\n")).toEqual({ a: [{ b: "c" }, { d: ["e"] }] });
    expect(told("a: |\n  b {\n  }\nc: [\n]\n")).toEqual({ a: "b {\n}\n", c: [] });
    expect(told("a: [\n  {\n    b: c\n}]\n")).toBe("4:1 E_SYNTAX");
    expect(told("a:\n  b: [\n c]\n")).toBe("2:6 E_SYNTAX");
  });

  test("a tab may be before and within brackets, but does not indent", () => {
    expect(told("a:\t[b,\tc]\nd: e\tf\ng: |\n  h\ti\n")).toEqual({ a: ["b", "c"], d: "e\tf", g: "h\ti\n" });
    expect(told("a: |\n  b\n\t\nc: d\n")).toBe("3:1 E_SYNTAX");
  });

  test("a text that two parsers read differently is refused", () => {
    expect(told("a: &b: c\nd: *b:\n")).toBe("1:4 E_ALIAS");
    expect(told("a: |2\n   b\n   \n")).toBe("3:1 E_SYNTAX");
    expect(told("a: |+\n\n  ")).toBe("3:2 E_SYNTAX");
    expect(told(" ---\na: b\n")).toMatch(/E_SYNTAX/);
  });
});

describe("the core schema", () => {
  test.each([
    ["~", null],
    ["", null],
    ["NULL", null],
    ["nULL", "nULL"],
    ["True", true],
    ["yes", "yes"],
    ["010", 10],
    ["0o17", 15],
    ["+0x1F", "+0x1F"],
    ["0x1F", 31],
    ["1_000", "1_000"],
    ["+1.", 1],
    ["-.5e+1", -5],
    ["1e3", 1000],
    ["12:30", "12:30"],
    ["2024-01-01", "2024-01-01"],
    ["!!str 1", "1"],
    ["! 1", "1"],
    ["!!int '3'", 3],
    ["!!float 1.5", 1.5],
    ["!!bool true", true],
    ["!!null ''", null],
    ["!<tag:yaml.org,2002:str> ~", "~"],
    ["!!seq [a]", ["a"]],
    ["!!map {b: c}", { b: "c" }],
  ])("a: %s", (written, expected) => {
    expect(told(`a: ${written}\n`)).toEqual({ a: expected });
    expect(agrees(`a: ${written}\n`)).toBe(true);
  });

  test.each(["!!int 1.5", "!!int a", "!!bool yes", "!!null a", "!!str [a]", "!!map [a]", "!!binary aGk=", "!a b", "!"])(
    "a: %s is refused",
    (written) => {
      expect(told(`a: ${written}\n`)).toBe("1:4 E_TAG");
    },
  );

  test.each(["1e400", "-.inf", ".nan", "12345678901234567890"])("a: %s is refused", (written) => {
    expect(told(`a: ${written}\n`)).toMatch(/^1:4 E_NUMBER/);
  });
});

describe("errors", () => {
  test("a thousand of a file are reported, and then the number of the others", () => {
    expect(read(`a: [${"*b, ".repeat(25)}]\n`).errors).toHaveLength(25);
    const { errors } = read(`a: [${"*b, ".repeat(1_015)}]\n`);
    expect(errors).toHaveLength(1_001);
    expect(errors.at(-1)).toMatchObject({ code: "E_MORE_ERRORS", message: "the file has 15 more errors" });
    expect(errors.at(-1)?.at).toMatchObject({ line: 1, column: 4_005 });
  });
});

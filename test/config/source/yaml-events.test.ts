import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Findings } from "../../../src/config/load/findings.ts";
import { plainValue } from "../../../src/config/source/lazy-nodes.ts";
import { LIMITS, type Limits } from "../../../src/config/source/limits.ts";
import type { Source } from "../../../src/config/source/source.ts";
import { decode } from "../../../src/config/source/text.ts";
import type { Node, Span } from "../../../src/config/source/tree.ts";
import { parse } from "../../../src/config/source/yaml.ts";
import { quickTree } from "../../../src/config/source/yaml-events.ts";
import type { Json } from "../../../src/core/json.ts";
import { styled } from "../../support/samples/yaml-styles.ts";

/** Few in every run of the tests, many in the campaign. */
const RUNS = Number(process.env.CAMPAIGN_EDITS ?? 400);

const examples = new URL("../../../examples/", import.meta.url);
const TEXTS = readdirSync(examples)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(new URL(name, examples), "utf8"));

/** A tree with the places that a message can name: a text over several lines is underlined to the end of its first. */
function seen(node: Node, source: Source): unknown {
  const place = ({ start, end }: Span): unknown => [start, source.location(start, end).length ?? 0];
  switch (node.type) {
    case "scalar":
      return [node.value, Object.is(node.value, -0), place(node), written(node, source)];
    case "list":
      return [place(node), node.items.map((item) => seen(item, source))];
    case "map":
      return [
        place(node),
        [...node.members].map(([key, member]) => [key, place(member), member.end, seen(member.value, source)]),
      ];
  }
}

/** What a quick tree says without being gone through is what its nodes say, and then nothing in it needs a second look. */
function saysWhatIsInIt(node: Node): Json {
  const json = inIt(node);
  const plain = plainValue(node);
  if (plain !== undefined) expect(plain).toEqual(json);
  return plain ?? json;
}

function inIt(node: Node): Json {
  if (node.type === "scalar") return node.value;
  if (node.type === "list") return node.items.map((item) => saysWhatIsInIt(item));
  return Object.fromEntries([...node.members].map(([key, { value }]) => [key, saysWhatIsInIt(value)]));
}

/** What a rule may ask for: how a number was written. */
function written({ start, end }: Span, { text }: Source): string {
  const all = text.slice(start, end);
  return all.includes("\n") ? "" : all;
}

/** Whether the quick reader takes a text; it must then be what the other makes of it. */
function agrees(text: string, limits: Limits = LIMITS): boolean {
  const source = decode("a.yaml", "/a.yaml", new TextEncoder().encode(text), new Findings());
  const quick = source === undefined ? undefined : quickTree(source.text, limits);
  if (source === undefined || quick === undefined) return false;
  const findings = new Findings();
  const node = parse(source, limits, findings);
  expect(findings.list("error").map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  expect(seen(quick, source)).toEqual(node && seen(node, source));
  saysWhatIsInIt(quick);
  return true;
}

describe("the quick reader of YAML", () => {
  test.each(TEXTS)("takes every example, and makes of it what the other does", (text) => {
    expect(agrees(text)).toBe(true);
    expect(agrees(text.replaceAll("\n", "\r\n"))).toBe(true);
  });

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

  test("reads what is written in any style as the other does, or leaves it to that one", () => {
    let taken = 0;
    fc.assert(
      fc.property(text, (some) => {
        if (agrees(some)) taken += 1;
      }),
      { numRuns: RUNS },
    );
    expect(taken).toBeGreaterThan(RUNS / 2);
  });

  /** What hostile and careless hands put into YAML. */
  const pieces = fc.constantFrom(
    ..."\t\n\r :-[]{},#&*!|>'\"%@`?~=+.0",
    ..."- |: |, |\n  |\n- |\n  - |\n    |? |# x|<<: |*a|&a |!!set |!x |---\n|--- |...\n|null|true|0x1F|0o7|1e999|1e3|.nan|\u00e9|\u0301|\ufeff|''|\"\"|\\\n|\\u0041|a: b|a:|{a|[a|]: |}: |>-\n|>1\n|:\n|?\n".split(
      "|",
    ),
    "|\n",
    "|2-\n  ",
    "|+\n",
    "\r\n",
    "x".repeat(1030),
  );
  const edits = fc.array(fc.record({ at: fc.nat(5000), remove: fc.nat(8), insert: fc.oneof(pieces, fc.string()) }), {
    minLength: 1,
    maxLength: 4,
  });

  test("knows where a block of text begins behind another that ends two lists", () => {
    expect(agrees("a:\n  - - >-\n      a\n  - >-\n    a\n")).toBe(true);
  });

  test.each(["{\n  a: 1\n# why\n}\n", "a: {b: c,\n  d: e\n# why\n# and how\n }\n"])(
    "takes a comment that begins a line in braces, as the other does: %j",
    (some) => {
      expect(agrees(some)).toBe(true);
      expect(agrees(some.replaceAll("\n", "\r\n"))).toBe(true);
    },
  );

  test.each([" ---\na: []\n", "# b\n  --- # c\n  a: []\n"])(
    "leaves a beginning that is none to the other: %j",
    (some) => {
      expect(agrees(some)).toBe(false);
    },
  );

  test("takes no mutated text that the other refuses, and reads it as that one", () => {
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

  test("takes no run of YAML's own characters that the other refuses", () => {
    const parts = fc.array(fc.oneof(pieces, fc.constantFrom("a", "b: ", "- ", "\n", "\n  ")), { maxLength: 20 });
    const beginnings = fc.constantFrom("", "b: ", "b:\n  - ", "b: {", "b: [", "b: |\n  ", "b: 'x", "- b: \n  c: ");
    fc.assert(
      fc.property(beginnings, parts, (beginning, some) => void agrees(beginning + some.join(""))),
      { numRuns: RUNS * 2 },
    );
  });

  test("takes nothing that the other finds too large, too deep or too many", () => {
    const limits = fc.record({ values: fc.nat(12), keys: fc.nat(4), depth: fc.nat(5) });
    fc.assert(
      fc.property(text, limits, (some, few) => void agrees(some, { ...LIMITS, ...few })),
      { numRuns: RUNS },
    );
  });
});

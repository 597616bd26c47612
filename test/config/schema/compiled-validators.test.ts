import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkedSchemas } from "../../../src/config/schema/checked-schemas.ts";
import { violations, violationsBy } from "../../../src/config/schema/validator.ts";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { exampleOf } from "../../support/samples/example-workspace.ts";
import { compiled } from "../../support/schemas/compiled-schema.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const schemas = [...checkedSchemas(kinds)];
const RUNS = Number(process.env.CAMPAIGN_SCHEMAS ?? 60);

test.each(["validators.cjs", "plan-validator.cjs"])("%s is compiled from the schemas as they are", (name) => {
  const file = readFileSync(new URL(`../../../dist/${name}`, import.meta.url), "utf8");
  const made = execFileSync(process.execPath, ["scripts/compile-validators.mjs", "--print", name], { cwd: root });
  expect(file.replace(/^\/\/ Compiled by .*\n/, "") === made.toString(), `dist/${name} is stale: npm run build`).toBe(
    true,
  );
});

test("a schema that is not compiled is refused, whatever it is called", () => {
  expect(() => violations("colours", {})).toThrow("no validator is compiled for colours");
  expect(() => violations("constructor", {})).toThrow("no validator is compiled for constructor");
});

/** Values that a schema describes, but for what is wrong with about every fifth part of them. */
function nearly(schema: Json | undefined, whole: Fields, depth: number): fc.Arbitrary<Json> {
  const anything = fc.oneof(fc.constantFrom<Json>("", " ", "x", 0, -1, 1.5, 10_001, true, null, [], {}), ODD);
  if (!isFields(schema) || depth > 6) return anything;
  const ways: fc.Arbitrary<Json>[] = [];
  const below = (part: Json | undefined) => nearly(part, whole, depth + 1);
  if (typeof schema.$ref === "string") ways.push(below(target(schema.$ref, whole)));
  for (const choice of ["oneOf", "anyOf", "allOf"]) {
    const parts = schema[choice];
    if (isList(parts)) ways.push(...parts.map(below));
  }
  for (const part of [schema.if, schema.then]) if (part !== undefined) ways.push(below(part));
  if (isList(schema.enum)) ways.push(fc.constantFrom(...schema.enum));
  if (schema.const !== undefined) ways.push(fc.constant(schema.const));
  if (isFields(schema.properties)) {
    const members = Object.entries(schema.properties).map(([name, part]) => [name, below(part)] as const);
    const object = fc.record<Record<string, Json>>(Object.fromEntries(members), { requiredKeys: [] });
    ways.push(
      object,
      fc.tuple(object, ODD).map(([stated, odd]) => ({ ...stated, odd })),
    );
  }
  if (isFields(schema.additionalProperties))
    ways.push(fc.dictionary(KEYS, below(schema.additionalProperties), { maxKeys: 3 }));
  if (schema.items !== undefined) {
    const list = fc.array(below(schema.items), { maxLength: 3 });
    ways.push(
      list,
      list.map((items) => [...items, ...items.slice(0, 1)]),
    );
  }
  const types = isList(schema.type) ? schema.type : [schema.type ?? null];
  if (types.includes("string")) ways.push(TEXT);
  if (types.includes("boolean")) ways.push(fc.boolean());
  if (types.includes("integer") || types.includes("number")) ways.push(fc.integer({ min: -1, max: 1001 }));
  if (ways.length === 0) return anything;
  return fc.oneof({ weight: 4, arbitrary: fc.oneof(...ways) }, { weight: 1, arbitrary: anything });
}

const KEYS = fc.constantFrom("name", "slug", "a b", "", "tier", "x".repeat(300));
const TEXT = fc.constantFrom(
  "",
  " ",
  "critical",
  "https://a.example",
  "#ff0000",
  "2026-12-31",
  "a/b",
  "é".repeat(3000),
);
const ODD: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 2 }).map((value) => value as Json);

function target(reference: string, whole: Fields): Json | undefined {
  const steps = reference.split("/").slice(1);
  return steps.reduce<Json | undefined>((value, step) => (isFields(value) ? value[step] : undefined), whole);
}

/** Every object and list in the value. */
function partsOf(value: Json): readonly Json[] {
  const members = isList(value) ? value : isFields(value) ? Object.values(value) : [];
  return members.length === 0 ? [] : [value, ...members.flatMap(partsOf)];
}

describe.each(schemas)("%s, compiled before and while the program runs", (name, schema) => {
  const validate = compiled(schema);
  const room = kinds.find((kind) => kind.name === name)?.module;

  if (room !== undefined) {
    test("agree on the examples", () => {
      const parts = partsOf(exampleOf(room));
      expect(parts.length).toBeGreaterThan(3);
      for (const part of parts) expect(violations(name, part)).toEqual(violationsBy(validate, part));
    });
  }

  test(
    "find the same rules broken, in the same order",
    () => {
      let broken = 0;
      fc.assert(
        fc.property(nearly(schema, schema, 0), (value) => {
          const found = violations(name, value);
          broken += found.length;
          expect(found).toEqual(violationsBy(validate, value));
        }),
        { numRuns: RUNS },
      );
      expect(broken).toBeGreaterThan(20);
    },
    30_000 + RUNS * 100,
  );
});

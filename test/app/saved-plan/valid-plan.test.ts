import { describe, expect, test } from "vitest";
import { validPlan } from "../../../src/app/saved-plan/valid-plan.ts";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { planJson } from "../../../src/view/plan/json.ts";
import { planSchema } from "../../../src/view/plan/schema.ts";
import { everything, planOf } from "../../view/plans.ts";

const schema = planSchema();
const isValid = async (value: unknown) => (await validPlan(JSON.parse(JSON.stringify(value)))) !== undefined;

/** The part that a reference stands for. */
function target(part: Json | undefined): Fields {
  if (!isFields(part)) throw new Error("the schema has no such part");
  if (typeof part.$ref !== "string") return part;
  const name = part.$ref.replace("#/$defs/", "");
  return target(isFields(schema.$defs) ? schema.$defs[name] : undefined);
}

const typesOf = ({ type }: Fields) => (isList(type) ? type : type === undefined ? [] : [type]);

/** A value with every property that the schema describes. */
function sample(reference: Json | undefined): Json {
  const part = target(reference);
  if (part.const !== undefined) return part.const;
  if (isList(part.enum)) return part.enum[0] ?? null;
  if (part.pattern !== undefined) return "2026-11-21T08:00:00.000Z";
  const [type] = typesOf(part);
  if (type === "string") return "text";
  if (type === "integer") return 1;
  if (type === "array") return [sample(part.items)];
  if (type !== "object") return null;
  if (isFields(part.additionalProperties)) return { any: sample(part.additionalProperties) };
  const properties = isFields(part.properties) ? part.properties : {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, sample(property)]));
}

interface Spoilt {
  readonly title: string;
  readonly value: Json;
}

/** The sample with one mistake: a required property removed, or a value of another type. */
function spoilt(reference: Json | undefined, at: string): readonly Spoilt[] {
  const part = target(reference);
  const whole = sample(part);
  const below = (name: string, inner: readonly Spoilt[]) =>
    inner.map(({ title, value }) => ({
      title,
      value: isList(whole) ? [value] : { ...(whole as Fields), [name]: value },
    }));
  const required = isList(part.required) ? part.required.map(String) : [];
  const mistakes: Spoilt[] = required.map((name) => {
    const { [name]: _removed, ...rest } = whole as Fields;
    return { title: `${at}/${name} removed`, value: rest };
  });
  for (const [name, property] of Object.entries(isFields(part.properties) ? part.properties : {})) {
    mistakes.push(...below(name, spoilt(property, `${at}/${name}`)));
  }
  if (isFields(part.additionalProperties))
    mistakes.push(...below("any", spoilt(part.additionalProperties, `${at}/any`)));
  if (part.items !== undefined) mistakes.push(...below("", spoilt(part.items, `${at}/0`)));
  const types = typesOf(part);
  const others: readonly (readonly [type: string, value: Json])[] = [
    ["object", {}],
    ["array", []],
    ["string", ""],
    ["integer", 0],
    ["boolean", false],
    ["null", null],
  ];
  const isFree = types.length === 0 && part.const === undefined && part.enum === undefined;
  if (isFree) return mistakes;
  const wrong = others.filter(([type]) => !types.includes(type));
  return [...mistakes, ...wrong.map(([type, value]) => ({ title: `${at} of type ${type}`, value }))];
}

test.each([
  ["a plan with every action", everything],
  ["an empty plan", planOf([])],
])("%s is valid", async (_what, plan) => {
  expect(await isValid(JSON.parse(planJson(plan)))).toBe(true);
});

describe("a plan with every property", () => {
  test("is valid", async () => {
    expect(await isValid(sample(schema))).toBe(true);
  });

  const mistakes = spoilt(schema, "");

  test("is refused without a required property, or with a value of another type", async () => {
    expect(mistakes.length).toBeGreaterThan(500);
    const accepted: string[] = [];
    for (const { title, value } of mistakes) if (await isValid(value)) accepted.push(title);
    expect(accepted).toEqual([]);
  });
});

test("additional properties of later versions are allowed everywhere", async () => {
  const more = (value: Json): Json => {
    if (isList(value)) return value.map(more);
    if (!isFields(value)) return value;
    return {
      ...Object.fromEntries(Object.entries(value).map(([name, member]) => [name, more(member)])),
      later: { a: [1] },
    };
  };
  const { operations, ...rest } = JSON.parse(planJson(everything));
  const plain = operations.map((operation: Fields) => ({
    ...(more({ ...operation, query: "" }) as Fields),
    query: {},
  }));
  expect(await isValid({ ...(more(rest) as Fields), operations: plain })).toBe(true);
});

test.each([
  ["a number", 1],
  ["a list", []],
  ["an empty object", {}],
  ["another version", { ...everything, format_version: 2 }],
  ["changes that are no list", { ...everything, changes: {} }],
  ["a change without fields", { ...everything, changes: [{ address: "a/b" }] }],
  ["a summary without counts", { ...everything, summary: {} }],
  ["a summary with a negative count", { ...everything, summary: { ...everything.summary, create: -1 } }],
  ["a summary with a part of a change", { ...everything, summary: { ...everything.summary, create: 0.5 } }],
  ["a summary with more than can be counted", { ...everything, summary: { ...everything.summary, create: 2 ** 60 } }],
  ["an action that does not exist", { ...everything, changes: [{ ...everything.changes[0], action: "replace" }] }],
  ["a method that reads", { ...everything, operations: [{ ...everything.operations[0], method: "GET" }] }],
  ["a query that holds no texts", { ...everything, operations: [{ ...everything.operations[0], query: { a: 1 } }] }],
  [
    "a time that does not exist",
    { ...everything, seal: { ...everything.seal, created_at: "2026-13-21T08:00:00.000Z" } },
  ],
  ["a time in words", { ...everything, seal: { ...everything.seal, created_at: "yesterday" } }],
])("%s is not a plan", async (_what, value) => {
  expect(await isValid(value)).toBe(false);
});

test("a plan nested more deeply than any file is refused", async () => {
  const field = { path: "/name", before: null, after: "deep" };
  const text = JSON.stringify({ ...everything, changes: [{ ...everything.changes[0], fields: [field] }] });
  const nested = (depth: number): Json => JSON.parse(text.replace('"deep"', "[".repeat(depth) + "]".repeat(depth)));
  expect(await validPlan(nested(32))).toBeDefined();
  expect(await validPlan(nested(100_000))).toBeUndefined();
});

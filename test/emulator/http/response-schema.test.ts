import { expect, test } from "vitest";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import { standardDialects } from "../../../src/emulator/dialects.ts";
import {
  bodyInDialect,
  listOf,
  nullable,
  objectSchema,
  present,
  schemaInDialect,
} from "../../../src/emulator/http/response-schema.ts";
import type { SchemaValue } from "../../../src/emulator/http/value-schema.ts";

const part = objectSchema(
  "Part",
  { name: { type: "string" }, note: { type: "string" } },
  { optional: ["note"], fullOnly: ["note"] },
);
const whole = objectSchema("Whole", { id: { type: "integer" }, parts: listOf(part), main: nullable(part) });
const value: SchemaValue<typeof whole> = { id: 1, parts: [{ name: "a", note: "b" }], main: null };

const partial: Dialects = { ...standardDialects, readable: "partial" };
const wrapped: Dialects = { ...standardDialects, envelope: "wrapped" };

test("an object has every property that is not optional, and no others", () => {
  expect(part).toMatchObject({ required: ["name"], additionalProperties: false });
  expect(whole).toMatchObject({ required: ["id", "parts", "main"], additionalProperties: false });
});

test("present takes the properties of the schema in its order, and nothing else", () => {
  const row = { secret: "s", main: null, parts: [], id: 4 };
  expect(JSON.stringify(present(whole, row))).toBe('{"id":4,"parts":[],"main":null}');
  expect(present(part, { name: "a" })).toEqual({ name: "a" });
});

test("a response lacks what its dialect never returns, at every depth", () => {
  expect(bodyInDialect(whole, value, standardDialects)).toEqual(value);
  expect(bodyInDialect(whole, value, partial)).toEqual({ id: 1, parts: [{ name: "a" }], main: null });
  expect(bodyInDialect(whole, { ...value, main: { name: "c", note: "d" } }, partial)).toMatchObject({
    main: { name: "c" },
  });
});

test("the schema of a dialect lacks the same properties, and has the same envelope", () => {
  expect(schemaInDialect(whole, standardDialects)).toBe(whole);
  expect(JSON.stringify(schemaInDialect(whole, partial))).not.toContain("note");
  expect(bodyInDialect(whole, value, wrapped, "whole")).toEqual({ whole: value });
  expect(schemaInDialect(whole, wrapped, "whole")).toMatchObject({
    title: "WholeEnvelope",
    required: ["whole"],
    properties: { whole },
  });
  expect(schemaInDialect(whole, wrapped)).toBe(whole);
});

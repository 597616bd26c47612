import { describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { validateBody } from "../../../src/emulator/http/body-schema.ts";
import { badRequest, HttpError, validationError } from "../../../src/emulator/http/http-error.ts";
import { type BodySchema, nonBlankText, type ValueSchema } from "../../../src/emulator/http/value-schema.ts";

function errors(shape: ValueSchema, value: Json): readonly string[] {
  try {
    validateBody({ type: "object", properties: { value: shape } }, { value });
    return [];
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return (error.errors ?? []).map(({ field, message }) => `${field} ${message}`);
  }
}

const steps: ValueSchema = {
  type: "array",
  minItems: 1,
  maxItems: 2,
  items: { type: "object", properties: { title: nonBlankText }, required: ["title"] },
};

const choice = (kind: string): ValueSchema => ({
  type: "object",
  properties: { kind: { enum: [kind] }, [kind]: { type: "string" } },
  required: ["kind", kind],
});

const alternatives: ValueSchema = { oneOf: [choice("person"), choice("team")] };

const ownWords: ValueSchema = {
  enum: ["a"],
  refusal: (value, field) => (value === "b" ? validationError({ field, message: "is no a" }) : undefined),
};

describe("a body is validated against its schema", () => {
  test.each<[ValueSchema, Json, readonly string[]]>([
    [{ type: "string" }, 1, ["value must be a string"]],
    [{ type: ["string", "null"] }, null, []],
    [{ type: "integer" }, 1.5, ["value must be a whole number"]],
    [{ type: "string", enum: ["a", "b"] }, "c", ["value must be one of a, b"]],
    [nonBlankText, "  ", ["value can't be blank"]],
    [nonBlankText, null, ["value can't be blank"]],
    [{ type: "string", minLength: 1 }, "", ["value can't be empty"]],
    [{ type: ["string", "null"], enum: ["a", "", null] }, "b", ["value must be one of a"]],
    [{ enum: [null] }, "b", ["value must be left out"]],
    [{ type: "array", uniqueItems: true }, [["a"], ["a"]], ['value ["a"] is there twice']],
    [{ type: "array", contains: nonBlankText }, [" "], ["value can't be empty"]],
    [alternatives, { kind: "team", team: "a" }, []],
    [alternatives, { kind: "team" }, ["value.team is missing"]],
    [alternatives, { kind: "person", person: 1 }, ["value.person must be a string"]],
    [
      { type: "object", properties: { a: {} }, additionalProperties: false },
      { b: 1 },
      ["value.b is unknown; allowed: a"],
    ],
    [{ type: "object", additionalProperties: { type: "string" } }, { b: 1 }, ["value.b must be a string"]],
    [ownWords, "b", ["value is no a"]],
    [ownWords, 1, ["value must be one of a"]],
    [{ type: "string", maxLength: 2 }, "abc", ["value is too long (maximum is 2 characters)"]],
    [{ type: "string", maxLength: 2 }, "😀😀", []],
    [{ type: "string", minLength: 2 }, "😀", ["value is too short (minimum is 2 characters)"]],
    [{ type: "string", pattern: "^[a-z]+$" }, "A", ["value is invalid"]],
    [{ type: "string", format: "date-time" }, "tomorrow", ["value is not a valid date-time"]],
    [{ type: "integer", minimum: 1, maximum: 5 }, 6, ["value must be at most 5"]],
    [steps, [], ["value can't be empty"]],
    [steps, [{ title: "" }, {}], ["value[0].title can't be blank", "value[1].title is missing"]],
    [{}, { anything: [1] }, []],
  ])("%j given %j", (shape, value, expected) => {
    expect(errors(shape, value)).toEqual(expected);
  });

  test("a missing required parameter is a bad request", () => {
    const shape: BodySchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const body: Fields = {};
    expect(() => validateBody(shape, body)).toThrow(expect.objectContaining({ status: 400, type: "bad_request" }));
  });

  test("an error of a schema's own words that is about no field is thrown", () => {
    const position: ValueSchema = { type: "integer", refusal: () => badRequest("position is not a whole number") };
    const body = { type: "object", properties: { position, name: { type: "string" } } } as const;
    expect(() => validateBody(body, { name: 1, position: "top" })).toThrow(expect.objectContaining({ status: 400 }));
    const needed: BodySchema = { ...body, required: ["position"] };
    expect(() => validateBody(needed, {})).toThrow("position is not a whole number");
  });
});

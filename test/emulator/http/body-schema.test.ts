import { describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { validateBody } from "../../../src/emulator/http/body-schema.ts";
import { HttpError } from "../../../src/emulator/http/http-error.ts";
import type { BodySchema, ValueSchema } from "../../../src/emulator/http/value-schema.ts";

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
  items: { type: "object", properties: { title: { type: "string", minLength: 1 } }, required: ["title"] },
};

describe("a body is validated against its schema", () => {
  test.each<[ValueSchema, Json, readonly string[]]>([
    [{ type: "string" }, 1, ["value must be a string"]],
    [{ type: ["string", "null"] }, null, []],
    [{ type: "integer" }, 1.5, ["value must be a whole number"]],
    [{ type: "string", enum: ["a", "b"] }, "c", ["value must be one of a, b"]],
    [{ type: "string", minLength: 1 }, "  ", ["value can't be blank"]],
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
});

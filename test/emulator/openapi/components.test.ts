import { expect, test } from "vitest";
import { objectSchema } from "../../../src/emulator/http/response-schema.ts";
import { SchemaComponents } from "../../../src/emulator/openapi/components.ts";

test("a schema with a title is there once, and equal ones may share it", () => {
  const components = new SchemaComponents();
  const part = objectSchema("Part", { name: { type: "string" } });
  expect(components.add(objectSchema("Whole", { left: part, right: { ...part } }))).toEqual({
    $ref: "#/components/schemas/Whole",
  });
  expect(Object.keys(components.all)).toEqual(["Part", "Whole"]);
  expect(components.all.Whole).toMatchObject({ properties: { left: { $ref: "#/components/schemas/Part" } } });
});

test("two schemas of one title are an error", () => {
  const components = new SchemaComponents();
  components.add(objectSchema("Part", { name: { type: "string" } }));
  expect(() => components.add(objectSchema("Part", { name: { type: "integer" } }))).toThrow(
    "two schemas have the title Part",
  );
});

test("an object without named properties may have any", () => {
  expect(new SchemaComponents().add({ type: ["object", "null"] })).toEqual({
    type: ["object", "null"],
    additionalProperties: {},
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withHints } from "../../../src/config/schema/editor-hints.ts";
import { overlaySchema } from "../../../src/config/schema/overlay-schema.ts";
import { kindSchema, moduleSchema, workspaceSchema } from "../../../src/config/schema/schema.ts";
import { settingsForEditors } from "../../../src/config/schema/settings-schema.ts";
import { type Fields, isFields, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";

const schemas: readonly (readonly [string, Fields])[] = [
  ["workspace", workspaceSchema(kinds)],
  ["overlay", overlaySchema(kinds)],
  ["settings", settingsForEditors(kinds)],
  ["routing_tests", withHints(moduleSchema("routing-tests"), "routing_tests")],
  ...kinds.map(({ name }) => [name, kindSchema(kinds, name) ?? {}] as const),
];

/** Every mapping in a schema. */
function partsOf(value: Json | undefined): readonly Fields[] {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  return isFields(value) ? [value, ...Object.values(value).flatMap(partsOf)] : [];
}

test.each(schemas)("the schema %s has an id, and says in editors what the program says", (name, schema) => {
  expect(schema.$id).toBe(`urn:incidentctl:schema:${name}:1`);
  const rules = partsOf(schema).filter(
    ({ pattern, $comment }) => typeof pattern === "string" && typeof $comment === "string",
  );
  for (const { $comment, patternErrorMessage } of rules) expect($comment).toContain(`: ${patternErrorMessage}`);
  const defaults = partsOf(schema).filter(({ description }) =>
    /Default: (?:true|generic|disable)/.test(String(description)),
  );
  for (const part of defaults) expect(part.default, String(part.description)).toBeDefined();
});

test("each file of a schema has an id of its own", () => {
  const folder = new URL("../../../schemas/", import.meta.url);
  const files = readdirSync(folder).filter(
    (file) => file.endsWith(".json") && !/(?:\.schema|openapi)\.json$/.test(file),
  );
  const ids = files.map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")).$id);
  expect(new Set(ids).size).toBe(files.length);
  for (const id of ids) expect(id).toMatch(/^urn:incidentctl:schema:[a-z-]+:1$/);
});

test("known values are suggested and others are allowed", () => {
  const schema = JSON.stringify(kindSchema(kinds, "webhooks"));
  expect(schema).toContain('"examples":["incident.created"');
  expect(schema).not.toContain('"enum":["incident.created"');
  expect(JSON.stringify(kindSchema(kinds, "grants"))).toContain('"examples":["severities.read"');
});

test("defaults have the types of their fields", () => {
  const described = (description: string) => ({ $schema: "s", properties: { a: { description } } });
  const defaultOf = (description: string): Json | undefined =>
    partsOf(withHints(described(description), "x")).find((part) => part.description === description)?.default;
  expect(defaultOf("Default: true, so it is on.")).toBe(true);
  expect(defaultOf("Default: false.")).toBe(false);
  expect(defaultOf("Default: generic. It stays.")).toBe("generic");
  expect(defaultOf("Default: 1,000. More are not read.")).toBe(1000);
  expect(defaultOf("Default: derived from the type.")).toBeUndefined();
  expect(defaultOf("Default: 30%, or 3.")).toBeUndefined();
});

test("an attribute of an entry may be null, since that takes away what a source makes", () => {
  const attributes = partsOf(kindSchema(kinds, "catalog_entries")).find(
    ({ additionalProperties }) => isFields(additionalProperties) && String(additionalProperties.type).includes("null"),
  );
  expect(JSON.stringify(attributes?.additionalProperties)).toContain("null takes away the value that a source makes");
});

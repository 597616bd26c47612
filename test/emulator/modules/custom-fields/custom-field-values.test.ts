import { afterEach, beforeEach, expect, test } from "vitest";
import type { Json } from "../../../../src/core/json.ts";
import { catalogEntries } from "../../../../src/emulator/modules/catalog/catalog-tables.ts";
import {
  type CustomFieldRow,
  customFieldOptions,
  customFieldTable,
} from "../../../../src/emulator/modules/custom-fields/custom-field-tables.ts";
import {
  chosenIds,
  type FieldValue,
  readFieldValue,
  serializeFieldValue,
} from "../../../../src/emulator/modules/custom-fields/custom-field-values.ts";
import { Database } from "../../../../src/emulator/store/database.ts";

let database: Database;
beforeEach(() => {
  database = new Database(undefined, [customFieldTable, customFieldOptions, catalogEntries]);
  database.insert(
    customFieldOptions,
    { id: "o1", field_id: "f", label: "EU", position: 1 },
    { id: "o2", field_id: "f", label: "US", position: 2 },
  );
  const entry = { type_id: "t", source: null, external_id: null, attributes: {} };
  database.insert(catalogEntries, { ...entry, id: "e1", name: "Web Shop", slug: "web_shop" });
});
afterEach(() => database.close());

function field(field_type: CustomFieldRow["field_type"]): CustomFieldRow {
  const isCatalog = field_type.startsWith("catalog");
  const option_source = isCatalog ? "catalog" : field_type.endsWith("select") ? "fixed" : "none";
  const catalog_type_id = isCatalog ? "t" : null;
  return { id: "f", name: "F", slug: "f", description: null, field_type, option_source, catalog_type_id };
}

test.each<[CustomFieldRow["field_type"], Json, FieldValue | null, Json]>([
  ["text", "a", "a", "a"],
  ["text", "  ", null, null],
  ["number", 4.5, 4.5, 4.5],
  ["number", " -3 ", -3, -3],
  ["link", "https://example.com/a", "https://example.com/a", "https://example.com/a"],
  ["single_select", "EU", "o1", "EU"],
  ["single_select", "o2", "o2", "US"],
  ["single_select", null, null, null],
  ["multi_select", ["US", "EU", "US"], ["o2", "o1"], ["US", "EU"]],
  ["multi_select", "US", ["o2"], ["US"]],
  ["multi_select", [], null, null],
  ["catalog_reference", "web_shop", "e1", "Web Shop"],
  ["catalog_multi_reference", ["Web Shop"], ["e1"], ["Web Shop"]],
])("a %s with %j is stored as %j and returned as %j", (type, sent, remaining, visible) => {
  expect(readFieldValue(database, field(type), sent)).toEqual({ value: remaining });
  expect(remaining === null ? null : serializeFieldValue(database, field(type), remaining)).toEqual(visible);
});

test.each<[CustomFieldRow["field_type"], Json, string]>([
  ["text", [], "must be text"],
  ["link", [], "must be text"],
  ["number", [], "must be a number"],
  ["single_select", [], "takes one choice"],
  ["catalog_reference", [], "takes one choice"],
  ["text", 4, "must be text"],
  ["number", "four", "must be a number"],
  ["number", "0x10", "must be a number"],
  ["link", "example.com", "must be an http(s) link"],
  ["link", "javascript:alert(1)", "must be an http(s) link"],
  ["single_select", "eu", "must be one of EU, US"],
  ["single_select", ["EU"], "takes one choice"],
  ["multi_select", ["EU", 4], "must be one of EU, US"],
  ["catalog_reference", "shop", "must be one of Web Shop"],
])("a %s with %j %s", (type, sent, message) => {
  expect(readFieldValue(database, field(type), sent)).toEqual({ message });
});

test("a removed choice is returned by its id", () => {
  expect(serializeFieldValue(database, field("multi_select"), ["o1", "gone"])).toEqual(["EU", "gone"]);
});

test.each<[Json, readonly string[]]>([
  ["o1", ["o1"]],
  [
    ["o1", "o2"],
    ["o1", "o2"],
  ],
  [4, []],
  [null, []],
])("the ids chosen by %j are %j", (value, ids) => {
  expect(chosenIds(value)).toEqual(ids);
});

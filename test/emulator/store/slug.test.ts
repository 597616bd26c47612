import { expect, test } from "vitest";
import { standardDialects } from "../../../src/emulator/dialects.ts";
import { newSlug, optionSlug, wordSlug } from "../../../src/emulator/store/slug.ts";

test.each([
  ["Database read-only", "database_read_only"],
  ["  SEV 1!  ", "sev_1"],
  ["Ärger & Öl", "arger_ol"],
  ["Straße", "strasse"],
  ["日本", ""],
])("an option list derives from %j the slug %j", (name, slug) => {
  expect(optionSlug(name)).toBe(slug);
});

test.each([
  ["Read-only DB", "readonly_db"],
  [" Affected   service ", "affected_service"],
  ["Größe", "gre"],
])("the other resources derive from %j the slug %j", (name, slug) => {
  expect(wordSlug(name)).toBe(slug);
});

test.each([
  ["derive", "mine", "name"],
  ["accept", "mine", "mine"],
  ["accept", "Not valid", "name"],
  ["accept", undefined, "name"],
] as const)("under the dialect slug: %s a sent slug of %j gives %j", (slug, sent, expected) => {
  expect(newSlug("Name", optionSlug, sent, { ...standardDialects, slug })).toBe(expected);
});

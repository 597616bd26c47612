/** What editors say of overlays and settings: as much as may be written, and nothing that is misspelt. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { overlaySchema } from "../../../src/config/schema/overlay-schema.ts";
import { settingsSchema } from "../../../src/config/schema/settings-schema.ts";
import { violationsBy } from "../../../src/config/schema/validator.ts";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { compiled } from "../../support/schemas/compiled-schema.ts";

const read = (file: string): Fields =>
  parse(readFileSync(new URL(`../../../examples/${file}.yaml`, import.meta.url), "utf8"));
const schema = compiled(overlaySchema(kinds));
const verdict = (value: Json): readonly string[] => [
  ...new Set(violationsBy(schema, value).map(({ pointer }) => pointer)),
];

const rooms = [...new Set(kinds.map(({ module: room }) => room))];

/** The entry once for each of its fields, with its identity and that field alone. */
function parts(entry: Fields, keys: readonly string[]): readonly Fields[] {
  const identity = Object.fromEntries(Object.entries(entry).filter(([name]) => keys.includes(name)));
  return Object.entries(entry).map(([name, value]) => ({ ...identity, [name]: value }));
}

describe("the schema of overlays", () => {
  test.each(rooms)("takes the example of %s, whole and in any part", (room) => {
    const example = read(room);
    expect(verdict(example)).toEqual([]);
    for (const [name, list] of Object.entries(example)) {
      const key = kinds.find((kind) => kind.name === name)?.identity.keys ?? [];
      if (!isList(list) || key.length === 0) continue;
      for (const part of list.flatMap((entry) => (isFields(entry) ? parts(entry, key) : []))) {
        expect(verdict({ [name]: [part] }), JSON.stringify(part)).toEqual([]);
      }
    }
  });

  test.each<[string, Fields]>([
    ["entries that go", { webhooks: [{ name: "status page", $remove: true }] }],
    ["entries with a place", { severities: [{ slug: "drill", name: "Drill", $after: "critical" }] }],
    ["values that go", { api_keys: [{ name: "bot", permissions: { incidents: { $remove: true } } }] }],
    ["entries within entries", { catalog_types: [{ slug: "a", entries: [{ slug: "b", $remove: true }] }] }],
    ["substitutions", { severities: [{ slug: "a", enabled: `\${var:on}` }] }],
  ])("takes %s", (_, overlay) => {
    expect(verdict(overlay)).toEqual([]);
  });

  test.each<[string, Fields, string]>([
    ["an unknown kind", { severites: [] }, ""],
    ["an unknown field", { severities: [{ slug: "a", nmae: "A" }] }, "/severities/0"],
    ["an unknown mark", { severities: [{ slug: "a", $remve: true }] }, "/severities/0"],
    ["an entry without its identity", { severities: [{ name: "A" }] }, "/severities/0"],
    ["a mark that says no", { severities: [{ slug: "a", $remove: false }] }, "/severities/0/$remove"],
    [
      "a mark on a rule, which is its place",
      { routing_rules: { workspace: [{ $remove: true }] } },
      "/routing_rules/workspace/0",
    ],
    [
      "a field of an entry within an entry",
      { catalog_types: [{ slug: "a", entries: [{ slug: "b", x: 1 }] }] },
      "/catalog_types/0/entries/0",
    ],
  ])("refuses %s", (_, overlay, place) => {
    expect(verdict(overlay)).toContain(place);
  });
});

test("the schema of settings takes those of the example, and no key that is misspelt", () => {
  const settings = compiled(settingsSchema(kinds));
  expect(violationsBy(settings, read("incidentctl"))).toEqual([]);
  expect(violationsBy(settings, { version: 1, protect: [] })).not.toEqual([]);
});

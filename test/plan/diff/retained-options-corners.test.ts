/** What stays in a list where little differs from what would go: who holds it, who manages those, and what is said of it. */

import { describe, expect, test } from "vitest";
import { admits } from "../../../src/config/resources/configuration.ts";
import type { Fields } from "../../../src/core/json.ts";
import { hashValue } from "../../../src/workspace/match/last-applied.ts";
import { type PlanInput, planned, requests } from "../../support/plans/make-plan.ts";

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });
const warnings = (document: Fields, given: PlanInput): readonly string[] =>
  planned(document, given).warnings.map(({ message }) => message);

describe("an undeclared option", () => {
  const region = (options: Fields[string]): Fields => ({
    custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options }],
  });
  const options = ["EU", "US", "MEA"].map((label) => ({ id: label, label }));
  const live = { custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options }] };
  const chosen = { region: { US: 1 } };

  test("stays because it is in use, also if the service refused to remove it", () => {
    const lock = { "custom_fields/region#options?refused": hashValue(["EU", "MEA"]) };
    expect(warnings(region(["EU", "MEA"]), { live, chosen, lastApplied: { hashes: lock, resend: false } })).toEqual([
      'custom_fields/region: option "US" is not in the configuration but stays: used by 1 incident',
    ]);
  });

  test("keeps its position beside options that are only labels", () => {
    const labels = [{ label: "EU" }, { label: "MEA" }];
    expect(requests(region(labels), { live, chosen })).toEqual([]);
  });
});

describe("an undeclared attribute", () => {
  const text = (name: string): Fields => ({ name, attribute_type: "text" });
  const entry = (slug: string, more: Fields = {}): Fields => named(slug, { attributes: { room: "1" }, ...more });

  test("stays if the files manage only another list of the same name", () => {
    const live = {
      catalog_types: [named("declare", { attributes: [text("Floor"), text("Room")] })],
      "catalog_entries declare": [entry("r1")],
      "forms declare": [],
    };
    const document = {
      catalog_types: [{ slug: "declare", attributes: [text("Floor")] }],
      forms: { declare: [] },
    };
    expect(requests(document, { live })).toEqual([]);
    expect(warnings(document, { live })).toHaveLength(1);
  });

  test("stays because of the entries that stay; deleted ones are not counted", () => {
    const beside = { name: "Beside", attribute_type: "reference", reference_type: "rack" };
    const live = {
      catalog_types: [
        named("rack", { attributes: [text("Floor"), text("Room")] }),
        named("hall", { attributes: [beside] }),
      ],
      "catalog_entries rack": [entry("r1"), entry("r2")],
      "catalog_entries hall": [named("h1", { references: [{ key: "beside", target_entry_id: "entry-r1" }] })],
    };
    const document = { catalog_types: [{ slug: "rack", attributes: [text("Floor")], entries: [] }, { slug: "hall" }] };
    expect(warnings(document, { live })).toContain(
      'catalog_types/rack: "Room" is not in the configuration but stays: 1 entry holds a value of it',
    );
    expect(requests(document, { live })).toEqual(["DELETE /catalog/entries/entry-r2"]);
  });
});

describe("an undeclared resource that this run preserves", () => {
  const keep = (kind: string): NonNullable<PlanInput["settings"]> => ({
    removal: { default: "disable_or_delete", kinds: { [kind]: "keep" } },
  });

  test("still references its targets", () => {
    const condition = { condition_field: "severity", operator: "one_of", values: ["minor"] };
    const live = {
      severities: [named("major"), named("minor")],
      runbooks: [named("a", { conditions: [condition] })],
    };
    const document = { severities: [{ slug: "major" }], runbooks: [] };
    const reasons = (settings: NonNullable<PlanInput["settings"]>) =>
      planned(document, { live, settings }).changes.map(({ action, reason }) => `${action}: ${reason}`);
    expect(reasons(keep("runbooks"))).toEqual(["disable: not in the configuration; used by runbooks/a"]);
    expect(reasons(keep("webhooks"))).toEqual([
      "delete: not in the configuration",
      "delete: not in the configuration; unknown which incidents use it; it stays if any does",
    ]);
  });

  const options = ["EU", "US"].map((label) => ({ id: label, label }));
  const condition = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["US"] };
  const region = { slug: "region", name: "Region", field_type: "single_select" };
  const asking = {
    custom_fields: [{ ...region, options }],
    runbooks: [named("a", { conditions: [condition] })],
  };
  const document = { custom_fields: [{ ...region, options: ["EU"] }], runbooks: [] };

  test("still references an option", () => {
    expect(requests(document, { live: asking, settings: keep("runbooks") })).toEqual([]);
    expect(requests(document, { live: asking })).toEqual([
      "DELETE /runbooks/a",
      'PATCH /custom_fields/region {"options":["EU"]}',
    ]);
  });

  test("still references it if the run may not change it", () => {
    const reach = { targets: ["custom_fields/region"], excludes: [] };
    const only = (address: string): boolean => admits(reach, address);
    expect(requests(document, { live: asking, reach, only })).toEqual([]);
  });

  test("still holds a value of an attribute", () => {
    const text = (name: string): Fields => ({ name, attribute_type: "text" });
    const live = {
      catalog_types: [named("rack", { attributes: [text("Floor"), text("Room")] })],
      "catalog_entries rack": [named("r1", { attributes: { room: "1" } })],
    };
    const lists = { catalog_types: [{ slug: "rack", attributes: [text("Floor")], entries: [] }] };
    expect(requests(lists, { live, settings: keep("catalog_entries") })).toEqual([]);
    expect(warnings(lists, { live, settings: keep("catalog_entries") })).toHaveLength(1);
  });
});

/** What is looked at right before a request: the row by what identifies it, and what of it must still be as it was. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { Precondition } from "../../../src/plan/model/plan.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

/** The guards of a plan, by method and address. */
function guards(document: Fields, live: PlanInput["live"] = {}): Readonly<Record<string, Precondition | undefined>> {
  const { operations } = planned(document, { live });
  return Object.fromEntries(operations.map(({ method, address, guard }) => [`${method} ${address}`, guard]));
}

const held = (guard: Precondition | undefined): readonly string[] => Object.keys(guard?.held ?? {}).sort();
const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });

test("a row is identified by the fields that it has", () => {
  const found = guards({ runbooks: [] }, { runbooks: [{ id: "r1", slug: null, name: "Nameless" }] });
  expect(Object.values(found).map((guard) => guard?.row)).toEqual([{ id: "r1" }]);
});

test("the preconditions of a list share one list request", () => {
  const entries = [named("a"), named("b"), named("c")];
  const [first, ...others] = Object.values(guards({ severities: entries })).flatMap((guard) => guard ?? []);
  expect(others).toHaveLength(2);
  for (const { query, identity } of others) {
    expect(query).toBe(first?.query);
    expect(identity).toBe(first?.identity);
  }
});

test("a row has the name of a new resource only if all parts of the name match", () => {
  const region = named("region", { field_type: "text" });
  const document = { forms: { declare: [{ custom_field: "region", required: true }] } };
  const other = { id: "f1", slug: "region", source: "system", system_field: "region" };
  const [guard] = Object.values(guards(document, { custom_fields: [region], "forms declare": [other] }));
  expect(guard?.names).toEqual([{ custom_field: "region" }, { slug: "region", source: "custom" }]);
  expect(guard?.known).toBeUndefined();
});

test("ids that a row may tell instead of names are those of what is mentioned, where they are others", () => {
  const field = (slug: string): Fields =>
    named(slug, { field_type: "single_select", options: [{ id: `${slug}-eu`, label: "EU" }] });
  const conditions = [
    { condition_field: "severity", operator: "one_of", values: ["major", "minor"] },
    { condition_field: "custom_field", custom_field: "zone", operator: "one_of", values: ["EU"] },
  ];
  const found = guards(
    { runbooks: [named("a", { conditions })] },
    {
      severities: [named("major", { id: "major" }), named("minor", { id: "s2" })],
      custom_fields: [field("region"), field("zone")],
    },
  );
  expect(found["POST runbooks/a"]?.ids).toEqual({ minor: "s2", EU: "zone-eu", zone: "custom_field-zone" });
});

test("values of a removed attribute are not checked", () => {
  const text = (name: string): Fields => ({ name, attribute_type: "text" });
  const live = {
    catalog_types: [named("rack", { attribute_definitions: [text("Floor"), text("Room")] })],
    "catalog_entries rack": [named("r1", { attributes: { floor: "3", room: "7" }, references: [] })],
  };
  const entries = [named("r1", { name: "New" })];
  const whole = guards({ catalog_types: [{ slug: "rack", entries }] }, live);
  const less = guards({ catalog_types: [{ slug: "rack", attributes: [text("Floor")], entries }] }, live);
  const address = "PATCH catalog_types/rack/entries/r1";
  expect(held(whole[address])).toEqual(["attributes", "name", "references", "slug"]);
  expect(held(less[address])).toEqual(["name", "slug"]);
});

test("a type whose entries change is told in other words: what mentions it is held by its name alone", () => {
  const live = {
    catalog_types: [named("rack"), named("hall")],
    "catalog_entries rack": [],
    custom_fields: [
      named("where", { field_type: "catalog_reference", option_source: "catalog", catalog_type: "rack" }),
    ],
  };
  const custom_fields = [{ slug: "where", name: "Where", catalog_type: "rack" }];
  const still = guards({ custom_fields }, live);
  expect(held(still["PATCH custom_fields/where"])).toEqual(["catalog_type", "name"]);
  const moving = guards(
    { catalog_types: [{ slug: "rack", entries: [named("r1")] }, { slug: "hall" }], custom_fields },
    live,
  );
  expect(held(moving["PATCH custom_fields/where"])).toEqual([]);
});

test("a body that clears a field is searched for references as well", () => {
  const live = { custom_fields: [named("note", { field_type: "text", option_source: "none", description: "Old." })] };
  const found = guards({ custom_fields: [{ slug: "note", description: null }] }, live);
  expect(held(found["PATCH custom_fields/note"])).toEqual(["description", "name"]);
});

test("the first rule added to a list expects the rules that were read, and no others", () => {
  const rule = (channel: string): Fields => ({
    conditions: [],
    outcome: { action: "notify_only", notify: { type: "channel", channel_id: channel } },
  });
  const live = { "routing_rules ": [{ id: "r1", priority: 1, enabled: true, ...rule("C1") }] };
  const found = guards({ routing_rules: { workspace: ["C1", "C2", "C3"].map(rule) } }, live);
  expect(found["POST routing_rules/workspace/2"]?.known).toEqual([{ id: "r1", priority: 1 }]);
  expect(found["POST routing_rules/workspace/3"]?.known).toBeUndefined();
  const none = guards({ routing_rules: { workspace: [rule("C1")] } }, { "routing_rules ": [] });
  expect(none["POST routing_rules/workspace/1"]?.known).toEqual([]);
});

test("the rules of a source that is still to be created are unknown", () => {
  const rules = { Metrics: [{ outcome: { action: "drop" } }] };
  const document = { alert_sources: [{ name: "Metrics", provider: "datadog" }], routing_rules: { sources: rules } };
  const found = guards(document, { alert_sources: [] });
  expect(found["POST routing_rules/Metrics/1"]).toBeDefined();
  expect(found["POST routing_rules/Metrics/1"]?.known).toBeUndefined();
});

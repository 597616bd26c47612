/** Writes that the service accepts, beside those that it refuses: a plan must not refuse them. */

import { expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { serviceFor } from "../support/service/test-service.ts";

const region: Fields = { slug: "region", name: "Region", field_type: "single_select", options: ["EU", "US"] };
const onRegion: Fields = {
  condition_field: "custom_field",
  custom_field: "region",
  operator: "one_of",
  values: ["EU"],
};

/** Applies the documents one after another; returns the paths of the last one's writes and of its reads. */
async function paths(first: Fields, ...others: readonly Fields[]) {
  const service = serviceFor();
  await service.converge(first);
  for (const document of others.slice(0, -1)) await service.converge(document);
  service.forget();
  const plan = await service.converge(others.at(-1) ?? first);
  const reads = service.seen.filter(({ method }) => method === "GET").map(({ url }) => url);
  await service.emulator.close();
  return { writes: plan.operations.map(({ method, path }) => `${method} ${path.replace("/api/v1", "")}`), reads };
}

test("a condition reads a field that only the workspace has on an earlier form", async () => {
  const { writes } = await paths(
    { custom_fields: [region], forms: { declare: [{ custom_field: "region", visible: true }] } },
    { forms: { resolve: [{ system_field: "summary", conditions: [onRegion] }] } },
  );
  expect(writes).toEqual(["PATCH /forms/resolve"]);
});

test("a condition on a field of a declared form takes no further reads", async () => {
  const declared = { custom_fields: [region], forms: { declare: [{ custom_field: "region", visible: true }] } };
  const { reads } = await paths(declared, {
    ...declared,
    forms: { ...declared.forms, resolve: [{ system_field: "summary", conditions: [onRegion] }] },
  });
  expect(reads.filter((url) => url.startsWith("/forms/update"))).toEqual([]);
});

test("a condition on a severity that was disabled since stays, and one that the plan enables can be written", async () => {
  const condition = { condition_field: "severity", operator: "one_of", values: ["major"] };
  const forms = { declare: [{ system_field: "summary", conditions: [condition] }] };
  const disabled = { severities: [{ slug: "major", enabled: false }, { slug: "minor" }, { slug: "critical" }] };
  const enabled = { severities: [{ slug: "major" }, { slug: "minor" }, { slug: "critical" }] };
  expect((await paths({ forms }, { ...disabled, forms }, { ...disabled, forms })).writes).toEqual([]);
  expect((await paths(disabled, { ...enabled, forms })).writes).toHaveLength(2);
  // The condition is written before the severity is disabled.
  expect((await paths({}, { ...disabled, forms })).writes).toEqual(
    expect.arrayContaining(["PATCH /forms/declare", "PATCH /severities/major"]),
  );
});

test("an entry is renamed that keeps the value of a required attribute without declaring it", async () => {
  const type = (entry: Fields): Fields => ({
    catalog_types: [
      {
        slug: "rail",
        name: "Rail",
        attributes: [{ name: "Size", attribute_type: "number", required: true }],
        entries: [{ slug: "cards", ...entry }],
      },
    ],
  });
  const { writes } = await paths(type({ name: "Cards", attributes: { size: 3 } }), type({ name: "Card payments" }));
  expect(writes).toHaveLength(1);
});

test("a select with a catalog type takes its options from the catalog, also a live one with options of its own", async () => {
  const document = { custom_fields: [{ slug: "region", catalog_type: "team" }] };
  expect((await paths({ custom_fields: [region] }, document)).writes).toEqual(["PATCH /custom_fields/region"]);
});

test("the type of a field changes that no incident has a value of", async () => {
  const document = { custom_fields: [{ slug: "region", field_type: "multi_select" }] };
  expect((await paths({ custom_fields: [region] }, document)).writes).toEqual(["PATCH /custom_fields/region"]);
});

test("a grant that has ended stays, and can be changed to a later end", async () => {
  const grant = (expires_at: string): Fields => ({
    agents: [{ slug: "bot", name: "Bot", grants: [{ ability: "runbooks.read", expires_at }] }],
  });
  const future = new Date(Date.now() + 86_400_000).toISOString();
  const later = new Date(Date.now() + 172_800_000).toISOString();
  expect((await paths(grant(future), grant(future))).writes).toEqual([]);
  expect((await paths(grant(future), grant(later))).writes).toHaveLength(1);
});

test("a label of 75 characters is accepted that take two units each in UTF-16", async () => {
  const label = "🚒".repeat(75);
  expect((await paths({}, { custom_fields: [{ ...region, options: [label] }] })).writes).toHaveLength(1);
});

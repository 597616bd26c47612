/** References that only the workspace knows: nothing that is in use may be deleted, and nothing that can be done may be refused. */

import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { equalConditions } from "../../src/kinds/values/conditions.ts";
import { configured } from "../support/plans/configuration.ts";
import { serviceFor } from "../support/service/test-service.ts";

const severity = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });

/** One line for each change. */
function lines({ changes }: { readonly changes: readonly { readonly action: string; readonly address: string }[] }) {
  return changes.map(({ action, address }) => `${action} ${address}`);
}

describe("catalog entries", () => {
  const system = (name: string): Fields => ({
    slug: "system",
    name: "System",
    attributes: [{ slug: "owner", name: "Owner", attribute_type: "reference", reference_type: "squad" }],
    entries: [{ slug: "web", name, attributes: { owner: "red" } }],
  });

  test("one that references a type whose entries are not managed can be changed", async () => {
    const service = serviceFor();
    await service.converge({
      catalog_types: [{ slug: "squad", name: "Squad", entries: [{ slug: "red", name: "Red" }] }, system("Web")],
    });
    const { attributes: _, ...rest } = system("Website") as { attributes: unknown };
    const plan = await service.converge({
      catalog_types: [
        { slug: "squad", name: "Squad" },
        { ...rest, entries: [{ slug: "web", name: "Website" }] } as Fields,
      ],
    });
    expect(lines(plan)).toEqual(["update catalog_types/system/entries/web"]);
  });

  test("one that a live form's condition names is not deleted, though the configuration declares neither form nor field", async () => {
    const service = serviceFor();
    await service.converge({
      catalog_types: [
        {
          slug: "squad",
          name: "Squad",
          entries: [
            { slug: "red", name: "Red" },
            { slug: "blue", name: "Blue" },
          ],
        },
      ],
      custom_fields: [
        { slug: "owner", name: "Owner", field_type: "single_select", option_source: "catalog", catalog_type: "squad" },
      ],
      forms: {
        declare: [
          { custom_field: "owner", visible: true },
          {
            system_field: "summary",
            visible: true,
            conditions: [
              { condition_field: "custom_field", custom_field: "owner", operator: "one_of", values: ["red"] },
            ],
          },
        ],
      },
    });
    const plan = await service.plan({
      catalog_types: [{ slug: "squad", name: "Squad", entries: [{ slug: "blue", name: "Blue" }] }],
    });
    expect(lines(plan)).not.toContain("delete catalog_types/squad/entries/red");
  });

  test("an environment that a live grant is limited to is not deleted", async () => {
    const service = serviceFor();
    const environments = (...slugs: readonly string[]): Fields => ({
      slug: "environment",
      entries: slugs.map((slug) => ({ slug, name: slug })),
    });
    await service.converge({
      catalog_types: [environments("production", "staging")],
      agents: [{ slug: "bot", name: "bot", grants: [{ ability: "incidents.read", environments: ["production"] }] }],
    });
    const plan = await service.plan({ catalog_types: [environments("staging")] });
    expect(lines(plan)).not.toContain("delete catalog_types/environment/entries/production");
  });
});

describe("renamed alert sources", () => {
  const live: Fields = {
    severities: [severity("a", { default: true }), severity("b")],
    catalog_types: [{ slug: "team", entries: [{ slug: "red", name: "Red" }] }],
    alert_sources: [{ name: "Old", provider: "generic" }],
    routing_rules: {
      sources: {
        Old: [
          {
            name: "one",
            conditions: [{ field: "title", operator: "contains", value: "x" }],
            outcome: { action: "auto_create_incident", severity: "b", invite: [{ type: "team", team: "red" }] },
          },
        ],
      },
    },
  };

  test("what the rules of one reference is not deleted when the source is renamed in the same plan", async () => {
    const service = serviceFor();
    await service.converge(live);
    const plan = await service.plan({
      severities: [{ slug: "a" }],
      catalog_types: [{ slug: "team", entries: [] }],
      alert_sources: [{ name: "New", renamed_from: "Old" }],
    });
    expect(lines(plan)).not.toContain("delete severities/b");
    expect(lines(plan)).not.toContain("delete catalog_types/team/entries/red");
  });

  test("one is renamed and disabled at once, with changed rules", async () => {
    const service = serviceFor();
    await service.converge(live);
    const rule = (value: string): Fields => ({
      name: value,
      conditions: [{ field: "title", operator: "contains", value }],
      outcome: { action: "drop" },
    });
    await service.converge({
      alert_sources: [{ name: "New", renamed_from: "Old", enabled: false }],
      routing_rules: { sources: { New: [rule("y"), rule("z")] } },
    });
  });
});

test("the last enabled status of a stage is replaced by a listed one that was disabled", async () => {
  const service = serviceFor();
  const status = (slug: string, lifecycle_stage: string, more: Fields = {}): Fields => ({
    slug,
    name: slug,
    lifecycle_stage,
    ...more,
  });
  const others = [status("open", "triage", { default: true }), status("work", "active"), status("void", "canceled")];
  await service.converge({
    statuses: [...others, status("done", "closed"), status("fixed", "closed", { enabled: false })],
  });
  const plan = await service.converge({ statuses: [...others, { slug: "fixed" }] });
  expect(plan.blocked).toEqual([]);
});

test("a list of one for a reference is the reference", async () => {
  const service = serviceFor();
  const document: Fields = {
    catalog_types: [
      { slug: "squad", name: "Squad", entries: [{ slug: "red", name: "Red" }] },
      {
        slug: "system",
        name: "System",
        attributes: [{ slug: "owner", name: "Owner", attribute_type: "reference", reference_type: "squad" }],
        entries: [{ slug: "web", name: "Web", attributes: { owner: ["red"] } }],
      },
    ],
  };
  await service.converge(document);
  expect(lines(await service.plan(document))).toEqual([]);
});

test("a name from the environment that does not derive the declared slug is set after the creation", async () => {
  const service = serviceFor();
  const configuration = configured({ incident_types: [{ slug: "outage", name: "Big trouble" }] });
  const declared = configuration.declared.map((resource) => ({ ...resource, secrets: ["/name"] }));
  const plan = await service.planFor({ ...configuration, declared });
  const own = plan.operations.filter(({ address }) => address === "incident_types/outage");
  expect(own.map(({ method, body }) => [method, body])).toEqual([
    ["POST", { name: "outage", position: 1 }],
    ["PATCH", { name: "(known after apply)" }],
  ]);
});

test("two equal declared conditions are not two different live ones", () => {
  const condition = (...values: readonly string[]): Fields => ({
    condition_field: "severity",
    operator: "not_one_of",
    values,
  });
  expect(equalConditions([condition("a", "b"), condition("b")], [condition("b"), condition("b")])).toBe(false);
  expect(equalConditions([condition("a", "b"), condition("b")], [condition("b"), condition("b", "a")])).toBe(true);
});

describe("values of a catalog type that only the service defines", () => {
  const entry = (attributes: Fields): Fields => ({
    catalog_types: [{ slug: "rack", entries: [{ slug: "one", name: "One", attributes }] }],
  });
  const live: Fields = {
    catalog_types: [
      {
        slug: "rack",
        name: "Rack",
        attributes: [
          { name: "Tier", attribute_type: "select", options: ["gold", "tin"], required: true },
          { name: "Units", attribute_type: "number" },
        ],
        entries: [],
      },
    ],
  };

  test.each([
    ["an unknown attribute", { tier: "gold", team: "web" }, 'the catalog type rack has no attribute "team"'],
    ["a wrong choice", { tier: "1" }, 'the attribute "tier" cannot be "1"'],
    ["a wrong type", { tier: "tin", units: "many" }, 'the attribute "units" of type number must be a number'],
    ["a missing required attribute", { units: 3 }, 'the attribute "tier" is required and has no value'],
  ])("%s is an error of the plan", async (_title, attributes, message) => {
    const service = serviceFor();
    await service.converge(live);
    await expect(service.plan(entry(attributes))).rejects.toThrow(message);
  });

  test("a change that leaves a required attribute without a value is an error of the plan", async () => {
    const service = serviceFor();
    await service.converge(live);
    await service.converge(entry({ tier: "gold" }));
    await expect(service.plan(entry({ tier: null }))).rejects.toThrow(
      'the attribute "tier" is required and has no value',
    );
    expect(lines(await service.plan(entry({ units: 3 })))).toEqual(["update catalog_types/rack/entries/one"]);
  });
});

test("what a condition may name that the service does not return is disabled and not deleted", async () => {
  const service = serviceFor({ dialects: { readable: "partial", delete_guard: "incidents" } });
  const both = [severity("a", { default: true }), severity("b")];
  await service.converge({ severities: both });
  await service.hand("POST", "/runbooks", {
    name: "Failover",
    steps: [{ title: "Fail over" }],
    conditions: [{ condition_field: "severity", operator: "one_of", values: ["b"] }],
  });
  const plan = await service.converge({ severities: both.slice(0, 1) });
  expect(
    plan.changes.filter(({ kind }) => kind === "severities").map(({ action, reason }) => [action, reason]),
  ).toContainEqual(["disable", "not in the configuration; may be used by runbooks, which could not be read"]);
  expect(await service.hand("GET", "/severities?include_disabled=true")).toMatchObject({
    severities: expect.arrayContaining([expect.objectContaining({ slug: "b", enabled: false })]),
  });
});

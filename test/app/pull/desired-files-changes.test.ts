/** Which fields the files would have to change, and which they need not: a mirror that changes too much edits for nothing. */

import { describe, expect, test } from "vitest";
import type { Fields, Json } from "../../../src/core/json.ts";
import { listOf } from "../../support/plans/desired-list.ts";
import type { PlanInput } from "../../support/plans/make-plan.ts";

type Row = readonly [name: string, value: Json | undefined];

/** By declared entry what changes; for entries that are not listed what they would say. */
function changes(document: Fields, live: PlanInput["live"] = {}, name = "severities", scope = ""): readonly unknown[] {
  return listOf(document, { live }, name, scope).entries.map((entry) =>
    "declared" in entry ? ([...entry.fields] as readonly Row[]) : entry.fields,
  );
}

const severity = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, is_default: false, ...more });

describe("a resource that matches the live one", () => {
  test("changes nothing, although the files state its enabled flag or default", () => {
    const live = { severities: [severity("a", { enabled: false }), severity("b", { is_default: true })] };
    const entries = [
      { slug: "a", enabled: false },
      { slug: "b", default: true },
    ];
    expect(changes({ severities: entries }, live)).toEqual([[], []]);
  });

  test("changes only its name after a rename, and loses renamed_from only if the files have it", () => {
    const hook = (name: string, more: Fields = {}): Fields => ({ name, url: "u", ...more });
    const live = { webhooks: [hook("new", { id: "w1" })] };
    expect(changes({ webhooks: [hook("old", { id: "w1" })] }, live, "webhooks")).toEqual([[["name", "new"]]]);
    const renaming = { ...hook("next", { renamed_from: "new" }) };
    expect(changes({ webhooks: [renaming] }, live, "webhooks")).toEqual([
      [
        ["name", "new"],
        ["renamed_from", undefined],
      ],
    ]);
  });
});

describe("a list of options", () => {
  const field = (options: readonly Json[]): Fields => ({
    custom_fields: [{ slug: "region", name: "Region", field_type: "single_select", options }],
  });
  const told = (options: readonly Json[], ...labels: readonly string[]): readonly unknown[] => {
    const live = labels.map((label) => ({ id: label, label }));
    const row = { slug: "region", name: "Region", field_type: "single_select", option_source: "fixed", options: live };
    return changes(field(options), { custom_fields: [row] }, "custom_fields");
  };
  const renamed = { label: "North", renamed_from: "US" };

  test("keeps renamed_from of an option, unless another option has that name now", () => {
    expect(told([renamed], "North", "EU")).toEqual([[["options", [renamed, "EU"]]]]);
    expect(told([renamed], "North", "US")).toEqual([[["options", ["North", "US"]]]]);
  });
});

describe("a resource that differs from the live one", () => {
  test("gets enabled: false if the service has it", () => {
    const live = { severities: [severity("a", { enabled: false })] };
    expect(changes({ severities: [{ slug: "a" }] }, live)).toEqual([[["enabled", false]]]);
    expect(changes({ severities: [{ slug: "a", enabled: true }] }, live)).toEqual([[["enabled", false]]]);
    expect(changes({ severities: [{ slug: "a", enabled: true }] }, { severities: [severity("a")] })).toEqual([[]]);
  });

  test("gets default: true if it is the default, and nothing otherwise", () => {
    const live = { severities: [severity("a", { is_default: true }), severity("b")] };
    const entries = [
      { slug: "a", default: false },
      { slug: "b", default: true },
    ];
    expect(changes({ severities: entries }, live)).toEqual([[["default", true]], [["default", undefined]]]);
    expect(changes({ severities: [{ slug: "a" }, { slug: "b", default: true }] }, live)).toEqual([
      [["default", true]],
      [["default", undefined]],
    ]);
    expect(changes({ severities: [{ slug: "a" }, { slug: "b" }] }, live)).toEqual([[], []]);
  });

  test("loses fields that the service returns as null, empty or the default", () => {
    const key = { name: "ci", permissions: { incidents: ["read"] } };
    const live = { api_keys: [{ name: "ci", prefix: "p1", permissions: {} }] };
    expect(changes({ api_keys: [key] }, live, "api_keys")).toEqual([[["permissions", undefined]]]);
    const told = { api_keys: [{ name: "ci", prefix: "p1", permissions: { incidents: ["create"] } }] };
    expect(changes({ api_keys: [key] }, told, "api_keys")).toEqual([[["permissions", { incidents: ["create"] }]]]);
  });
});

describe("a resource without a declaration", () => {
  test("has no empty fields and no name that equals its key", () => {
    const document = { agents: [{ slug: "bot", grants: [] }] };
    const live = {
      agents: [{ slug: "bot", name: "Bot" }],
      "grants bot": [{ ability: "incidents.read", expires_at: null, environments: [] }],
    };
    expect(changes(document, live, "grants", "bot")).toEqual([{ ability: "incidents.read" }]);
  });

  test("has its values, and its permissions even if they are empty", () => {
    const document = { catalog_types: [{ slug: "rack", entries: [] }], api_keys: [] };
    const live = {
      catalog_types: [{ slug: "rack", name: "Rack" }],
      "catalog_entries rack": [{ slug: "r1", name: "R1", attributes: { floor: "3" } }],
      api_keys: [{ name: "ci", prefix: "p1", permissions: {} }],
    };
    expect(changes(document, live, "catalog_entries", "rack")).toEqual([
      { slug: "r1", name: "R1", attributes: { floor: "3" } },
    ]);
    expect(changes(document, live, "api_keys")).toEqual([{ name: "ci", permissions: {} }]);
  });

  test("is left out if it cannot be removed", () => {
    const region = { slug: "region", custom_field: "region", required: false, visible: true, conditions: [] };
    expect(changes({ forms: { declare: [] } }, { "forms declare": [region] }, "forms", "declare")).toEqual([]);
  });
});

describe("rules", () => {
  const rule = (service: string): Fields => ({
    conditions: [{ field: "service", operator: "is_one_of", value: [service] }],
    outcome: { action: "drop" },
  });
  const mirrored = (declared: readonly string[], live: readonly string[]) => {
    const document = { routing_rules: { workspace: declared.map(rule) } };
    const { entries, missing: gone } = listOf(document, { live: { routing_rules: live.map(rule) } }, "routing_rules");
    return {
      entries: entries.map((entry) => ("declared" in entry ? `${declared[Number(entry.declared.key) - 1]}` : "new")),
      changed: entries.map(({ fields }) => (fields instanceof Map ? fields.size : undefined)),
      gone: gone.map(({ key }) => declared[Number(key) - 1]),
    };
  };

  test("without changes stay, and others continue the rule between the same two", () => {
    expect(mirrored(["a", "b", "c"], ["x", "a", "c"])).toEqual({
      entries: ["new", "a", "c"],
      changed: [undefined, 0, 0],
      gone: ["b"],
    });
    expect(mirrored(["a", "b", "c"], ["a", "x", "c"])).toEqual({
      entries: ["a", "b", "c"],
      changed: [0, 1, 0],
      gone: [],
    });
    expect(mirrored(["p", "a", "b"], ["a", "x", "y", "b"])).toEqual({
      entries: ["a", "new", "new", "b"],
      changed: [0, undefined, undefined, 0],
      gone: ["p"],
    });
    expect(mirrored(["p", "q"], ["x", "y", "z"])).toEqual({
      entries: ["p", "q", "new"],
      changed: [1, 1, undefined],
      gone: [],
    });
  });

  test("have the names of the files, whatever the service calls them", () => {
    const document = { routing_rules: { workspace: [{ name: "Ours", ...rule("a") }] } };
    expect(changes(document, { routing_rules: [{ name: "Theirs", ...rule("a") }] }, "routing_rules")).toEqual([[]]);
  });
});

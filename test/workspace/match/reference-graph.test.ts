import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { ReferenceGraph, type Referrer } from "../../../src/workspace/match/reference-graph.ts";
import { type PlanInput, placedStateOf } from "../../support/plans/make-plan.ts";

const on = (...values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });
const book = (slug: string, ...values: readonly string[]): Fields => ({
  slug,
  name: slug,
  conditions: [on(...values)],
});

function referrersOf(document: Fields, given: PlanInput, address: string): readonly Referrer[] {
  return new ReferenceGraph(placedStateOf(document, given)).referrersOf(address);
}

describe("the references to a resource", () => {
  const document = { severities: [{ slug: "major" }], runbooks: [book("a", "minor", "major")] };
  const live = {
    severities: [{ slug: "major" }, { slug: "minor" }],
    runbooks: [book("b", "severity-major"), book("c")],
  };

  test("are in the files, with their positions, and in the workspace", () => {
    expect(referrersOf(document, { live }, "severities/major")).toEqual([
      {
        address: "runbooks/a",
        path: "/conditions/0/values/1",
        in: "files",
        source: { file: "test.yaml", line: 1, column: 23 },
      },
      { address: "runbooks/b", path: "/conditions/0/values/0", in: "workspace" },
    ]);
  });

  test("exist for undeclared and unknown resources", () => {
    expect(referrersOf(document, { live }, "severities/minor")).toHaveLength(1);
    expect(referrersOf(document, { live }, "severities/ghost")).toEqual([]);
    expect(referrersOf(document, { live }, "runbooks/b")).toEqual([]);
  });

  test("have the referenced option", () => {
    const wants = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] };
    const rows = { custom_fields: [{ slug: "region", options: [{ id: "o1", label: "EU" }] }] };
    const files = { runbooks: [{ slug: "a", name: "a", conditions: [wants] }] };
    expect(referrersOf(files, { live: rows }, "custom_fields/region")).toMatchObject([
      { path: "/conditions/0/custom_field" },
      { path: "/conditions/0/values/0", option: "EU" },
    ]);
    expect(referrersOf(files, { live: rows }, "custom_fields/region")[0]).not.toHaveProperty("choice");
  });

  test("do not include the resource itself", () => {
    const self = { name: "Part of", attribute_type: "reference", reference_type: "rack" };
    const files = { catalog_types: [{ slug: "rack", name: "Rack", attributes: [self] }] };
    expect(referrersOf(files, {}, "catalog_types/rack")).toEqual([]);
  });

  test("include the rules in its scope, without a field", () => {
    const files = { routing_rules: { sources: { Datadog: [{ conditions: [], outcome: { action: "drop" } }] } } };
    const rows = { alert_sources: [{ name: "Datadog", endpoint_path: "dd" }] };
    expect(referrersOf(files, { live: rows }, "alert_sources/Datadog")).toEqual([
      {
        address: expect.stringMatching(/^routing_rules\/.*\/1$/),
        path: "",
        in: "files",
        source: { file: "test.yaml", line: 1, column: 1 },
      },
    ]);
  });
});

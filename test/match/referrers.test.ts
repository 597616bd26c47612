import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { pointersTo } from "../../src/match/referrers.ts";
import { configured } from "../support/configured.ts";
import { type Given, stateOf } from "../support/planned.ts";

const on = (...values: readonly string[]): Fields => ({ condition_field: "severity", operator: "one_of", values });
const book = (slug: string, ...values: readonly string[]): Fields => ({
  slug,
  name: slug,
  conditions: [on(...values)],
});

function pointers(document: Fields, given: Given, address: string) {
  const configuration = configured(document);
  const declared = configuration.declared.map((entry) => ({ ...entry, place: () => ({ ...entry.at, line: 99 }) }));
  return pointersTo({ ...configuration, declared }, stateOf(document, given), address);
}

describe("what points at an entry", () => {
  const document = { severities: [{ slug: "major" }], runbooks: [book("a", "minor", "major")] };
  const live = {
    severities: [{ slug: "major" }, { slug: "minor" }],
    runbooks: [book("b", "severity-major"), book("c")],
  };

  test("is in the files, with its place, and in the workspace", () => {
    const found = pointers(document, { live }, "severities/major");
    expect(found.pointers).toEqual([
      {
        address: "runbooks/a",
        path: "/conditions/0/values/1",
        in: "files",
        source: { file: "test.yaml", line: 99, column: 1 },
      },
      { address: "runbooks/b", path: "/conditions/0/values/0", in: "workspace" },
    ]);
    expect(found.declared).toBe(true);
    expect(found.live?.address).toBe("severities/major");
  });

  test("is told of what nobody declares, and of what is nowhere", () => {
    const minor = pointers(document, { live }, "severities/minor");
    expect([minor.declared, minor.live?.key, minor.pointers.length]).toEqual([false, "minor", 1]);
    expect(pointers(document, { live }, "severities/ghost")).toEqual({
      declared: false,
      live: undefined,
      pointers: [],
    });
    expect(pointers(document, { live }, "runbooks/b").pointers).toEqual([]);
  });

  test("names the option that is meant", () => {
    const wants = { condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] };
    const rows = { custom_fields: [{ slug: "region", options: [{ id: "o1", label: "EU" }] }] };
    const files = { runbooks: [{ slug: "a", name: "a", conditions: [wants] }] };
    expect(pointers(files, { live: rows }, "custom_fields/region").pointers).toMatchObject([
      { path: "/conditions/0/custom_field" },
      { path: "/conditions/0/values/0", choice: "EU" },
    ]);
    expect(pointers(files, { live: rows }, "custom_fields/region").pointers[0]).not.toHaveProperty("choice");
  });

  test("is not the entry itself", () => {
    const self = { name: "Part of", attribute_type: "reference", reference_type: "rack" };
    const files = { catalog_types: [{ slug: "rack", name: "Rack", attributes: [self] }] };
    expect(pointers(files, {}, "catalog_types/rack").pointers).toEqual([]);
  });

  test("are the rules that lie in its scope as well, at no field of theirs", () => {
    const files = { routing_rules: { sources: { Datadog: [{ conditions: [], outcome: { action: "drop" } }] } } };
    const rows = { alert_sources: [{ name: "Datadog", endpoint_path: "dd" }] };
    expect(pointers(files, { live: rows }, "alert_sources/Datadog").pointers).toEqual([
      {
        address: expect.stringMatching(/^routing_rules\/.*\/1$/),
        path: "",
        in: "files",
        source: { file: "test.yaml", line: 1, column: 1 },
      },
    ]);
  });
});

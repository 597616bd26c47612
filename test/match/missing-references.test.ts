import { describe, expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { refused } from "../support/plans/make-plan.ts";

const book = (...conditions: readonly Fields[]): Fields => ({
  runbooks: [{ slug: "failover", name: "Failover", conditions }],
});
const severity = (slug: string): Fields => ({ condition_field: "severity", operator: "one_of", values: [slug] });
const region = (label: string): Fields => ({
  condition_field: "custom_field",
  custom_field: "region",
  operator: "one_of",
  values: [label],
});

describe("a mention", () => {
  test("of what is neither declared nor live is an error that says who mentions what", () => {
    expect(refused(book(severity("ghost")))).toEqual([
      "E_REF runbooks/failover references severities/ghost, which is neither in the files nor in the workspace",
    ]);
  });

  test("of what is declared or live is none", () => {
    expect(refused(book(severity("major")), { live: { severities: [{ slug: "major" }] } })).toEqual([]);
    expect(refused({ ...book(severity("major")), severities: [{ slug: "major", name: "Major" }] })).toEqual([]);
  });

  test("of an option that there is not is an error", () => {
    const live = { custom_fields: [{ slug: "region", options: [{ id: "o1", label: "EU" }] }] };
    expect(refused(book(region("EU")), { live })).toEqual([]);
    expect(refused(book(region("Moon")), { live })).toEqual([
      'E_REF runbooks/failover references the option "Moon" of custom_fields/region, which is neither in the files nor in the workspace',
    ]);
  });

  test("of an option that is declared under a new label is none", () => {
    const live = { custom_fields: [{ slug: "region", name: "Region", options: [{ id: "o1", label: "EU" }] }] };
    const field = { slug: "region", options: [{ label: "Europe", renamed_from: "EU" }] };
    expect(refused({ ...book(region("Europe")), custom_fields: [field] }, { live })).toEqual([]);
  });

  test("of an option of a field that offers none says nothing", () => {
    const live = { custom_fields: [{ slug: "region", field_type: "text" }] };
    expect(refused(book(region("EU")), { live })).toEqual([]);
  });
});

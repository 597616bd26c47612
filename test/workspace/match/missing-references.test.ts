import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { diagnosed, refused } from "../../support/plans/make-plan.ts";

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

describe("a reference", () => {
  test("to a resource that is neither declared nor live is an error with both addresses", () => {
    expect(refused(book(severity("ghost")))).toEqual([
      "E_REF runbooks/failover references severities/ghost, which is neither in the files nor in the workspace",
    ]);
  });

  test("to a declared or live resource is not missing", () => {
    expect(refused(book(severity("major")), { live: { severities: [{ slug: "major" }] } })).toEqual([]);
    expect(refused({ ...book(severity("major")), severities: [{ slug: "major", name: "Major" }] })).toEqual([]);
  });

  test("to an unknown option is an error", () => {
    const live = { custom_fields: [{ slug: "region", options: [{ id: "o1", label: "EU" }] }] };
    expect(refused(book(region("EU")), { live })).toEqual([]);
    expect(refused(book(region("Moon")), { live })).toEqual([
      'E_REF runbooks/failover references the option "Moon" of custom_fields/region, which is neither in the files nor in the workspace',
    ]);
  });

  test("to an option that is renamed is not missing", () => {
    const live = { custom_fields: [{ slug: "region", name: "Region", options: [{ id: "o1", label: "EU" }] }] };
    const field = { slug: "region", options: [{ label: "Europe", renamed_from: "EU" }] };
    expect(refused({ ...book(region("Europe")), custom_fields: [field] }, { live })).toEqual([]);
  });

  test("of each of many resources has a guess for the first hundred", () => {
    const runbooks = Array.from({ length: 150 }, (_, at) => ({
      slug: `b${at}`,
      name: `B${at}`,
      conditions: [severity("majr")],
    }));
    const errors = diagnosed({ runbooks, severities: [{ slug: "major", name: "Major" }] });
    expect(errors).toHaveLength(150);
    expect(errors.filter(({ help }) => help === 'Did you mean "major"?')).toHaveLength(100);
  });

  test("to an option of a field whose options the service does not return is not checked", () => {
    const live = { custom_fields: [{ slug: "region", field_type: "single_select" }] };
    expect(refused(book(region("EU")), { live })).toEqual([]);
  });
});

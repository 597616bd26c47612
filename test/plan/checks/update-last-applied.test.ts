/** What an apply leaves to remember of refusals, and of what it could not read: nothing else, and of each field only its own. */

import { expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import { updateLastApplied } from "../../../src/plan/checks/update-last-applied.ts";
import { hashValue, type LastAppliedHashes, UNDECLARED } from "../../../src/workspace/match/last-applied.ts";
import { configured } from "../../support/plans/configuration.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";

const field = (slug: string, more: Fields = {}): Fields => ({
  slug,
  name: slug,
  field_type: "single_select",
  options: ["EU"],
  ...more,
});
const options = ["EU", "US"].map((label) => ({ id: label, label }));
const longer = (slug: string): Fields => field(slug, { option_source: "fixed", options });

/** What is remembered when the plan after an apply is that of the document on what is live. */
function left(document: Fields, given: PlanInput, before: LastAppliedHashes = {}): LastAppliedHashes {
  return updateLastApplied(configured(document), [], planned(document, given), before);
}

test("what a plan would still change because it can is no refusal", () => {
  const severities = (name: string): Fields => ({ severities: [{ slug: "major", name }] });
  expect(left(severities("Major"), { live: { severities: [{ slug: "major", name: "SEV2" }] } })).toEqual({});
});

test("a refusal is forgotten with the declaration that it was of, whatever else is still refused", () => {
  const document = { custom_fields: [field("region"), field("zone")] };
  const [region, zone, name] = ["region#options", "zone#options", "region#name"].map(
    (each) => `custom_fields/${each}?refused`,
  );
  if (region === undefined || zone === undefined || name === undefined) throw new Error("three names were given");
  const before = { [zone]: hashValue(["MEA"]), [name]: hashValue("Former") };
  const live = { custom_fields: [longer("region"), { ...longer("zone"), options: options.slice(0, 1) }] };
  expect(left(document, { live }, before)).toEqual({ [region]: hashValue(["EU"]) });
  expect(left(document, { live }, { [zone]: hashValue(["EU"]), [name]: hashValue("region") })).toEqual({
    [region]: hashValue(["EU"]),
    [zone]: hashValue(["EU"]),
    [name]: hashValue("region"),
  });
});

test("a refusal is remembered under an address that holds the sign that ends it", () => {
  const before = { "alert_sources/C#1#name?refused": hashValue("C#1") };
  const document = { alert_sources: [{ name: "C#1" }] };
  expect(left(document, {}, before)).toEqual(before);
});

test("of a field that mentions nobody it is not said whether an apply has sent it", () => {
  const document = { runbooks: [{ slug: "a", name: "A", summary: "One." }] };
  const lastApplied = { hashes: {}, resend: false, verifying: true as const };
  const lock = left(document, { live: { runbooks: [{ slug: "a", name: "A" }] }, lastApplied });
  expect(lock).toMatchObject({ "runbooks/a#summary": hashValue("One."), "runbooks/a#conditions": UNDECLARED });
  expect(lock).not.toHaveProperty(["runbooks/a#summary?unsent"]);
});

test("a deletion that was refused is remembered also when the plan after it finds a reason of its own to leave the entry", () => {
  const document: Fields = { custom_fields: [] };
  const custom_fields = [longer("region")];
  const { operations } = planned(document, { live: { custom_fields } });
  expect(operations).toMatchObject([{ method: "DELETE", retains: "the custom field" }]);
  const conditions = [{ condition_field: "custom_field", custom_field: "region", operator: "one_of", values: ["EU"] }];
  const after = planned(document, { live: { custom_fields, runbooks: [{ slug: "a", name: "A", conditions }] } });
  expect(after.operations).toEqual([]);
  expect(updateLastApplied(configured(document), operations, after, {})).toEqual({
    "custom_fields/region#?refused": hashValue(null),
  });
  expect(updateLastApplied(configured(document), [], after, {})).toEqual({});
});

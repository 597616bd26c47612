import { expect, test } from "vitest";
import { unmanagedBy } from "../../../src/plan/make/unmanaged.ts";
import { configured } from "../../support/plans/configuration.ts";
import { resolvedOf } from "../../support/plans/make-plan.ts";

test("what is live and not in the files is named: whole lists, the lists in a resource, and what was not read", () => {
  const options = [{ value: "eu", label: "EU", enabled: true, position: 0 }];
  const region = { slug: "region", name: "Region", field_type: "single_select" };
  const live = {
    severities: [{ slug: "major" }, { slug: "minor" }],
    custom_fields: [{ ...region, options }],
    webhooks: [],
  };
  const document = { custom_fields: [region] };
  expect(unmanagedBy(configured(document), resolvedOf(document, { live }))).toEqual([
    { address: "severities", kind: "severities", resources: 2, names: ["major", "minor"] },
    { address: "custom_fields/region", kind: "custom_fields", path: "/options", items: 1, names: ["EU"] },
    { address: "forms", kind: "forms" },
    { address: "routing_rules", kind: "routing_rules" },
  ]);
});

import { expect, test } from "vitest";
import { planned } from "../../support/plans/make-plan.ts";

test("an option from the environment is withheld from every list on the way, wherever it stands there", () => {
  const field = { slug: "region", name: "Region", field_type: "single_select", option_source: "fixed" };
  const live = ["EU", "APAC", "US"].map((label) => ({ id: `option-${label}`, label }));
  const plan = planned(
    { custom_fields: [{ ...field, options: ["EU", "US", "Hidden", "MENA"] }] },
    { live: { custom_fields: [{ ...field, options: live }] }, secrets: { "custom_fields/region": ["/options/2"] } },
  );
  const sent = plan.operations.map(({ body, inserts = [] }) => [
    body?.options,
    inserts.map(({ at, secret }) => [at, secret]),
  ]);
  expect(JSON.stringify(sent)).not.toContain("Hidden");
  expect(sent.length).toBe(2);
  for (const [options, inserts] of sent) {
    const index = (options as string[]).findIndex((label) => !["EU", "US", "APAC", "MENA"].includes(label));
    expect(inserts).toEqual([[`/body/options/${index}`, "/options/2"]]);
  }
});

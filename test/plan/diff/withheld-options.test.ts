import { expect, test } from "vitest";
import { withholdSecrets } from "../../../src/plan/diff/step.ts";
import { configured } from "../../support/plans/configuration.ts";
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

test("a value from the environment that is not sent has no placeholder", () => {
  const entries = [{ slug: "a", name: "A", attributes: { tier: "1", token: "t" } }];
  const { declared } = configured({ catalog_types: [{ slug: "service", entries }] });
  const entry = declared.find(({ kind }) => kind.name === "catalog_entries");
  if (entry === undefined) throw new Error("there is no entry");
  const sent = { attributes: { tier: "1" } };
  expect(withholdSecrets({ ...entry, secrets: ["/attributes/token"] }, sent)).toEqual(sent);
});

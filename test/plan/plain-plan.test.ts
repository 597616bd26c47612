import { expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import { sealPlan } from "../../src/plan/checks/seal.ts";
import { planPage } from "../../src/view/page/page.ts";
import { planJson } from "../../src/view/plan/json.ts";
import { planMarkdown } from "../../src/view/plan/markdown.ts";
import { planView } from "../../src/view/plan/plan-view.ts";
import { notPlain } from "../support/plain-value.ts";
import { contextOf, type PlanInput, planned } from "../support/plans/make-plan.ts";
import { serviceFor } from "../support/service/test-service.ts";

const document: Fields = {
  severities: [
    { slug: "critical", name: "Very critical" },
    { slug: "new", name: "New" },
  ],
  webhooks: [{ name: "chat", url: "https://hooks.example.com/1", subscribed_events: ["incident.created"] }],
};
const given: PlanInput = {
  live: {
    severities: [
      { slug: "old", name: "Old" },
      { slug: "critical", name: "Critical" },
    ],
  },
};

test("a plan is plain JSON with and without the digests of a saved one: a structured clone is equal, and nothing is a getter or a function", () => {
  const plan = planned(document, given);
  const { state, usage } = contextOf(document, given);
  for (const one of [plan, sealPlan(plan, { state, usage }, { saved: true })]) {
    expect(notPlain(one)).toEqual([]);
    expect(structuredClone(one)).toEqual(one);
    expect(JSON.parse(JSON.stringify(one))).toStrictEqual(one);
  }
});

test("a plan is finished when it is made: shown in every format and applied, it does not change", async () => {
  const service = serviceFor();
  // Every plan that the tests make is frozen.
  const plan = await service.plan({ webhooks: document.webhooks ?? [] });
  expect([plan, plan.changes, plan.seal].every(Object.isFrozen)).toBe(true);
  const text = JSON.stringify(plan);
  for (const shown of [planJson(plan), planMarkdown(planView(plan), { verbose: true }), planPage(planView(plan))]) {
    expect(shown).toContain("hooks.example.com");
  }
  await service.carryOut(plan);
  expect(JSON.stringify(plan)).toBe(text);
});

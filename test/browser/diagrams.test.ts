import { expect, test } from "vitest";
import { outcomePage, planPage } from "../../src/view/page/page.ts";
import { planView } from "../../src/view/plan/plan-view.ts";
import { hostileTexts } from "../support/samples/hostile-texts.ts";
import { open, useBrowser } from "./open-page.ts";
import { complete, diagrams, whole } from "./whole-plan.ts";

useBrowser();

test("an alert is tried in the page on the rules before and after, without a request", async () => {
  const { page, requests, messages } = await open(planPage(planView(whole), diagrams));
  const panel = page.locator(".routing");
  await panel.locator('input[name="title"]').fill("the pager is on fire");
  expect(await panel.locator(".result").textContent()).toBe(
    "Now: rule 2, old pager, matches. Planned: undecided at rule 3, search, new, which this page cannot evaluate like the service.",
  );
  await panel.locator('input[name="title"]').fill("[test] the pager");
  expect(await panel.locator(".result").textContent()).toBe(
    "Now: rule 2, old pager, matches. Planned: rule 1, drop noise, matches.",
  );
  expect(await panel.locator('[data-side="after"] .hit .rule').textContent()).toContain("drop noise");
  await panel.locator('input[name="service"]').fill("payments");
  expect(await panel.locator(".result").textContent()).toBe(
    "Now: rule 1, payments, matches. Planned: rule 1, drop noise, matches.",
  );
  expect({ requests, messages }).toEqual({ requests: [], messages: [] });
  await page.close();
});

test("the page of a run tries an alert on the rules before and after it, and those planned if it is not verified", async () => {
  for (const [verification, after] of [
    [{ status: "verified" }, "After"],
    [null, "Planned"],
  ] as const) {
    const { page } = await open(outcomePage({ ...complete, plan: whole, verification }, diagrams));
    const panel = page.locator(".routing");
    await panel.locator('input[name="title"]').fill("[test] the pager");
    expect(await panel.locator(".result").textContent()).toBe(
      `Before: rule 2, old pager, matches. ${after}: rule 1, drop noise, matches.`,
    );
    expect(await panel.textContent()).not.toContain("--accept-routing-window");
    expect(await page.locator("svg[aria-label^='severities in order, before']").count()).toBe(1);
    await page.close();
  }
});

test("a rule whose expression the page cannot stop is undecided, and only where it decides", async () => {
  const { page } = await open(planPage(planView(whole), diagrams));
  const panel = page.locator(".routing");
  await panel.locator('input[name="service"]').fill("payments");
  expect(await panel.locator(".maybe").count()).toBe(0);
  await panel.locator('input[name="service"]').fill("");
  await panel.locator('input[name="title"]').fill("search aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
  expect(await panel.locator('[data-side="before"] .hit .rule').textContent()).toContain("everything else");
  expect(await panel.locator('[data-side="after"] .maybe .rule').textContent()).toContain("search, new");
  await page.close();
});

test("the declare form shows the fields that responders are asked for, by severity and by the values of other fields", async () => {
  const { page } = await open(planPage(planView(whole), diagrams));
  const panel = page.locator(".declare");
  const fields = (side: string) => panel.locator(`[data-side="${side}"] > li:visible b`).allTextContents();
  await panel.locator('select[name="severity"]').selectOption("minor");
  expect(await fields("before")).toEqual(["name", "severity", "summary"]);
  expect(await fields("after")).toEqual(["name", "severity"]);
  await panel.locator('select[name="severity"]').selectOption("critical");
  expect(await fields("after")).toEqual(["name", "severity", "Region"]);
  await panel.locator('select[name="custom/region"]').selectOption("EU");
  expect(await fields("after")).toEqual(["name", "severity", "Region", "Customer impact"]);
  await page.close();
});

test("severities are drawn as a ladder now and planned, with their colors", async () => {
  const { page } = await open(planPage(planView(whole), diagrams));
  const drawing = page.locator('svg[aria-label="severities in order, now and planned"]');
  expect(await drawing.locator(".rung").count()).toBe(7);
  expect(await drawing.locator("text.added").allTextContents()).toEqual(["1  Blocker", "3  Trivial"]);
  expect(await drawing.locator("text.removed").allTextContents()).toEqual(["3  Parked"]);
  expect(await drawing.locator(".swatch").count()).toBe(4);
  await page.close();
});

test("without its script the page shows every rule and every field, and no box to try them", async () => {
  const { page } = await open(planPage(planView(whole), diagrams), { withoutScript: true });
  expect(await page.locator(".flow > li:visible").count()).toBe(10);
  expect(await page.locator(".form > li:visible").count()).toBe(7);
  expect(await page.locator(".try:visible").count()).toBe(0);
  await page.close();
});

test("no text of a rule, a severity or the form becomes markup", async () => {
  const texts = hostileTexts.map(([, text]) => text);
  const rules = texts.map((text) => ({
    ...{ label: text, enabled: true, outcome: { action: text, [text]: text } },
    conditions: [{ field: text, operator: text, value: text }],
  }));
  const parts = [0, 40, 80].map((start) => [start, start + 40] as const);
  const rungs = texts.map((text, at) => ({
    address: text,
    before: { position: (at % 40) + 1, name: text, color: text },
    after: null,
    isMoved: false,
  }));
  const form = texts.map((text) => ({
    ...{ slug: text, isCustom: true, isRequired: false },
    conditions: [{ reads: "custom_field", customField: text, operator: text, values: [text] }],
  }));
  const none = { form, fields: new Map(), severities: new Set(texts), types: new Set(texts) };
  const html = planPage(planView(whole), {
    references: texts.map((text) => ({ from: text, to: "alert_sources/Datadog" })),
    ladders: parts.map(([start, end]) => ({ kind: "severities", rungs: rungs.slice(start, end) })),
    ruleLists: parts.map(([start, end]) => ({
      ...{ address: texts[start] ?? "", isOfSource: true, before: rules.slice(start, end), after: [] },
    })),
    form: { before: none, after: none, formerNames: new Map(), names: new Map() },
  });
  const { page, requests, messages } = await open(html);
  expect(await page.locator("script, style, img, iframe, object, [onload], [onerror], [onmouseover]").count()).toBe(2);
  expect(await page.locator(".flow .rule").count()).toBe(texts.length);
  for (const input of (await page.locator(".routing input").all()).slice(0, 3)) await input.fill("a");
  expect({ requests, messages }).toEqual({ requests: [], messages: [] });
  await page.close();
});

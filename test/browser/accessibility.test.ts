import { describe, expect, test } from "vitest";
import { outcomePage, planPage } from "../../src/view/page/page.ts";
import { driftView, planView } from "../../src/view/plan/plan-view.ts";
import { everything } from "../view/plans.ts";
import { pullRequest } from "../view/wide-plans.ts";
import { open, screenshot, tooWide, useBrowser, violations } from "./open-page.ts";
import { diagrams, partial, whole } from "./whole-plan.ts";

useBrowser();

describe.each([
  ["light", { dark: false, width: 1200 }],
  ["dark", { dark: true, width: 1200 }],
  ["phone", { dark: false, width: 390 }],
  ["dark phone", { dark: true, width: 390 }],
] as const)("in %s", (name, look) => {
  test.each([
    ["plan", planPage(planView(whole), diagrams)],
    ["drift", planPage(driftView(everything))],
    ["run", outcomePage(partial, diagrams)],
    ["pull request", planPage(planView(pullRequest()))],
  ])("a %s has no violation of accessibility, and nothing is wider than the window", async (what, html) => {
    const { page } = await open(html, look);
    await screenshot(page, `${name} ${what}`.replaceAll(" ", "-"));
    expect(await tooWide(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    if (what !== "pull request") await page.keyboard.press("e");
    expect(await violations(page)).toEqual([]);
    await page.close();
  });
});

test("the help for the keys has no violation of accessibility", async () => {
  const { page } = await open(planPage(planView(whole)));
  await page.keyboard.press("?");
  expect(await page.locator("dialog[open]").count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await page.close();
});

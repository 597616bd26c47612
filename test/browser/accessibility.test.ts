import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { driftPage, outcomePage, planPage } from "../../src/report/page/page.ts";
import { everything } from "../report/plans.ts";
import { pullRequest } from "../report/wide-plans.ts";
import { open, screenshot, useBrowser } from "./open-page.ts";
import { diagrams, partial, whole } from "./whole-plan.ts";

/** The source of axe-core, evaluated by the debugger: the policy of the page keeps it from loading a script. */
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

useBrowser();

describe.each([
  ["light", { dark: false, width: 1200 }],
  ["dark", { dark: true, width: 1200 }],
  ["phone", { dark: false, width: 390 }],
  ["dark phone", { dark: true, width: 390 }],
] as const)("in %s", (name, look) => {
  test.each([
    ["plan", planPage(whole, diagrams)],
    ["drift", driftPage(everything)],
    ["run", outcomePage(partial)],
    ["pull request", planPage(pullRequest())],
  ])("a %s has no violation of accessibility, and nothing is wider than the window", async (what, html) => {
    const { page } = await open(html, look);
    await screenshot(page, `${name} ${what}`.replaceAll(" ", "-"));
    expect(await page.evaluate(wide)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    if (what !== "pull request") await page.keyboard.press("e");
    expect(await violations(page)).toEqual([]);
    await page.close();
  });
});

test("the help for the keys has no violation of accessibility", async () => {
  const { page } = await open(planPage(whole));
  await page.keyboard.press("?");
  expect(await page.locator("dialog[open]").count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await page.close();
});

/** The violations of every rule of axe-core, with the elements. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const result = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const { violations: all } = result as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return all.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
  );
}

/** Runs in the page: elements that reach beyond the window and are in nothing that scrolls. */
function wide(): readonly string[] {
  return [...document.querySelectorAll("body *:not(.wide *, figure *, .chips *, .skip)")].flatMap((element) =>
    element.getBoundingClientRect().right > innerWidth ? [element.outerHTML.slice(0, 100)] : [],
  );
}

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { outcomePage, planPage } from "../../src/view/page/page.ts";
import { driftView, planView } from "../../src/view/plan/plan-view.ts";
import { hostileTexts, withTexts } from "../support/samples/hostile-texts.ts";
import { changeOf, everything, planOf } from "../view/plans.ts";
import { pullRequest, thousands } from "../view/wide-plans.ts";
import { open, screenshot, useBrowser } from "./open-page.ts";
import { complete, partial, whole } from "./whole-plan.ts";

useBrowser();

const count = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelectorAll("details.card:not([hidden])").length);

test("a page makes no requests, logs no errors, and shows everything", async () => {
  const { page, requests, messages } = await open(planPage(planView(whole)));
  expect(await page.title()).toBe("Plan: https://incidents.example.com");
  expect(await page.locator("h1").textContent()).toBe("Plan https://incidents.example.com");
  expect(await page.locator(".verdict").textContent()).toContain("Blocked: apply requires --allow-delete.");
  expect(await page.locator(".command code").textContent()).toBe("incidentctl apply --allow-delete");
  expect(await count(page)).toBe(everything.changes.length);
  expect(await page.locator("svg").count()).toBe(3);
  expect(await page.locator("svg path.moved").count()).toBe(1);
  expect({ requests, messages }).toEqual({ requests: [], messages: [] });
  await page.close();
});

test("changes that cannot be undone come first, then those that need attention, then each kind; each change is one card", async () => {
  const { page } = await open(planPage(planView(whole)));
  const headings = await page
    .locator(".group > h2")
    .evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent?.trim()));
  expect(headings).toEqual([
    ...["Cannot be undone", "Needs attention", "severities", "custom_fields", "runbooks", "webhooks"],
  ]);
  const names = await page.locator(".card .name code").allTextContents();
  expect([...names].sort()).toEqual(everything.changes.map(({ address }) => address).sort());
  expect(names.slice(0, 4)).toEqual([
    "alert_sources/Datadog",
    "severities/parked",
    "routing_rules/workspace/2",
    "api_keys/deploy bot",
  ]);
  await page.close();
});

test("the change of one field is on the first line of its card, and a list is shown as its difference", async () => {
  const { page } = await open(planPage(planView(whole)));
  const line = (address: string) => page.locator(`[id="${address}"] .line`).textContent();
  expect(await line("custom_fields/region")).toBe(
    'options − "US"  renamed to "North America" + "North America"  renamed from "US"',
  );
  expect(await page.locator('[id="alert_sources/Datadog"] .pill').allTextContents()).toEqual([
    ...["delete", "cannot be undone", "requires --allow-delete"],
  ]);
  await page.close();
});

test("chips and search filter the changes, and the page says how many it shows", async () => {
  const { page, messages } = await open(planPage(planView(pullRequest())));
  const status = page.locator("#status");
  const chip = (name: RegExp) => page.locator("#filters").getByRole("button", { name });
  expect(await status.textContent()).toBe("300 changes");
  await chip(/needs attention/).click();
  expect(await status.textContent()).toBe("63 of 300 changes");
  await chip(/delete/).click();
  expect(await count(page)).toBe(2);
  await screenshot(page, "filtered");
  await chip(/delete/).click();
  await chip(/needs attention/).click();
  for (const kind of [/^runbooks/, /^webhooks/]) await chip(kind).click();
  expect(await count(page)).toBe(41);
  await page.getByRole("searchbox").fill("  Logs. ");
  expect(await count(page)).toBe(30);
  await page.getByRole("searchbox").fill("matches nothing at all");
  expect(await count(page)).toBe(0);
  await page.getByRole("button", { name: "Show all changes" }).click();
  expect(await count(page)).toBe(300);
  expect(await chip(/^runbooks/).getAttribute("aria-pressed")).toBe("false");
  expect(messages).toEqual([]);
  await page.close();
});

test("the keyboard moves between changes, opens and closes them, and explains itself", async () => {
  const { page } = await open(planPage(planView(pullRequest())));
  const focused = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.querySelector("code")?.textContent);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  expect(await focused()).toBe("alert_sources/Old 1");
  await page.keyboard.press("k");
  expect(await focused()).toBe("alert_sources/Old 0");
  expect(await page.locator(".card[open]").count()).toBe(0);
  await page.keyboard.press("Enter");
  expect(await page.locator(".card[open]").count()).toBe(1);
  await page.keyboard.press("e");
  expect(await page.locator(".card[open]").count()).toBe(300);
  await page.keyboard.press("c");
  expect(await page.locator(".card[open]").count()).toBe(0);
  await page.keyboard.press("/");
  await page.keyboard.type("je");
  expect(await page.getByRole("searchbox").inputValue()).toBe("je");
  await page.keyboard.press("Escape");
  expect(await count(page)).toBe(300);
  await page.keyboard.press("?");
  expect(await page.locator("dialog").getByText("next change").isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  expect(await page.locator("dialog[open]").count()).toBe(0);
  await page.close();
});

test("a link opens its change; in print every change is open", async () => {
  const { page } = await open(planPage(planView(pullRequest())));
  await page.locator("li a", { hasText: "alert_sources/Old 1" }).first().click();
  expect(await page.locator(".card[open] > summary").textContent()).toContain("alert_sources/Old 1");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await page.locator("details:not([open])").count()).toBe(0);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  expect(await page.locator(".card[open]").count()).toBe(1);
  await page.close();
});

test("in print there are neither filters nor buttons", async () => {
  const { page } = await open(planPage(planView(whole)));
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await screenshot(page, "print");
  expect(await page.locator("button:visible, input:visible").count()).toBe(0);
  await page.close();
});

test("a drift names both sides", async () => {
  const { page } = await open(planPage(driftView(everything)));
  expect(await page.locator('[id="severities/critical"] .fields thead').textContent()).toBe(
    "Field+ is in the files, - is in the workspace",
  );
  expect(await page.locator('[id="severities/critical"] .pill').allTextContents()).toEqual(["differs"]);
  expect(await page.locator("svg .head").allTextContents()).toContain("not in the configuration");
  expect(await page.locator("svg .head").allTextContents()).not.toContain("delete");
  await page.close();
});

test("the page of a run is in the past tense, and shows what did not end as planned first, with the reason", async () => {
  const { page } = await open(outcomePage(partial));
  expect(await page.title()).toBe("Apply: https://incidents.example.com");
  expect(await page.locator(".headline").textContent()).toBe("Applied: 11 of 12 operations done, 1 failed.");
  expect(await page.locator(".chip").allTextContents()).toEqual(
    expect.arrayContaining(["! not as planned 1", "+ created 1", "- deleted 1"]),
  );
  expect(await page.locator(".group > h2").first().textContent()).toContain("Not as planned");
  const first = page.locator(".card").first();
  expect(await first.locator(".pill").allTextContents()).toEqual(["create", "failed"]);
  expect(await first.textContent()).toContain("the name is taken");
  expect(await page.locator(".panel li").first().textContent()).toBe("fix the cause, then run incidentctl apply");
  await page.close();
});

test("the page of a run that ended as planned has its changes by kind: there is nothing left to review", async () => {
  const { page } = await open(outcomePage(complete));
  const headings = await page.locator(".group > h2 > code").count();
  expect(await page.locator(".group > h2").count()).toBe(headings);
  expect(await page.locator(".chip", { hasText: "needs attention" }).count()).toBe(0);
  await page.close();
});

test("without its script the page is complete", async () => {
  const { page } = await open(planPage(planView(pullRequest())), { withoutScript: true });
  expect(await page.locator("details.card").count()).toBe(300);
  expect(await page.locator(".filters:visible, button:visible").count()).toBe(0);
  await page.close();
});

test("ten thousand changes are painted within three seconds, and filtered within one", async () => {
  const { page } = await open(planPage(planView(thousands(10_000))));
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
  );
  const filter = await page.evaluate(filterTime, "/9");
  const chip = await page.evaluate(chipTime);
  if (process.env.FIGURES !== undefined) console.log({ paint, filter, chip });
  expect(await page.locator("#status").textContent()).toMatch(/ of 10,000 changes$/);
  expect(paint).toBeLessThan(3000);
  expect(Math.max(filter, chip)).toBeLessThan(1000);
  await page.close();
});

test("no text of a plan becomes markup", async () => {
  const texts = hostileTexts.map(([, text]) => text);
  const plan = planOf(
    texts.map((text, at) =>
      withTexts(
        everything.changes[at % everything.changes.length] ?? changeOf("a/b", "create"),
        (own) => text + own,
        (name) => ["action", "risk"].includes(name),
      ),
    ),
  );
  const { page, requests, messages } = await open(
    planPage(planView({ ...plan, warnings: texts.map((text) => ({ code: text, message: text, address: text })) })),
  );
  expect(await count(page)).toBe(texts.length);
  expect(await page.locator("script, style, img, iframe, object, [onload], [onerror], [onmouseover]").count()).toBe(2);
  await page.keyboard.press("e");
  expect({ requests, messages }).toEqual({ requests: [], messages: [] });
  await page.close();
});

/** Runs in the page: milliseconds from a search until the next frame is drawn. */
async function filterTime(query: string): Promise<number> {
  const search = document.querySelector<HTMLInputElement>("#search");
  if (search === null) return Number.POSITIVE_INFINITY;
  const start = performance.now();
  search.value = query;
  search.dispatchEvent(new Event("input"));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - start;
}

/** Runs in the page: milliseconds from the click on the last chip until the next frame is drawn. */
async function chipTime(): Promise<number> {
  const chip = [...document.querySelectorAll<HTMLButtonElement>(".chip")].at(-1);
  const start = performance.now();
  chip?.click();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - start;
}

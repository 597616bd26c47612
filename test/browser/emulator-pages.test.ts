import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startEmulator } from "./emulator-process.ts";
import { openAddress, screenshot, tooWide, useBrowser, violations } from "./open-page.ts";
import { fillWorkspace } from "./workspace.ts";

useBrowser();

/** The path of the first resource of each kind. */
async function detailPaths(page: Page, url: string): Promise<readonly string[]> {
  await page.goto(`${url}/configuration`);
  const lists = await page.locator(".tabs a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  const paths: string[] = [];
  for (const list of lists) {
    await page.goto(`${url}${list}`);
    const link = page.locator("td a").first();
    if ((await link.count()) > 0) paths.push(String(await link.getAttribute("href")));
  }
  return paths;
}

describe.each([
  ["light", { width: 1200 }],
  ["dark", { dark: true, width: 1200 }],
  ["phone", { width: 390 }],
  ["dark phone", { dark: true, width: 390 }],
] as const)("in %s", (name, look) => {
  test("no page has a violation of accessibility, nothing is wider than the window, and no text becomes markup", async () => {
    const site = await startEmulator("--control");
    const { severityId, webhookId } = await fillWorkspace(site);
    const { page, messages } = await openAddress(site.link, look);
    await page.waitForURL(`${site.url}/`);
    await page.goto(`${site.url}/deliveries`);
    const delivery = await page.locator("td a").first().getAttribute("href");
    const paths = [
      ...["/", "/incidents", "/incidents/INC-1", "/incidents/INC-7", "/incidents/INC-999"],
      ...["/forms/declare", "/forms/update", `/forms/declare?severity=${severityId}`],
      ...["/alerts?field.title=Slow&field.service=checkout", "/access", "/deliveries", `${delivery}`],
      ...["/configuration", "/configuration/routing_rules", "/configuration/runbooks", "/configuration/webhooks"],
      ...[`/configuration/severities/${severityId}`, `/configuration/webhooks/${webhookId}`],
      ...["/requests", "/requests/8", "/faults", "/operations", "/operations/POST/%2Fincidents"],
      ...["/incidents?q=checkout&stage=live", "/incidents/INC-3", "/incidents/INC-3/postmortem/2"],
      ...["update", "resolve", "cancel"].map((form) => `/incidents/INC-7/forms/${form}`),
      ...(await detailPaths(page, site.url)),
    ];
    for (const path of paths) {
      await page.goto(`${site.url}${path}`);
      await screenshot(
        page,
        `emulator ${name} ${path.replace(/[0-9a-f]{8}-[-0-9a-f]{27}/, "id")}`.replaceAll(/[ /?&]+/g, "-"),
      );
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      expect({ path, wide: await tooWide(page) }).toEqual({ path, wide: [] });
      expect({ path, width: await page.evaluate(() => document.documentElement.scrollWidth - innerWidth) }).toEqual({
        path,
        width: 0,
      });
      expect({ path, violations: await violations(page) }).toEqual({ path, violations: [] });
      const foreign = await page
        .locator("body script, img, iframe, object, [onerror], [onload]")
        .evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML));
      expect({ path, foreign }).toEqual({ path, foreign: [] });
      expect(await page.locator("h1").count()).toBe(1);
    }
    const steps: readonly (readonly [path: string, button: string, result: string])[] = [
      ["/forms/declare", "Declare incident", "The incident was not declared."],
      ["/faults", "Add fault", "after-commit"],
      ["/faults", "Remove", "No fault is active."],
      ["/alerts", "Send the alert", "notify only"],
      ["/operations/GET/%2Fseverities", "Send", "status 200"],
    ];
    for (const [path, button, result] of steps) {
      await page.goto(`${site.url}${path}`);
      await page.getByRole("button", { name: button }).click();
      await page.getByText(result).first().waitFor();
      await screenshot(page, `emulator ${name} ${button}`.replaceAll(" ", "-"));
      expect({ button, wide: await tooWide(page) }).toEqual({ button, wide: [] });
      expect({ button, violations: await violations(page) }).toEqual({ button, violations: [] });
    }
    expect(messages.filter((text) => !/status of (404|422)/.test(text))).toEqual([]);
    await page.close();
    await site.close();
  }, 400_000);
});

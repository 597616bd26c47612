import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmulatorProcess, startEmulator } from "./emulator-process.ts";
import { type Appearance, openAddress, screenshot, tooWide, useBrowser, violations } from "./open-page.ts";

useBrowser();

const paths = ["/", "/incidents", "/incidents/INC-1", "/incidents/INC-999"];

let site: EmulatorProcess;
beforeAll(async () => {
  site = await startEmulator("--control");
});
afterAll(() => site.close());

/** A page of a site of its own, since a link signs in once. */
async function visit(
  look: Appearance,
): Promise<{ readonly page: Page; readonly messages: readonly string[]; readonly own: EmulatorProcess }> {
  const own = await startEmulator("--control");
  const { page, messages } = await openAddress(own.link, look);
  await page.waitForURL(`${own.url}/`);
  return { page, messages, own };
}

describe.each([
  ["light", { width: 1200 }],
  ["dark", { dark: true, width: 1200 }],
  ["phone", { width: 390 }],
  ["dark phone", { dark: true, width: 390 }],
] as const)("in %s", (name, look) => {
  test("no page has a violation of accessibility, and nothing is wider than the window", async () => {
    const { page, own } = await visit(look);
    for (const path of paths) {
      await page.goto(`${own.url}${path}`);
      await screenshot(page, `emulator ${name} ${path}`.replaceAll(/[ /]+/g, "-"));
      expect({ path, wide: await tooWide(page) }).toEqual({ path, wide: [] });
      expect({ path, violations: await violations(page) }).toEqual({ path, violations: [] });
    }
    await page.close();
    await own.close();
  });
});

test("the printed link opens the workspace in a browser, once", async () => {
  const { page, messages } = await openAddress(site.link);
  await page.waitForURL(`${site.url}/`);
  expect(await page.title()).toBe("Overview – Emulated workspace");
  expect(messages).toEqual([]);
  const other = await openAddress(site.link);
  expect(await other.page.locator("h1").textContent()).toBe("This link no longer works");
  await other.page.close();
  await page.close();
});

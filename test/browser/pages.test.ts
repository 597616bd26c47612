import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Plan } from "../../src/plan/plan.ts";
import { driftPage, planPage } from "../../src/report/page/page.ts";
import { changeOf, everything, planOf } from "../report/plans.ts";
import { pullRequest, thousands } from "../report/wide-plans.ts";
import { hostileTexts, withTexts } from "../support/samples/hostile-texts.ts";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const shots = process.env.SCREENSHOTS;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  if (!existsSync(executablePath)) {
    throw new Error(
      `there is no ${executablePath}: install Chromium (Debian: apt-get install chromium), or set CHROMIUM`,
    );
  }
  folder = mkdtempSync(join(tmpdir(), "incidentctl-pages-"));
  browser = await chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
      ...["--disable-component-update", "--disable-sync"],
    ],
  });
});

afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** Of what changes in the whole plan, by entries that do not. */
const MENTIONS = ["runbooks/database_is_slow", "routing_rules/Datadog/2"].map((from) => ({
  from,
  to: "severities/critical",
}));

interface Opened {
  readonly page: Page;
  /** What the page asked for besides itself, and what it complained of. */
  readonly asked: readonly string[];
  readonly said: readonly string[];
}

async function open(html: string, look: { readonly dark?: boolean; readonly width?: number } = {}): Promise<Opened> {
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  const page = await browser.newPage({
    colorScheme: look.dark === true ? "dark" : "light",
    viewport: { width: look.width ?? 1200, height: 900 },
  });
  const asked: string[] = [];
  const said: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(pathToFileURL(file).href)) asked.push(request.url());
  });
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("dialog", (dialog) => {
    said.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(file).href);
  return { page, asked, said };
}

async function shot(page: Page, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

const count = (page: Page): Promise<number> => page.locator(".change:visible").count();

/** With references, lists in a new order, and all the rest. */
const whole: Plan = {
  ...everything,
  operations: everything.operations.map((operation, at) =>
    at === 6
      ? { ...operation, depends_on: ["op-1"] }
      : at === 9
        ? { ...operation, depends_on: ["op-7", "op-8"] }
        : operation,
  ),
  transitions: [
    {
      ...{ address: "routing_rules/workspace", kind: "routing_rules", added: 1, edited: 1, moved: 1, removed: 1 },
      ...{ writes: 7, window: 2, exposed: ["routing_rules/workspace/1", "routing_rules/workspace/2"] },
      order: [
        { name: "drop noise", before: 3, after: 1 },
        { name: "payments", before: 1, after: 2 },
        { name: "search, new", before: null, after: 3 },
        { name: "everything else", before: 4, after: 4 },
        { name: "old pager", before: 2, after: null },
      ],
    },
  ],
};

test("a page makes no requests, logs no errors, and shows everything", async () => {
  const { page, asked, said } = await open(planPage(whole));
  expect(await page.locator("h1").textContent()).toBe("Plan: https://incidents.example.com");
  expect(await page.locator(".verdict").textContent()).toContain("Blocked: apply requires --allow-delete.");
  expect(await count(page)).toBe(everything.changes.length);
  expect(await page.locator("svg").count()).toBe(2);
  expect(await page.locator("svg path.moved").count()).toBe(1);
  await shot(page, "whole");
  expect({ asked, said }).toEqual({ asked: [], said: [] });
  await page.close();
});

test("filters by kind, risk and text show the matching changes and their number", async () => {
  const { page, said } = await open(planPage(pullRequest()));
  expect(await page.locator("#status").textContent()).toBe("300 changes");
  await page.getByRole("checkbox", { name: /^safe/ }).uncheck();
  expect(await page.locator("#status").textContent()).toBe("63 of 300 changes");
  await page.getByRole("checkbox", { name: /^attention/ }).uncheck();
  expect(await count(page)).toBe(2);
  await shot(page, "filtered");
  for (const risk of [/^safe/, /^attention/]) await page.getByRole("checkbox", { name: risk }).check();
  await page.getByRole("checkbox", { name: /^catalog_entries/ }).uncheck();
  expect(await count(page)).toBe(110);
  await page.getByRole("searchbox").fill("  Logs. ");
  expect(await count(page)).toBe(30);
  await page.getByRole("searchbox").press("Escape");
  expect(await count(page)).toBe(110);
  expect(said).toEqual([]);
  await page.close();
});

test("the keyboard moves between changes, opens and closes them", async () => {
  const { page } = await open(planPage(pullRequest()));
  const focused = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.querySelector("code")?.textContent);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  expect(await focused()).toBe("severities/sev1");
  await page.keyboard.press("k");
  expect(await focused()).toBe("severities/sev0");
  expect(await page.locator(".change[open]").count()).toBe(0);
  await page.keyboard.press("Enter");
  expect(await page.locator(".change[open]").count()).toBe(1);
  await page.keyboard.press("e");
  expect(await page.locator(".change[open]").count()).toBe(300);
  await page.keyboard.press("c");
  expect(await page.locator(".change[open]").count()).toBe(0);
  await page.keyboard.press("/");
  await page.keyboard.type("je");
  expect(await page.getByRole("searchbox").inputValue()).toBe("je");
  await page.close();
});

test("a link opens its change; in print every change is open", async () => {
  const { page } = await open(planPage(pullRequest()));
  await page.locator("li a", { hasText: "alert_sources/Old 1" }).first().click();
  expect(await page.locator(".change[open] > summary").textContent()).toContain("alert_sources/Old 1");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await page.locator("details:not([open])").count()).toBe(0);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  expect(await page.locator(".change[open]").count()).toBe(1);
  await page.close();
});

test.each([
  ["by day", { dark: false, width: 1200 }],
  ["by night", { dark: true, width: 1200 }],
  ["on a telephone", { dark: false, width: 390 }],
] as const)(
  "every text can be told from what is behind it, and nothing is wider than the window, %s",
  async (what, look) => {
    const { page } = await open(planPage(whole, MENTIONS), look);
    expect(await page.evaluate(wide)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await page.evaluate(faint)).toEqual([]);
    await shot(page, what.replaceAll(" ", "-"));
    await page.close();
  },
);

test("a drift names both sides", async () => {
  const { page } = await open(driftPage(everything));
  expect(await page.locator(".fields thead").first().textContent()).toBe("Fieldlivedeclared");
  await page.close();
});

test("without its script the page is complete", async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.setContent(planPage(pullRequest()));
  expect(await count(page)).toBe(300);
  expect(await page.locator(".filters:visible").count()).toBe(0);
  await page.close();
});

test("ten thousand changes can be shown and filtered", async () => {
  const { page } = await open(planPage(thousands(10_000)));
  await page.getByRole("checkbox", { name: /^safe/ }).uncheck();
  expect(await page.locator("#status").textContent()).toBe("200 of 10,000 changes");
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
  const { page, asked, said } = await open(
    planPage({ ...plan, warnings: texts.map((text) => ({ code: text, message: text, address: text })) }),
  );
  expect(await count(page)).toBe(texts.length);
  expect(await page.locator("script, style, img, iframe, object, [onload], [onerror], [onmouseover]").count()).toBe(2);
  await page.keyboard.press("e");
  expect({ asked, said }).toEqual({ asked: [], said: [] });
  await page.close();
});

/** Runs in the page: what reaches out of the window, and does not lie in something that can be scrolled. */
function wide(): readonly string[] {
  return [...document.querySelectorAll("body *:not(.wide *, figure *, .skip)")].flatMap((element) =>
    element.getBoundingClientRect().right > innerWidth ? [element.outerHTML.slice(0, 100)] : [],
  );
}

/** Runs in the page: texts with too little contrast for people who see badly (WCAG AA: 4.5). */
function faint(): readonly string[] {
  const channels = (color: string): readonly number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element | null): string => {
    if (element === null) return "rgb(255, 255, 255)";
    const color = getComputedStyle(element).backgroundColor;
    return (channels(color)[3] ?? 1) === 0 ? behind(element.parentElement) : color;
  };
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== "");
    if (!own || element.closest("script, svg") !== null || !(element instanceof HTMLElement)) return [];
    const [light = 0, dark = 0] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort(
      (a, b) => b - a,
    );
    const contrast = (light + 0.05) / (dark + 0.05);
    return contrast < 4.5 ? [`${contrast.toFixed(2)}: ${element.textContent}`] : [];
  });
}

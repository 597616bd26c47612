/** Chromium for the tests of the pages, and pages opened in it. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

/** The source of axe-core, evaluated by the debugger: the policy of the page keeps it from loading a script. */
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const screenshots = process.env.SCREENSHOTS;
let browser: Browser;
let folder: string;

/** Starts Chromium before the tests of a file, and stops it after them. */
export function useBrowser(): void {
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
}

export interface OpenedPage {
  readonly page: Page;
  /** URLs that the page requests besides its own. */
  readonly requests: readonly string[];
  /** Messages and errors that the page logs, and dialogs that it opens. */
  readonly messages: readonly string[];
}

export interface Appearance {
  readonly dark?: boolean;
  readonly width?: number;
  readonly withoutScript?: boolean;
}

/** Opens a page from a file, as a user does. */
export async function open(
  html: string,
  { dark = false, width = 1200, withoutScript = false }: Appearance = {},
): Promise<OpenedPage> {
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  return openAddress(pathToFileURL(file).href, { dark, width, withoutScript });
}

/** Opens an address in a browser session of its own. */
export async function openAddress(
  address: string,
  { dark = false, width = 1200, withoutScript = false }: Appearance = {},
): Promise<OpenedPage> {
  const page = await browser.newPage({
    colorScheme: dark ? "dark" : "light",
    viewport: { width, height: 900 },
    javaScriptEnabled: !withoutScript,
  });
  const requests: string[] = [];
  const messages: string[] = [];
  const { origin } = new URL(address);
  page.on("request", (request) => {
    const isOwn = origin === "null" ? request.url().startsWith(address) : request.url().startsWith(`${origin}/`);
    if (!isOwn) requests.push(request.url());
  });
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  page.on("dialog", (dialog) => {
    messages.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, requests, messages };
}

/** Saves a screenshot of the whole page in the folder of SCREENSHOTS, if it is set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

/** The violations of every rule of axe-core, with the elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const result = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const { violations: all } = result as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return all.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
  );
}

/** Elements of the page that reach beyond the window and are in nothing that scrolls. */
export function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scrolling = ".wide *, figure *, .chips *, nav *, .skip";
    return [...document.querySelectorAll(`body *:not(${scrolling})`)].flatMap((element) =>
      element.getBoundingClientRect().right > innerWidth ? [element.outerHTML.slice(0, 100)] : [],
    );
  });
}

/** Chromium for the tests of the pages, and pages opened in it. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

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

/** A page in the browser. */
export interface OpenedPage {
  readonly page: Page;
  /** URLs that the page requests besides its own. */
  readonly requests: readonly string[];
  /** Messages and errors that the page logs, and dialogs that it opens. */
  readonly messages: readonly string[];
}

/** The appearance of a page. */
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
  const page = await browser.newPage({
    colorScheme: dark ? "dark" : "light",
    viewport: { width, height: 900 },
    javaScriptEnabled: !withoutScript,
  });
  const requests: string[] = [];
  const messages: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(pathToFileURL(file).href)) requests.push(request.url());
  });
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  page.on("dialog", (dialog) => {
    messages.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(file).href);
  return { page, requests, messages };
}

/** Saves a screenshot of the whole page in the folder of SCREENSHOTS, if it is set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

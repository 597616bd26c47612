/**
 * Takes a screenshot of the page of the readme's example: docs/page.png. The picture holds a digest of the page, so that a test can tell
 * whether it is of today's page.
 *
 *     npm run picture
 *     node scripts/page-picture.mjs --check    # exits with 1 if the page has changed since
 */

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compressed, isOf, openChromium } from "./png.mjs";
import { root, runOnExample } from "./readme-example.mjs";

const picture = join(root, "docs", "page.png");
const SIZE = { width: 1000, height: 960 };

const html = runOnExample(["plan", "--emulator", "--format", "html"]);
const digest = digestOf(html);

if (process.argv.includes("--check")) {
  if (!isOf(picture, digest)) {
    console.error("docs/page.png is not of today's page; take it again: npm run picture");
    process.exitCode = 1;
  }
} else {
  const browser = await openChromium();
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: "light" });
    await page.setContent(html);
    writeFileSync(picture, compressed(await page.screenshot({ animations: "disabled" }), digest));
  } finally {
    await browser.close();
  }
}

/** The digest of what the picture shows: the style, and the page up to its diagrams without the facts that differ each time. */
function digestOf(text) {
  const style = /<style>.*?<\/style>/s.exec(text)?.[0] ?? "";
  const [, top = ""] = /<body>(.*?)<p id="nothing"/s.exec(text) ?? [];
  if (style === "" || top === "") throw new Error("the page has no style, or no changes");
  const stable = top.replace(/<dl class="facts">.*?<\/dl>/s, "");
  return createHash("sha256").update(style).update(stable).digest("hex");
}

/**
 * Takes screenshots of the emulator's pages: docs/incidents.png and docs/incident.png. Each holds a digest of its page, so that a test can
 * tell whether it is of today's page.
 *
 *     npm run picture
 *     node scripts/emulator-pictures.mjs --check    # exits with 1 if a page has changed since
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compressed, isOf, openChromium } from "./png.mjs";
import { root } from "./readme-example.mjs";

const PICTURES = [
  { name: "incidents.png", path: "/incidents", size: { width: 1000, height: 640 } },
  { name: "incident.png", path: "/incidents/INC-6", size: { width: 1000, height: 1200 } },
];

const child = spawn(process.execPath, [join(root, "dist", "cli.cjs"), "emulator", "--control", "--seed"], {
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  const link = await linkOf(child);
  const { origin } = new URL(link);
  const cookie = (await fetch(link)).headers.get("set-cookie")?.split(";")[0] ?? "";
  if (process.argv.includes("--check")) await check(origin, cookie);
  else await take(origin, cookie);
} finally {
  child.kill("SIGINT");
}

async function check(origin, cookie) {
  for (const { name, path } of PICTURES) {
    if (isOf(join(root, "docs", name), await digestOf(origin, cookie, path))) continue;
    console.error(`docs/${name} is not of today's page; take it again: npm run picture`);
    process.exitCode = 1;
  }
}

async function take(origin, cookie) {
  const browser = await openChromium();
  try {
    const [name, value] = cookie.split("=");
    const context = await browser.newContext({ colorScheme: "light" });
    await context.addCookies([{ name, value, url: origin }]);
    const page = await context.newPage();
    for (const { name: file, path, size } of PICTURES) {
      await page.setViewportSize(size);
      await page.goto(`${origin}${path}`, { timeout: 120_000 });
      const digest = await digestOf(origin, cookie, path);
      writeFileSync(join(root, "docs", file), compressed(await page.screenshot({ animations: "disabled" }), digest));
    }
  } finally {
    await browser.close();
  }
}

/** The digest of the page's style and markup, without what differs each time: ids, times and tokens. */
async function digestOf(origin, cookie, path) {
  const read = async (address) => (await fetch(`${origin}${address}`, { headers: { cookie } })).text();
  const html = await read(path);
  const [, style = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? [];
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  if (style === "" || main === "") throw new Error(`${path} has no style, or no content`);
  const stable = main
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id")
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z| UTC)/g, "time")
    .replace(/name="form_token" value="[^"]+"/g, "");
  return createHash("sha256")
    .update(await read(style))
    .update(stable)
    .digest("hex");
}

/** The link that signs in, which the emulator prints. */
function linkOf({ stderr }) {
  return new Promise((resolve, reject) => {
    let text = "";
    stderr.setEncoding("utf8");
    stderr.on("data", (part) => {
      text += part;
      const [, link] = /(http:\S+\/sign-in\S+)/.exec(text) ?? [];
      if (link !== undefined) resolve(link);
    });
    stderr.on("end", () => reject(new Error(`the emulator has ended: ${text}`)));
  });
}

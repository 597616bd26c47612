/**
 * Takes a screenshot of the page of the readme's example: docs/page.png. The picture holds a digest of the page, so that a test can tell
 * whether it is of today's page.
 *
 *     npm run picture
 *     node scripts/page-picture.mjs --check    # exits with 1 if the page has changed since
 */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { root, runOnExample } from "./readme-example.mjs";

const picture = join(root, "docs", "page.png");
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const KEYWORD = "Page";
const SIZE = { width: 1000, height: 960 };

const html = runOnExample(["plan", "--emulator", "--format", "html"]);
const digest = digestOf(html);

if (process.argv.includes("--check")) {
  const text = chunksOf(readFileSync(picture)).find(({ type }) => type === "tEXt");
  if (text?.data.toString("latin1") !== `${KEYWORD}\0${digest}`) {
    console.error("docs/page.png is not of today's page; take it again: npm run picture");
    process.exitCode = 1;
  }
} else {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: "light" });
    await page.setContent(html);
    writeFileSync(picture, compressed(await page.screenshot({ animations: "disabled" })));
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

/** The screenshot with its pixels compressed as far as possible, and the digest. */
function compressed(png) {
  const chunks = chunksOf(png);
  const pixels = inflateSync(Buffer.concat(chunks.flatMap(({ type, data }) => (type === "IDAT" ? [data] : []))));
  const header = chunks.find(({ type }) => type === "IHDR");
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header.data),
    chunk("tEXt", Buffer.from(`${KEYWORD}\0${digest}`, "latin1")),
    chunk("IDAT", deflateSync(pixels, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The chunks of a PNG: length, type, data, checksum. */
function chunksOf(png) {
  const chunks = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Screenshots as PNG: compressed as far as possible, each with the digest of the page that it shows. */

import { readFileSync } from "node:fs";
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const KEYWORD = "Page";

/** Chromium, for screenshots. Close it after use. */
export async function openChromium() {
  const { chromium } = await import("playwright-core");
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

/** The screenshot with its pixels compressed as far as possible, and the digest. */
export function compressed(png, digest) {
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

/** Whether the picture shows the page of this digest. */
export function isOf(picture, digest) {
  const text = chunksOf(readFileSync(picture)).find(({ type }) => type === "tEXt");
  return text?.data.toString("latin1") === `${KEYWORD}\0${digest}`;
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

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseUrl } from "../../src/core/url.ts";

test("the same text gives the same result every time", () => {
  // Enough for the engine to compile what is called: from then on Node 20's own question answers otherwise.
  const told = Array.from({ length: 30_000 }, () => parseUrl("https://bücher.example/ü")?.href);
  expect(new Set(told)).toEqual(new Set(["https://xn--bcher-kva.example/%C3%BC"]));
  expect(parseUrl("bücher")).toBeUndefined();
  expect(parseUrl("")).toBeUndefined();
});

test("no file uses URL.canParse", () => {
  const source = fileURLToPath(new URL("../../src", import.meta.url));
  const asking = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "url.ts")
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((path) => readFileSync(path, "utf8").includes("canParse"));
  expect(asking).toEqual([]);
});

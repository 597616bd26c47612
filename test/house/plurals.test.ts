import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../src", import.meta.url));
/** The service's own sentences, the function itself, and scripts of a page, which load nothing of the program. */
const EXEMPT = /^(?:emulator|view\/browser)\/|^core\/value-text\.ts$/;
/** A number with a noun: by a condition of its own, with the plural in brackets, or in the plural whatever the number. */
const HAND_MADE = [
  /=== 1 \? [`"]1 /,
  /\$\{[\w.]+\} \$\{[^}]* === 1 \? "/,
  /[a-z]\(s\)/,
  /\$\{(?:[\w.]*\.)?(?:length|size|[cC]ount)\} (?:resources|entries|operations|requests|files|rules|incidents|changes|reasons|findings|errors)\b/,
];
/** Sentences in which the noun belongs to a limit or a whole, which is never one. */
const ALLOWED = /checked \$\{checked\} of|interrupted after|rules: \$\{/;

const source = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\.tsx?$/.test(file) && !EXEMPT.test(file));

test("every number with a noun is written by one function, counted() of the core", () => {
  const found = source.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, at) =>
        HAND_MADE.some((pattern) => pattern.test(line)) && !ALLOWED.test(line) && !line.includes("http(s)")
          ? [`${file}:${at + 1}: ${line.trim()}`]
          : [],
      ),
  );
  expect(found).toEqual([]);
});

test.each([
  'const what = count === 1 ? "1 resource" : `${count} resources`;',
  'return `${count} ${count === 1 ? "incident" : "incidents"}`;',
  "note(`${names.length} changes`);",
  '"1 file(s)"',
])("a plural by hand is found: %s", (line) => {
  expect(HAND_MADE.some((pattern) => pattern.test(line))).toBe(true);
});

/** The plurals that counted() is called with, except a verb: pages speak of "items of version 1 are". */
const plurals = new Set(
  source.flatMap((file) =>
    [
      ...readFileSync(join(root, file), "utf8").matchAll(
        /\bcounted\((?:[^()"]|\([^()]*\))*"([^"]+)"(?:,\s*"([^"]+)")?/g,
      ),
    ].map(([, noun, nouns]) => nouns ?? `${noun}s`),
  ),
);
plurals.delete("are");
const ONE_OF_MANY = new RegExp(`(?<![\\d.,/:#-])\\b1 (?:${[...plurals].join("|")})\\b`);

/** The recorded outputs: goldens, scenarios and pages. */
const outputs = ["../../test", "../../docs", "../../README.md"].flatMap((place) => {
  const path = fileURLToPath(new URL(place, import.meta.url));
  if (place.endsWith(".md")) return [path];
  const files = readdirSync(path, { recursive: true, encoding: "utf8" }).map((file) => join(path, file));
  return files.filter((file) => /\/golden\/.*\.\w+$|\/scenarios\/.*\.txt$|\.md$/.test(file.replaceAll("\\", "/")));
});

test("no recorded output has one of a plural", () => {
  expect([plurals.size > 40, plurals.has("entries"), outputs.length > 100]).toEqual([true, true, true]);
  const found = outputs.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, at) => (ONE_OF_MANY.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test.each([
  ["Plan: 1 to create. 1 requests.", true],
  ["Plan: 1 to create. 11 requests.", false],
  ["used by 1 incidents", true],
  ["1 entries hold it", true],
  ["Drift: 1 differs.", false],
])("one of a plural is found: %s", (line, isFound) => {
  expect(ONE_OF_MANY.test(line)).toBe(isFound);
});

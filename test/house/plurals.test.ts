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

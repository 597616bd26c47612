import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const rows = [...read("docs/network-and-secrets.md").matchAll(/^\| (\S+) \| .* \| `(test\/\S+)` (.*) \|$/gm)].map(
  ([, row = "", file = "", title = ""]) => [row, file, title] as const,
);

test("the table of rows and tests is read whole, and has each row once", () => {
  const listed = read("docs/network-and-secrets.md").match(/^\| (?:F-|SC)/gm) ?? [];
  expect(rows).toHaveLength(listed.length);
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(([row]) => row)).size).toBe(rows.length);
});

test.each(rows)("row %s is held by a test that is there: %s, %s", (_row, file, title) => {
  expect(read(file)).toContain(title);
});

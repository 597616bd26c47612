import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const rows = [...read("docs/network-and-secrets.md").matchAll(/^\| (\S+) \| .* \| `(test\/\S+)` (.*) \|$/gm)].map(
  ([, row = "", file = "", title = ""]) => [row, file, title] as const,
);

test("every row of the table is parsed, and each is unique", () => {
  const listed = read("docs/network-and-secrets.md").match(/^\| (?:F-|SC)/gm) ?? [];
  expect(rows).toHaveLength(listed.length);
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(([row]) => row)).size).toBe(rows.length);
});

test.each(rows)("the test of row %s exists: %s, %s", (_row, file, title) => {
  expect(read(file)).toContain(title);
});

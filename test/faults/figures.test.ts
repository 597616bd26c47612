import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PAGE, readRecords } from "./figures/figures.ts";
import { renderPage } from "./figures/page.ts";

test("the page of the figures is what the records say, and nobody has edited it", () => {
  expect(readFileSync(PAGE, "utf8")).toBe(renderPage(readRecords()));
});

test("every record has its commit, and no part has more violations than runs", () => {
  for (const { commit, runs, violations } of readRecords()) {
    expect(commit).toMatch(/^[0-9a-f]{8}\+?$/);
    expect(violations).toBeLessThanOrEqual(runs);
  }
});

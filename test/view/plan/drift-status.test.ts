import { expect, test } from "vitest";
import type { Acceptance, Drift, JudgedDifference } from "../../../src/plan/drift/drift.ts";
import { plain } from "../../../src/view/format/ansi.ts";
import { driftJson } from "../../../src/view/plan/json.ts";
import { MAX_COMMENT, planMarkdown } from "../../../src/view/plan/markdown.ts";
import { driftView } from "../../../src/view/plan/plan-view.ts";
import { planText } from "../../../src/view/plan/text.ts";
import { linksIn, structureOf } from "../../support/markdown.ts";
import { commandsIn, hostileTexts } from "../../support/samples/hostile-texts.ts";
import { everything } from "../plans.ts";

/** A memory of as many differences of each sort, each of which says this wherever somebody else may say something. */
function memoryOf(text: string, count = 1): Drift {
  const accepted = { until: "2031-01-01", because: text };
  const difference: JudgedDifference = {
    ...{
      address: `webhooks/${text}`,
      action: "update",
      path: `/${text}`,
      fingerprint: "0123456789abcdef",
      declared: "0123456789abcdef",
    },
    accepted,
  };
  const gone: Acceptance = { ...difference, ...accepted, host: "http://localhost" };
  const list = Array.from({ length: count }, () => difference);
  return {
    ...{ fingerprint: "fedcba9876543210", new: list, known: list, expired: list },
    resolved: list.map(() => gone),
  };
}

const style = { paint: plain, verbose: false };

test.each(hostileTexts)("%s stays in its place", (_what, text) => {
  const written = planText(driftView(everything, memoryOf(text)), style);
  const markdown = planMarkdown(driftView(everything, memoryOf(text)), style);
  for (const report of [written, markdown, driftJson(everything, memoryOf(text))])
    expect(commandsIn(report)).toEqual([]);
  expect(written.split("\n").length).toBe(planText(driftView(everything, memoryOf("word")), style).split("\n").length);
  expect(structureOf(markdown)).toEqual(structureOf(planMarkdown(driftView(everything, memoryOf("word")), style)));
  expect(linksIn(markdown)).toEqual([]);
});

test("a long list of accepted differences fits the comment, and the rest is counted", () => {
  const markdown = planMarkdown(driftView(everything, memoryOf("words of a reason ".repeat(20), 5_000)), style);
  expect(markdown.length).toBeLessThan(MAX_COMMENT);
  for (const title of ["Accepted, but changed since", "Expired", "Accepted", "Resolved"]) {
    expect(markdown).toContain(`<details><summary>${title}: 5,000</summary>`);
  }
  const shown = markdown
    .split("\n")
    .filter((line) => line.includes("until `2031-01-01:`") || line.includes("2031-01-01"));
  const left = [...markdown.matchAll(/^- … and ([\d,]+) more$/gm)].map(([, number = ""]) =>
    Number(number.replace(",", "")),
  );
  expect(shown.length + left.reduce((sum, number) => sum + number, 0)).toBe(20_000);
  expect(planMarkdown(driftView(everything, memoryOf("a reason", 500)), { verbose: true })).not.toContain("- … and");
});

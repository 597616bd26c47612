import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { colored, plain } from "../../../src/view/format/ansi.ts";
import { columns } from "../../../src/view/format/columns.ts";
import { wrapText } from "../../../src/view/format/wrap.ts";
import { driftView, planView } from "../../../src/view/plan/plan-view.ts";
import { planText } from "../../../src/view/plan/text.ts";
import { changeOf, everything, planOf } from "../plans.ts";
import { pullRequest } from "../wide-plans.ts";

const wide = planOf([
  changeOf("webhooks/status page", "create", {
    fields: [
      { path: "/name", before: null, after: "status page" },
      { path: "/description", before: null, after: "Tells the status page of what customers see, within a minute." },
      { path: "/url", before: null, after: `https://status.example.com/${"hooks/".repeat(40)}end` },
    ],
  }),
  changeOf("severities/重大", "update", {
    fields: [{ path: "/name", before: "重大".repeat(8), after: "致命的".repeat(8) }],
  }),
]);

/** Without the blanks and breaks between words, and without the bars of diffs. */
const words = (text: string): string => text.replace(/^ *\| /gm, "").replace(/\s+/g, "");

describe.each([40, 60, 80, 120, 200])("on a terminal of %i columns", (width) => {
  const fold = (text: string): string => wrapText(text, width);

  test.each([
    ["every sort of change", everything],
    ["a pull request", pullRequest()],
    ["wide characters and long words", wide],
  ])("no line of a plan with %s is wider, and nothing is left out", (_, plan) => {
    for (const [paint, verbose] of [
      [plain, false],
      [colored, true],
    ] as const) {
      const bare = stripVTControlCharacters(planText(planView(plan), { paint, verbose, fold }));
      expect(bare.split("\n").filter((line) => columns(line) > width)).toEqual([]);
      expect(words(bare)).toBe(words(planText(planView(plan), { paint: plain, verbose })));
    }
  });

  test("the JSON of a plan is read like this", async () => {
    await expect(planText(planView(wide), { paint: plain, verbose: false, fold })).toMatchFileSnapshot(
      `../golden/width-${width}.txt`,
    );
  });
});

test("drift reports are wrapped as well", () => {
  const text = planText(driftView(everything), { paint: plain, verbose: false, fold: (all) => wrapText(all, 40) });
  expect(Math.max(...text.split("\n").map(columns))).toBeLessThanOrEqual(40);
});

test("without a terminal no line is wrapped", () => {
  expect(
    Math.max(...planText(planView(wide), { paint: plain, verbose: true }).split("\n").map(columns)),
  ).toBeGreaterThan(200);
});

test("indentation that leaves no room for a word is reduced, and keeps its colors", () => {
  expect(wrapText(`${" ".repeat(20)}!`, 20)).toBe(`${" ".repeat(10)}!`);
  expect(wrapText(`${" ".repeat(20)}| + a`, 20)).toBe(`${" ".repeat(10)}| + a`);
  const deep = `${"\u3000".repeat(15)}${colored("removed", `  ${"word ".repeat(5)}`)}`;
  const indent = " ".repeat(10);
  expect(wrapText(deep, 20)).toBe(`${indent}${colored("removed", `word word\n${indent}word word\n${indent}word `)}`);
});

test("wrapping keeps the words and colors of any text", () => {
  const piece = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom("    ", "| + ", "  ", "重大"));
  const line = fc.array(fc.tuple(piece, fc.boolean())).map((pieces) =>
    pieces
      .map(([text, red]) => {
        const clean = text.replace(/[\p{C}\n]/gu, "x");
        return red ? colored("removed", clean) : clean;
      })
      .join(" "),
  );
  fc.assert(
    fc.property(line, fc.integer({ min: 20, max: 100 }), (text, width) => {
      const broken = wrapText(text, width);
      const [bare, before] = [broken, text].map(stripVTControlCharacters);
      expect(words(bare ?? "").replaceAll("|", "")).toBe(words(before ?? "").replaceAll("|", ""));
      for (const each of (bare ?? "").split("\n")) expect(columns(each)).toBeLessThanOrEqual(width);
      const colours = (all: string): readonly string[] =>
        all
          .split("\u001b[")
          .slice(1)
          .map((rest) => rest.split("m")[0] ?? "");
      expect(colours(broken)).toEqual(colours(text));
    }),
  );
});

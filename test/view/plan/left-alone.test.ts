/** Sections of what a plan leaves alone. */

import { expect, test } from "vitest";
import { sectionBlocks } from "../../../src/view/plan/left-alone.ts";

test("a section names fifty places and counts the rest", () => {
  const items = Array.from({ length: 53 }, (_, at) => ({ where: [`severities/s${at}`], note: "" }));
  const style = { verbose: false, paint: (_role: string, text: string) => text };
  const [lines = []] = sectionBlocks([{ title: "Ignored by the settings", items }], style);
  expect(lines).toHaveLength(52);
  expect(lines.at(-1)).toBe("  … and 3 more; --verbose names all");
});

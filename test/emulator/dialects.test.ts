import { expect, test } from "vitest";
import { dialectChoices, parseDialects, standardDialects } from "../../src/emulator/dialects.ts";

test("every dialect has two choices, the interface's first", () => {
  expect(Object.fromEntries(dialectChoices().map(([name, [first]]) => [name, first]))).toEqual(standardDialects);
});

test("switches are parsed as name=value", () => {
  expect(parseDialects(["slug=accept", "options = replace"])).toEqual({ slug: "accept", options: "replace" });
});

test.each(["colour=red", "slug", "slug=maybe", "__proto__=derive", ""])("the switch %j is refused", (text) => {
  expect(() => parseDialects([text])).toThrow(/dialect/);
});

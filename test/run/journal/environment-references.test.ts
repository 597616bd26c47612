import { expect, test } from "vitest";
import { asTemplate, literal, referringPointers, withValues } from "../../../src/run/journal/environment-references.ts";

const URL = "https://x/${env:PATH}";
const RULE = asTemplate({ conditions: [{ field: literal("${env:PATH}"), value: [URL, "b"] }] });

test("references of a record get their values again, or masks, and literals stay", () => {
  const filled = (value: string) => ({ conditions: [{ field: "${env:PATH}", value: [`https://x/${value}`, "b"] }] });
  expect(withValues(RULE, new Map([["PATH", "hunter2"]]))).toEqual(filled("hunter2"));
  expect(withValues(RULE, new Map())).toEqual(filled("(secret)"));
});

test("a record without the mark has no references", () => {
  const record = { url: URL };
  expect(withValues(record, new Map([["PATH", "hunter2"]]))).toBe(record);
  expect(referringPointers(record)).toEqual([]);
});

test("the places of references are found", () => {
  expect(referringPointers(RULE)).toEqual(["/conditions/0/value/0"]);
});

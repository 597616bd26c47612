import { describe, expect, test } from "vitest";
import { asColor, asFilled, asInstant, asRows, asSet, asSets, asText } from "../../src/kinds/equality.ts";

describe("what a live value must be to be what a declared one asks for", () => {
  test("a colour, whatever the case of its digits", () => {
    expect(asColor("#DC143C", "#dc143c")).toBe(true);
    expect(asColor("#DC143C", "#dc143d")).toBe(false);
    expect(asColor(null, null)).toBe(true);
    expect(asColor(null, "#dc143c")).toBe(false);
  });

  test("a text; none and an empty one are the same", () => {
    expect(asText(null, "")).toBe(true);
    expect(asText("", null)).toBe(true);
    expect(asText("a", "A")).toBe(false);
  });

  test("a set, in any order and with repetitions", () => {
    expect(asSet(["b", "a", "a"], ["a", "b"])).toBe(true);
    expect(asSet(["a"], ["a", "b"])).toBe(false);
    expect(asSet(null, [])).toBe(false);
  });

  test("an object of sets, an empty one of which may be missing", () => {
    expect(asSets({ incidents: ["update", "read"], roles: [] }, { incidents: ["read", "update"] })).toBe(true);
    expect(asSets({ incidents: ["read"] }, { incidents: ["update"] })).toBe(false);
    expect(asSets(null, null)).toBe(true);
  });

  test("a moment, however it is written", () => {
    expect(asInstant("2030-01-01T01:00:00+01:00", "2030-01-01T00:00:00Z")).toBe(true);
    expect(asInstant("2030-01-01T00:00:00Z", "2030-01-01T00:00:01Z")).toBe(false);
    expect(asInstant(null, "2030-01-01T00:00:00Z")).toBe(false);
    expect(asInstant(null, null)).toBe(true);
  });

  test("a list of rows, by the named fields, in order", () => {
    const same = asRows(["title"]);
    expect(same([{ id: 1, title: "Look" }], [{ title: "Look", text: "" }])).toBe(true);
    expect(same([{ title: "Look" }, { title: "Act" }], [{ title: "Act" }, { title: "Look" }])).toBe(false);
    expect(same(null, [])).toBe(true);
    expect(same([{ title: null }], [{}])).toBe(true);
  });

  test("an object, with what is blank in it or without", () => {
    expect(asFilled({ a: [{ b: "" }], c: { d: null } }, { a: [{}] })).toBe(true);
    expect(asFilled({ a: 0 }, {})).toBe(false);
    expect(asFilled({ a: false }, {})).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import {
  equalColors,
  equalInstants,
  equalRowsOf,
  equalSetMaps,
  equalSets,
  equalTexts,
  equalWithoutBlanks,
} from "../../../src/kinds/values/equality.ts";

describe("a live value equals a declared one", () => {
  test("a colour, in any case", () => {
    expect(equalColors("#DC143C", "#dc143c")).toBe(true);
    expect(equalColors("#DC143C", "#dc143d")).toBe(false);
    expect(equalColors(null, null)).toBe(true);
    expect(equalColors(null, "#dc143c")).toBe(false);
  });

  test("a colour, in any notation", () => {
    for (const live of ["DC143C", "#DC143CFF", "rgb(220, 20, 60)", "rgba(220,20,60,1)", "rgb(220 20 60)", " #dc143c "])
      expect(equalColors(live, "#DC143C")).toBe(true);
    for (const live of ["#DC143C80", "rgba(220, 20, 60, 0.5)", "rgb(220, 20, 61)", "rgb()", "#DC143", "crimson", ""])
      expect(equalColors(live, "#DC143C")).toBe(false);
    for (const live of ["#fa0", "FA0", "#FA0F"]) expect(equalColors(live, "#FFAA00")).toBe(true);
    expect(equalColors("#fa08", "#FFAA00")).toBe(false);
    expect(equalColors("Crimson", "crimson")).toBe(true);
  });

  test("a text; null and an empty text are equal", () => {
    expect(equalTexts(null, "")).toBe(true);
    expect(equalTexts("", null)).toBe(true);
    expect(equalTexts("a", "A")).toBe(false);
  });

  test("a set, in any order and with repetitions", () => {
    expect(equalSets(["b", "a", "a"], ["a", "b"])).toBe(true);
    expect(equalSets(["a"], ["a", "b"])).toBe(false);
    expect(equalSets(null, [])).toBe(false);
  });

  test("an object of sets; empty sets may be missing", () => {
    expect(equalSetMaps({ incidents: ["update", "read"], roles: [] }, { incidents: ["read", "update"] })).toBe(true);
    expect(equalSetMaps({ incidents: ["read"] }, { incidents: ["update"] })).toBe(false);
    expect(equalSetMaps(null, null)).toBe(true);
  });

  test("a time, in any format", () => {
    expect(equalInstants("2030-01-01T01:00:00+01:00", "2030-01-01T00:00:00Z")).toBe(true);
    expect(equalInstants("2030-01-01T00:00:00Z", "2030-01-01T00:00:01Z")).toBe(false);
    expect(equalInstants(null, "2030-01-01T00:00:00Z")).toBe(false);
    expect(equalInstants(null, null)).toBe(true);
  });

  test("a list of rows, by the named fields, in order", () => {
    const same = equalRowsOf(["title"]);
    expect(same([{ id: 1, title: "Look" }], [{ title: "Look", text: "" }])).toBe(true);
    expect(same([{ title: "Look" }, { title: "Act" }], [{ title: "Act" }, { title: "Look" }])).toBe(false);
    expect(same(null, [])).toBe(true);
    expect(same([{ title: null }], [{}])).toBe(true);
  });

  test("an object, with or without blank members", () => {
    expect(equalWithoutBlanks({ a: [{ b: "" }], c: { d: null } }, { a: [{}] })).toBe(true);
    expect(equalWithoutBlanks({ a: 0 }, {})).toBe(false);
    expect(equalWithoutBlanks({ a: false }, {})).toBe(false);
  });
});

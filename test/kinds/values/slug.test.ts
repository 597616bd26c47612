import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { derivesSlug, nameForSlug, wordSlug } from "../../../src/kinds/values/slug.ts";

describe("the name for a slug", () => {
  test("exists only if both slug rules agree, for a kind whose rule is uncertain", () => {
    expect(derivesSlug("option", "DB-failover", "db_failover")).toBe(true);
    expect(derivesSlug("word", "DB failover", "db_failover")).toBe(true);
    expect(derivesSlug("word", "DB-failover", "db_failover")).toBe(false);
    expect(derivesSlug("word", "DB-failover", "dbfailover")).toBe(false);
    expect(derivesSlug("word", "Été", "t")).toBe(false);
    expect(derivesSlug("option", "Été", "ete")).toBe(true);
  });

  test("has spaces for underscores, and exists for every slug of letters and digits", () => {
    const slug = fc.stringMatching(/^[a-z0-9]+(_[a-z0-9]+)*$/);
    fc.assert(
      fc.property(slug, fc.constantFrom("option" as const, "word" as const), (wanted, style) => {
        const name = nameForSlug(style, wanted);
        expect(name).toBe(wanted.replaceAll("_", " "));
        expect(derivesSlug(style, name ?? "", wanted)).toBe(true);
      }),
    );
  });

  test("is the slug itself if no other name gives it, and missing if none does", () => {
    expect(nameForSlug("word", "a__b")).toBe("a__b");
    expect(nameForSlug("option", "a__b")).toBeUndefined();
    expect(nameForSlug("word", "Ä")).toBeUndefined();
  });
});

test.each([
  ["  Data  Team ", "data_team"],
  ["R&D", "rd"],
  ["a_b", "a_b"],
])("%j is %j in the style of words", (name, slug) => {
  expect(wordSlug(name)).toBe(slug);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didYouMean, Guesses, suggest } from "../../src/core/suggest.ts";

const FIELDS = ["slug", "name", "description", "color", "default", "enabled"];

describe("suggest", () => {
  it.each([
    ["nmae", "name"],
    ["Name", "name"],
    ["colour", "color"],
    ["descripton", "description"],
    ["enable", "enabled"],
    ["position", undefined],
    ["x", undefined],
    ["", undefined],
  ])("%s: %s", (word, expected) => {
    expect(suggest(word, FIELDS)).toBe(expected);
  });

  it("suggests the plural for a singular", () => {
    const kinds = ["statuses", "severities", "webhooks"];
    expect(["status", "severity", "Webhook"].map((word) => suggest(word, kinds))).toEqual(kinds);
  });

  it("is a question", () => {
    expect(didYouMean("nmae", FIELDS)).toBe('Did you mean "name"?');
    expect(didYouMean("zzz", FIELDS)).toBeUndefined();
  });

  it("finds every word with one letter changed, removed or swapped with its neighbour", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("severities", "lifecycle_stage", "subscribed_events"),
        fc.nat(),
        fc.nat(2),
        (word, seed, how) => {
          const at = seed % (word.length - 1);
          const rest = word.slice(at + 1);
          const changed = [
            `${word.slice(0, at)}#${rest}`,
            word.slice(0, at) + rest,
            `${word.slice(0, at)}${rest[0]}${word[at]}${rest.slice(1)}`,
          ];
          expect(suggest(changed[how] ?? "", ["webhooks", word, "agents"])).toBe(word);
        },
      ),
    );
  });
});

describe("Guesses", () => {
  it("are made for the first hundred words, and read the candidates of no other", () => {
    const guesses = new Guesses();
    let read = 0;
    const fields = () => {
      read += 1;
      return FIELDS;
    };
    const made = Array.from({ length: 5000 }, () => guesses.guess("nmae", fields));
    expect(made.filter((guess) => guess !== undefined)).toHaveLength(100);
    expect(read).toBe(100);
  });
});

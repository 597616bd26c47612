/** A name of a resource is allowed or refused as one text, whether it is a value or a key. */

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { stringify } from "yaml";
import { findings } from "../loading.ts";

/** The codes of the findings about a name that is a value and of the same name that is a key. */
async function codesOf(name: string): Promise<{ readonly value: readonly string[]; readonly key: readonly string[] }> {
  const sources = { alert_sources: [{ name, provider: "generic" }] };
  const rules = { routing_rules: { sources: { [name]: [] } } };
  const value = await findings({ "a.yaml": stringify(sources) });
  const key = await findings({ "a.yaml": stringify(sources), "b.yaml": stringify(rules) });
  const codes = (some: typeof value, file: string) =>
    some.flatMap(({ code, at }) => (at?.file === file && code.startsWith("E_") ? [code] : []));
  return { value: codes(value, "a.yaml"), key: codes(key, "b.yaml") };
}

describe("The name of a source with rules", () => {
  it.each([
    ["an emoji of several code points", "🧑‍🚒"],
    ["a flag of tags", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"],
    ["Persian with a non-joiner", "می\u200cخواهم"],
    ["a mark of direction", "שלום\u200e"],
  ])("may be %s", async (_title, name) => {
    expect(await codesOf(name)).toEqual({ value: [], key: [] });
  });

  it.each([
    ["a soft hyphen", "a\u00adb", "E_INVISIBLE"],
    ["a zero-width space", "a\u200bb", "E_INVISIBLE"],
    ["a word joiner", "a\u2060b", "E_INVISIBLE"],
    ["a byte order mark", "a\ufeffb", "E_INVISIBLE"],
    ["an isolate", "a\u2066b", "E_BIDI"],
    ["a bell", "a\u0007b", "E_CONTROL"],
    ["a tab", "a\tb", "E_CONTROL"],
  ])("may not have %s", async (_title, name, code) => {
    expect(await codesOf(name)).toEqual({ value: [code], key: [code] });
  });
});

test("a text is a name in both places or in none", async () => {
  const odd = fc.constantFrom(
    "\u200d",
    "\u200c",
    "\u00ad",
    "\u061c",
    "\u180e",
    "\ufe0f",
    "\u{e0067}",
    "🧑",
    "🚒",
    "é",
    "\u202e",
  );
  const names = fc.array(fc.oneof(odd, fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(names, async (parts) => {
      const { value, key } = await codesOf(`n${parts.join("")}n`);
      expect(key.length > 0).toBe(value.length > 0);
    }),
    { numRuns: 200 },
  );
});

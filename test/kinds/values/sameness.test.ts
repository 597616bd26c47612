import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equal, type Json } from "../../../src/core/json.ts";
import { equalSets } from "../../../src/kinds/values/equality.ts";
import { booleanOf, foldedName, nameForms, sameness } from "../../../src/kinds/values/sameness.ts";

const forms = (live: Json, declared: Json): readonly string[] | "different" => {
  const same = sameness(equal, live, declared);
  return same.isSame ? same.forms : "different";
};

describe("a live value is a form of a declared one", () => {
  test.each<[string, Json, Json, readonly string[]]>([
    ["as declared", "text", "text", []],
    ["trimmed", "text", "  text ", ["without the white space around it"]],
    ["without its last line break", "a\nb", "a\nb\n", ["with another last line break"]],
    ["with a last line break", "a\nb\n", "a\nb", ["with another last line break"]],
    ["with a last line break behind white space", "a \n", "a ", ["with another last line break"]],
    ["with other line ends", "a\r\nb", "a\nb", ["with other line ends"]],
    ["with some other line ends", "\r\na\n", "\r\na\r\n", ["with other line ends"]],
    ["in another Unicode form", "Cafe\u0301", "Caf\u00e9", ["in another Unicode form"]],
    [
      "trimmed, with other line ends",
      "a\nb",
      " a\r\nb\r\n",
      ["without the white space around it", "with other line ends"],
    ],
    ["an address in normal form", "https://a.example/", "HTTPS://A.example:443", ["in the normal form of addresses"]],
    [
      "a moment with milliseconds",
      "2027-01-02T03:04:05.000Z",
      "2027-01-02T03:04:05Z",
      ["in another notation of moments"],
    ],
    [
      "a moment in another zone",
      "2027-01-02T05:04:05+02:00",
      "2027-01-02T03:04:05Z",
      ["in another notation of moments"],
    ],
    ["null for an empty list", null, [], []],
    ["a boolean as text", "true", true, ["as text"]],
    ["a number as text", "5", 5, ["as text"]],
    ["in a list of objects", [{ title: "a" }], [{ title: "a " }], ["without the white space around it"]],
  ])("%s", (_name, live, declared, expected) => {
    expect(forms(live, declared)).toEqual(expected);
  });

  test("in a set, in any order", () => {
    const same = sameness(equalSets, ["b", "a"], ["a\n", "b"]);
    expect(same).toEqual({ isSame: true, forms: ["with another last line break"] });
  });

  test.each<[string, Json, Json]>([
    ["another text", "text", "texts"],
    ["another moment", "2027-01-02T03:04:06Z", "2027-01-02T03:04:05Z"],
    ["a moment without a zone", "2027-01-02T03:04:05", "2027-01-02T03:04:05Z"],
    ["upper case", "Text", "text"],
    ["white space that nobody declared", " text", "text"],
    ["white space within", "a  b", "a b"],
    ["another path", "https://a.example/x/", "https://a.example/x"],
    ["an address within a text", "see https://a.example/", "see https://a.example"],
    ["nothing", null, "text"],
    ["an empty text", "", "text"],
    ["another number", "6", 5],
    ["another item", ["a", "c"], ["a ", "b"]],
    ["a list of another length", ["a"], ["a ", "a"]],
  ])("not: %s", (_name, live, declared) => {
    expect(forms(live, declared)).toBe("different");
  });
});

const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "e\u0301", " ", "\n", "\r\n", "\t", "ß", "🙂") });

test("what a service makes of any text is the same in another form, and what it stores is a form of itself", () => {
  const made = fc.constantFrom<(value: string) => string>(
    (value) => value.trim(),
    (value) => value.normalize("NFC"),
    (value) => value.normalize("NFD"),
    (value) => value.replace(/\r\n?/g, "\n"),
    (value) => `${value.trimEnd()}\n`,
    (value) => value.trim().normalize("NFC"),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), made, (declared, make) => {
      const stored = declared.map(make);
      expect(sameness(equal, stored, declared).isSame).toBe(true);
      expect(sameness(equal, stored, stored)).toEqual({ isSame: true, forms: [] });
    }),
    { numRuns: Number(process.env.CAMPAIGN_RUNS ?? 100) },
  );
});

test("texts with other words, or with more white space, are different", () => {
  fc.assert(
    fc.property(text, text, (live, declared) => {
      if (foldedName(live) !== foldedName(declared)) expect(sameness(equal, live, declared).isSame).toBe(false);
      expect(sameness(equal, ` ${declared.trim()}`, declared.trim()).isSame).toBe(false);
    }),
  );
});

test("a live value that is true or false may be a word or a number", () => {
  for (const value of [true, "true", "True", 1, "1", "on", "YES", "t", "Y"]) expect(booleanOf(value)).toBe(true);
  for (const value of [false, "false", 0, "0", "off", "No", "f", "N"]) expect(booleanOf(value)).toBe(false);
  for (const value of [null, "", 2, "maybe", [1], ["on"], {}]) expect(booleanOf(value)).toBe(value);
});

test.each([
  ["Chat", "chat", "in another case"],
  ["Caf\u00e9", "Cafe\u0301", "in another Unicode form"],
  [" a  b", "a\u00a0b", "with other white space"],
  ["Caf\u00e9 Bar", "cafe\u0301  bar", "in another Unicode form, with other white space and in another case"],
  ["2027-01-02T03:04:05Z", "2027-01-02T03:04:05.000+00:00", "in another notation"],
])("the name %j is %j %s", (live, declared, forms) => {
  expect(nameForms(live, declared)).toBe(forms);
});

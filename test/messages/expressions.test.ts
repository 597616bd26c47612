/** The reasons for which a regular expression is refused or stays undecided, and what to write instead. */

import { describe, expect, it } from "vitest";
import { search } from "../../src/kinds/routing/regular-expression.ts";
import { command } from "../bad-input/run.ts";
import { inDirectory } from "../config/loading.ts";

const rule = (expression: string): string => `routing_rules:
  workspace:
    - name: x
      conditions: [{ field: title, operator: matches_regex, value: ${JSON.stringify(expression)} }]
      outcome: { action: drop }
`;

/** The message and the help of the only error of an expression. */
async function refusalOf(expression: string): Promise<string> {
  const output = await inDirectory({ "x.yaml": rule(expression) }, async (folder) =>
    command(["validate", "--format", "json"], folder),
  );
  const { diagnostics } = JSON.parse(output.stdout) as { diagnostics: { message: string; help: string }[] };
  return diagnostics.map(({ message, help }) => `${message}. ${help}`).join("\n");
}

const INVALID: readonly (readonly [expression: string, reason: string])[] = [
  ["[a-", "a [ is not closed. Close it with ], or write \\[ for the character."],
  ["disk (full", "a ( is not closed. Close it with ), or write \\( for the character."],
  ["disk) full", "a ) closes nothing. Remove it, or write \\) for the character."],
  [
    "*disk*",
    "a *, + or ? has nothing to repeat before it. Write .* for any text, or \\*, \\+ or \\? for the character.",
  ],
  ["[z-a]", "a range in brackets runs backwards. Write [a-z], or \\- for a hyphen."],
  ["a{5,2}", "the numbers in braces run backwards. Write the smaller number first: {2,5}."],
  ["C:\\", "it ends with a backslash. Write \\\\ for a backslash."],
  ["(?disk)", "(? begins no known group. Write (?:…) for a group, or \\(\\? for the characters."],
];

describe("An expression that the service refuses is refused with its reason", () => {
  it.each(INVALID)("%s", async (expression, reason) => {
    expect(await refusalOf(expression)).toBe(`the regular expression is not valid: ${reason}`);
  });
});

const UNDECIDED: readonly (readonly [expression: string, reason: string])[] = [
  ["a(?i)b", "(?i); write (?i) or (?m) at the beginning of the expression"],
  ["(?>a)b", "the atomic group (?>…); write (?:…)"],
  ["a{2}?", "{2}?; write (?:…{2})?"],
  ["(a)\\1", "the reference \\1 to a group"],
  ["\\p{Han}", "the property \\p; write the characters in brackets"],
  ["[a[b]]", "brackets in brackets; write all characters in one pair"],
  ["\\Ga", "the escape \\G"],
];

describe("An expression that stays undecided offline says which construct is the reason", () => {
  it.each(UNDECIDED)("%s", (expression, reason) => {
    expect(search(expression, "a")).toEqual({
      isFound: undefined,
      why: `JavaScript has no equivalent of this Ruby regular expression: ${reason}`,
    });
  });
});

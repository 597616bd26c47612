/** Routing rules: a regular expression must be one. */

import { objectsIn } from "../../core/json.ts";
import type { ResourceRule } from "./rule.ts";

/** Checks the regular expressions of a rule. */
export const checkRoutingRule: ResourceRule = ({ fields }, { error }) => {
  for (const [index, { operator, value }] of objectsIn(fields.conditions).entries()) {
    if (operator !== "matches_regex" || typeof value !== "string") continue;
    const [flaw, help] = flawOf(value) ?? [];
    if (flaw === undefined) continue;
    error("E_REGEX", `the regular expression is not valid: ${flaw}`, `/conditions/${index}/value`, { help });
  }
};

/** Constructs of Ruby that JavaScript does not have: an expression with one of them is accepted. */
const RUBY_ONLY = /\(\?[>#~imx-]|[*+?}]\+|\\[AzZGhHRXKgkpP]|\[\[:|&&\[/;

type Flaw = readonly [flaw: string, help: string];

/** Flaws by the reason of the engine. */
const FLAWS: readonly (readonly [reason: RegExp, ...flaw: Flaw])[] = [
  [/Unterminated character class/, "a [ is not closed", "Close it with ], or write \\[ for the character."],
  [/Unterminated group/, "a ( is not closed", "Close it with ), or write \\( for the character."],
  [/Unmatched '\)'/, "a ) closes nothing", "Remove it, or write \\) for the character."],
  [
    /Nothing to repeat/,
    "a *, + or ? has nothing to repeat before it",
    "Write .* for any text, or \\*, \\+ or \\? for the character.",
  ],
  [/Range out of order/, "a range in brackets runs backwards", "Write [a-z], or \\- for a hyphen."],
  [/numbers out of order/, "the numbers in braces run backwards", "Write the smaller number first: {2,5}."],
  [/at end of pattern/, "it ends with a backslash", "Write \\\\ for a backslash."],
  [
    /Invalid group|Invalid capture group name|Invalid named/,
    "(? begins no known group",
    "Write (?:…) for a group, or \\(\\? for the characters.",
  ],
];

/** The flaw for which the service, which uses Ruby's regular expressions, refuses an expression; undefined if it may accept it. */
function flawOf(expression: string): Flaw | undefined {
  if (RUBY_ONLY.test(expression)) return undefined;
  try {
    new RegExp(expression);
    return undefined;
  } catch (error) {
    // The engine repeats the expression before its reason.
    const text = String(error);
    const reason = text.slice(text.lastIndexOf(": ") + 2);
    const [, flaw, help] = FLAWS.find(([pattern]) => pattern.test(reason)) ?? [];
    if (flaw !== undefined && help !== undefined) return [flaw, help];
    return [reason.toLowerCase(), "Escape special characters with a backslash."];
  }
}

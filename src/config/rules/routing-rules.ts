/** Routing rules: a regular expression must be one. */

import { type Check, rowsOf } from "./rule.ts";

/** Holds the regular expressions of a rule against their grammar. */
export const checkRoutingRule: Check = ({ fields, place }, { findings }) => {
  for (const [index, { operator, value }] of rowsOf(fields.conditions).entries()) {
    if (operator !== "matches_regex" || typeof value !== "string" || isPlausible(value)) continue;
    findings.error("E_REGEX", "this is not a regular expression", place(`/conditions/${index}/value`), {
      help: "Check that brackets are closed, and escape special characters with a backslash.",
    });
  }
};

/** Constructs of Ruby that JavaScript lacks: an expression with one of them is not judged. */
const RUBY_ONLY = /\(\?[>#~imx-]|[*+?}]\+|\\[AzZGhHRXKgkpP]|\[\[:|&&\[|\(\?<\w+>.*\\k/;

/** Whether the service, which reads Ruby's regular expressions, could take it. */
function isPlausible(expression: string): boolean {
  if (RUBY_ONLY.test(expression)) return true;
  try {
    new RegExp(expression);
    return true;
  } catch {
    return false;
  }
}

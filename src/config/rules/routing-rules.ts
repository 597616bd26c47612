/** Routing rules: a regular expression must be one. */

import { type ResourceRule, rowsOf } from "./rule.ts";

/** Checks the regular expressions of a rule. */
export const checkRoutingRule: ResourceRule = ({ fields, place }, { findings }) => {
  for (const [index, { operator, value }] of rowsOf(fields.conditions).entries()) {
    if (operator !== "matches_regex" || typeof value !== "string" || isPlausible(value)) continue;
    findings.error("E_REGEX", "the regular expression is not valid", place(`/conditions/${index}/value`), {
      help: "Check that brackets are closed, and escape special characters with a backslash.",
    });
  }
};

/** Constructs of Ruby that JavaScript does not have: an expression with one of them is accepted. */
const RUBY_ONLY = /\(\?[>#~imx-]|[*+?}]\+|\\[AzZGhHRXKgkpP]|\[\[:|&&\[/;

/** Whether the service, which uses Ruby's regular expressions, may accept it. */
function isPlausible(expression: string): boolean {
  if (RUBY_ONLY.test(expression)) return true;
  try {
    new RegExp(expression);
    return true;
  } catch {
    return false;
  }
}

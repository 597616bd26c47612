/** Results as lines for people and as JSON for programs. */

import type { Fields, Json } from "../core/json.ts";
import type { RuleOutcome, RuleResult } from "./rule.ts";

const symbols: Readonly<Record<RuleOutcome["kind"], string>> = {
  passed: "✓",
  failed: "✗",
  differs: "≠",
  "not applicable": "–",
};

/** The lines of one result: the rule with its symbol, then what was expected and seen, or why nothing was. */
export function resultLines(result: RuleResult): readonly string[] {
  const { rule, outcome, leftovers } = result;
  const lines = [`  ${symbols[outcome.kind]} ${rule.id}  ${rule.title}${note(outcome)}`];
  if (outcome.kind === "failed" || outcome.kind === "differs") {
    lines.push(
      `      expected  ${outcome.expected}`,
      `      actual    ${outcome.actual}`,
      `      request   ${outcome.request}`,
    );
  }
  return [...lines, ...leftovers.map((leftover) => `      left over ${leftover}`)];
}

function note(outcome: RuleOutcome): string {
  if (outcome.kind === "not applicable") return ` (${outcome.reason})`;
  return outcome.kind === "differs" ? " (differs from the wire facts)" : "";
}

/** How many results have each kind of outcome. */
export function tally(results: readonly RuleResult[]): Readonly<Record<RuleOutcome["kind"], number>> {
  const count = (kind: RuleOutcome["kind"]) => results.filter((result) => result.outcome.kind === kind).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    differs: count("differs"),
    "not applicable": count("not applicable"),
  };
}

/** The closing lines: what differs from the wire facts, if anything, then the three counts. */
export function closingLines(results: readonly RuleResult[]): readonly string[] {
  const counts = tally(results);
  const last = `${counts.passed} passed, ${counts.failed} failed, ${counts["not applicable"]} not applicable`;
  if (counts.differs === 0) return [last];
  return [`${counts.differs} differ from the wire facts, where the interface is silent`, last];
}

/** The results as JSON. */
export function resultsJson(url: string, results: readonly RuleResult[]): Fields {
  return {
    url,
    counts: { ...tally(results) },
    results: results.map(({ rule, outcome, leftovers }): Json => {
      const { id, section, title, basis } = rule;
      return { id, section, title, basis, ...outcome, outcome: outcome.kind, leftovers };
    }),
  };
}

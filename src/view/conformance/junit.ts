/** The results of a conformance check as JUnit XML. */

import type { RuleResult } from "../../conformance/rule.ts";
import { sanitised } from "../../core/sanitise.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";
import { detailsOf, headingsOf, type ServiceReport } from "./text.ts";

/** The document, with one suite for each heading. A rule that is not applicable, or where the interface is silent, is skipped. */
export function conformanceJunit({ service, results }: ServiceReport): string {
  const suites = headingsOf(results).map((name) => {
    const own = results.filter(({ rule }) => rule.section === name);
    return { name, cases: own.map((result) => ({ ...nameOf(result), ...resultOf(result) })) };
  });
  return junitDocument(`conformance of ${service}`, suites);
}

function nameOf({ rule }: RuleResult): Pick<JunitCase, "name" | "classname"> {
  return { name: `${rule.id} ${rule.title}`, classname: rule.section };
}

function resultOf({ outcome }: RuleResult): Pick<JunitCase, "result"> {
  if (outcome.kind === "passed") return {};
  if (outcome.kind === "not applicable") return { result: { kind: "skipped", message: outcome.reason } };
  const message = `expected ${outcome.expected}, got ${outcome.actual}`;
  if (outcome.kind === "differs") {
    return { result: { kind: "skipped", message: `The interface is silent here: ${message}` } };
  }
  const text = detailsOf(outcome)
    .map(([name, value]) => `${name}: ${sanitised(value)}`)
    .join("\n");
  return { result: { kind: "failure", message, text } };
}

/** The results of a conformance check as JUnit XML, for the test reports of CI systems. */

import type { RuleResult } from "../../conformance/rule.ts";
import { sanitised } from "../../core/sanitise.ts";
import { element, escaped, xmlDocument } from "../format/xml.ts";
import { countOutcomes, detailsOf, headingsOf, type ServiceReport } from "./text.ts";

/** The document, with one suite for each heading. A rule that is not applicable, or where the interface is silent, is skipped. */
export function conformanceJunit({ service, results }: ServiceReport): string {
  const suites = headingsOf(results).map((heading) => {
    const own = results.filter(({ rule }) => rule.section === heading);
    return element("testsuite", { name: heading, ...attributesOf(own) }, own.map(testCase));
  });
  return xmlDocument(element("testsuites", { name: `conformance of ${service}`, ...attributesOf(results) }, suites));
}

function attributesOf(results: readonly RuleResult[]): Readonly<Record<string, number>> {
  const { failed, differs, "not applicable": skipped } = countOutcomes(results);
  return { tests: results.length, failures: failed, errors: 0, skipped: skipped + differs };
}

function testCase({ rule, outcome }: RuleResult): string {
  const attributes = { name: `${rule.id} ${rule.title}`, classname: rule.section };
  if (outcome.kind === "passed") return element("testcase", attributes, []);
  if (outcome.kind === "not applicable") {
    return element("testcase", attributes, [element("skipped", { message: outcome.reason }, [])]);
  }
  const details = detailsOf(outcome).map(([name, value]) => escaped(`${name}: ${sanitised(value)}`));
  const message = `expected ${outcome.expected}, got ${outcome.actual}`;
  return element("testcase", attributes, [
    outcome.kind === "failed"
      ? element("failure", { message }, details)
      : element("skipped", { message: `The interface is silent here: ${message}` }, []),
  ]);
}

/** Findings as JUnit XML. */

import { sanitised } from "../../core/sanitise.ts";
import type { AnalyzerRule, Finding } from "../../plan/analyze/analyzer.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";

/** The document: a test case for each finding that fails or is waived, and a passed one for each other rule. */
export function findingsJunit(
  findings: readonly Finding[],
  rules: readonly AnalyzerRule[],
  fails: (finding: Finding) => boolean,
): string {
  const reported = findings.filter((finding) => finding.waived !== undefined || fails(finding));
  const codes = new Set(reported.map(({ code }) => code));
  const silent = rules.filter(({ id }) => !codes.has(id)).map(({ id, name }) => ({ name: id, classname: name }));
  const cases = [...reported.map((finding) => caseOf(finding, rules)), ...silent];
  return junitDocument("findings", [{ name: "incidentctl validate", cases }]);
}

function caseOf({ code, message, at, address, help = "", waived }: Finding, rules: readonly AnalyzerRule[]): JunitCase {
  return {
    name: address === undefined ? code : `${code} ${address}`,
    classname: rules.find(({ id }) => id === code)?.name ?? "configuration",
    at,
    result:
      waived === undefined
        ? { kind: "failure", message, text: sanitised(help) }
        : { kind: "skipped", message: `${waived.reason} (until ${waived.until})` },
  };
}

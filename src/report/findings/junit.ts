/** Findings as JUnit XML, so that a CI system shows them among its tests. */

import type { AnalyzerRule, Finding } from "../../analyze/analyzer.ts";
import { sanitised } from "../../core/sanitise.ts";
import { element, escaped, xmlDocument } from "../format/xml.ts";

/** One case for each finding that fails or is waived, and one that passes for each rule without either. */
export function findingsJunit(
  findings: readonly Finding[],
  rules: readonly AnalyzerRule[],
  fails: (finding: Finding) => boolean,
): string {
  const told = findings.filter((finding) => finding.waived !== undefined || fails(finding));
  const codes = new Set(told.map(({ code }) => code));
  const silent = rules.filter(({ id }) => !codes.has(id));
  const skipped = told.filter(({ waived }) => waived !== undefined).length;
  const counts = { tests: told.length + silent.length, failures: told.length - skipped, errors: 0, skipped };
  const cases = [
    ...told.map((finding) => testCase(finding, rules)),
    ...silent.map(({ id, name }) => element("testcase", { name: id, classname: name }, [])),
  ];
  return xmlDocument(
    element("testsuites", { name: "findings", ...counts }, [
      element("testsuite", { name: "incidentctl validate", ...counts }, cases),
    ]),
  );
}

function testCase({ code, message, at, address, help, waived }: Finding, rules: readonly AnalyzerRule[]): string {
  const rule = rules.find(({ id }) => id === code);
  const attributes = {
    name: address === undefined ? code : `${code} ${address}`,
    classname: rule?.name ?? "configuration",
    ...(at === undefined ? {} : { file: at.file, line: at.line }),
  };
  const content =
    waived === undefined
      ? element("failure", { message }, help === undefined ? [] : [escaped(sanitised(help))])
      : element("skipped", { message: `${waived.reason} (until ${waived.until})` }, []);
  return element("testcase", attributes, [content]);
}

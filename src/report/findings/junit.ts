/** Findings as JUnit XML, for the test reports of CI systems. */

import type { AnalyzerRule, Finding } from "../../analyze/analyzer.ts";
import { sanitised } from "../../core/sanitise.ts";
import { element, escaped, xmlDocument } from "../format/xml.ts";

/** The document: a test case for each finding that fails or is waived, and a passed one for each other rule. */
export function findingsJunit(
  findings: readonly Finding[],
  rules: readonly AnalyzerRule[],
  fails: (finding: Finding) => boolean,
): string {
  const reported = findings.filter((finding) => finding.waived !== undefined || fails(finding));
  const codes = new Set(reported.map(({ code }) => code));
  const silent = rules.filter(({ id }) => !codes.has(id));
  const skipped = reported.filter(({ waived }) => waived !== undefined).length;
  const counts = { tests: reported.length + silent.length, failures: reported.length - skipped, errors: 0, skipped };
  const cases = [
    ...reported.map((finding) => testCase(finding, rules)),
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

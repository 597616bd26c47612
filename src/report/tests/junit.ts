/** Results of routing tests as JUnit XML, for the test reports of CI systems. */

import { sanitised } from "../../core/sanitise.ts";
import { describeDestination } from "../../routing/expectation.ts";
import { countResults, type TestResult, type TestRun } from "../../routing-tests/result.ts";
import { element, escaped, xmlDocument } from "../format/xml.ts";

/** The document. A failed test is a failure, an untrusted one an error. */
export function junitReport(run: TestRun): string {
  const { failed, untrusted } = countResults(run);
  const files = [...new Set(run.results.map(({ at }) => at.file))];
  const counts = { tests: run.results.length, failures: failed, errors: untrusted };
  const suites = files.map((file) =>
    suite(
      file,
      run.results.filter(({ at }) => at.file === file),
    ),
  );
  return xmlDocument(element("testsuites", { name: `routing tests (${run.mode})`, ...counts }, suites));
}

function suite(file: string, results: readonly TestResult[]): string {
  const count = (status: TestResult["status"]) => results.filter((result) => result.status === status).length;
  const attributes = { name: file, tests: results.length, failures: count("failed"), errors: count("untrusted") };
  return element("testsuite", attributes, results.map(testCase));
}

function testCase(result: TestResult): string {
  const { name, at, source = "workspace", status, reasons } = result;
  const attributes = { name, classname: source, file: at.file, line: at.line };
  if (status === "passed") return element("testcase", attributes, []);
  const text = [...reasons, ...(result.destination === undefined ? [] : [describeDestination(result.destination)])];
  const problem = element(status === "failed" ? "failure" : "error", { message: reasons.join("; ") }, [
    escaped(text.map(sanitised).join("\n")),
  ]);
  return element("testcase", attributes, [problem]);
}

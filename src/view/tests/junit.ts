/** Results of routing tests as JUnit XML. */

import { sanitised } from "../../core/sanitise.ts";
import { describeDestination } from "../../kinds/routing/expectation.ts";
import type { TestResult, TestRun } from "../../preview/routing-tests/result.ts";
import { type JunitCase, junitDocument } from "../format/junit.ts";

/** The document. A failed test is a failure, an untrusted one an error. */
export function junitReport(run: TestRun): string {
  const files = [...new Set(run.results.map(({ at }) => at.file))];
  const suites = files.map((name) => ({ name, cases: run.results.filter(({ at }) => at.file === name).map(caseOf) }));
  return junitDocument(`routing tests (${run.mode})`, suites);
}

function caseOf({ name, at, source = "workspace", status, reasons, destination }: TestResult): JunitCase {
  const passed = { name, classname: source, at };
  if (status === "passed") return passed;
  const text = [...reasons, ...(destination === undefined ? [] : [describeDestination(destination)])];
  const kind = status === "failed" ? "failure" : "error";
  return { ...passed, result: { kind, message: reasons.join("; "), text: text.map(sanitised).join("\n") } };
}

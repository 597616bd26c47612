/** JUnit XML, for the test reports of CI systems. */

import type { Location } from "../../core/diagnostic.ts";
import { element, escaped, xmlDocument } from "./xml.ts";

/** A test case; passed if it has no result. */
export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  readonly at?: Pick<Location, "file" | "line"> | undefined;
  readonly result?: {
    readonly kind: "failure" | "error" | "skipped";
    readonly message: string;
    /** Details, safe to show. */
    readonly text?: string | undefined;
  };
}

/** Test cases under one heading. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** The document. */
export function junitDocument(name: string, suites: readonly JunitSuite[]): string {
  const attributes = { name, ...countCases(suites.flatMap(({ cases }) => cases)) };
  return xmlDocument(element("testsuites", attributes, suites.map(suiteElement)));
}

function suiteElement({ name, cases }: JunitSuite): string {
  return element("testsuite", { name, ...countCases(cases) }, cases.map(caseElement));
}

function countCases(cases: readonly JunitCase[]): Readonly<Record<string, number>> {
  const count = (kind: string) => cases.filter(({ result }) => result?.kind === kind).length;
  return { tests: cases.length, failures: count("failure"), errors: count("error"), skipped: count("skipped") };
}

function caseElement({ name, classname, at, result }: JunitCase): string {
  const attributes = { name, classname, ...(at === undefined ? {} : { file: at.file, line: at.line }) };
  if (result === undefined) return element("testcase", attributes, []);
  const { kind, message, text = "" } = result;
  return element("testcase", attributes, [element(kind, { message }, text === "" ? [] : [escaped(text)])]);
}

/** JUnit XML, for the test reports of CI systems. */

import type { Location } from "../../core/diagnostic.ts";
import { sanitised } from "../../core/sanitise.ts";
import { escaped } from "./html.ts";

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

export function junitDocument(name: string, suites: readonly JunitSuite[]): string {
  const attributes = { name, ...countCases(suites.flatMap(({ cases }) => cases)) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", attributes, suites.map(suiteElement))}\n`;
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

/** An element with attributes and content, which is XML already. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly string[],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(sanitised(String(value)))}"`);
  const open = `<${name}${written.join("")}`;
  return content.length === 0 ? `${open}/>` : `${open}>\n${content.join("\n")}\n</${name}>`;
}

import { expect, test } from "vitest";
import { PLANS, parseFormat, parseReportTarget, RESULTS } from "../../src/app/console/formats.ts";
import { EXIT, Stop } from "../../src/core/exit-codes.ts";
import { address, ceiling, kindNames, last, port, positive, variable } from "../../src/core/flag-values.ts";

const known = ["severities", "forms"];

test.each<readonly [flag: string, read: () => unknown, value: unknown]>([
  ["--format json", () => parseFormat(RESULTS)("json"), "json"],
  ["--format markdown", () => parseFormat(PLANS)("markdown"), "markdown"],
  ["--report json=a=b", () => parseReportTarget(PLANS)("json=a=b"), { format: "json", path: "a=b" }],
  ["--var a=b=c", () => variable("a=b=c"), { a: "b=c" }],
  ["--var a= --var b=1", () => variable("b=1", variable("a=")), { a: "", b: "1" }],
  ["--last 1000", () => last("1000"), 1000],
  ["--parallelism 8", () => positive("--parallelism")("8"), 8],
  ["--port 0", () => port("0"), 0],
  ["--max-removals 0", () => ceiling("0"), { entries: 0 }],
  ["--max-removals 30%", () => ceiling("30%"), { percent: 30 }],
  ["--kinds severities,forms", () => kindNames("severities, forms", known), ["severities", "forms"]],
  ["--target severities/critical", () => address("--target", "severities/critical", known), "severities/critical"],
])("%s is valid", (_flag, read, value) => {
  expect(read()).toEqual(value);
});

test.each<readonly [flag: string, read: () => unknown]>([
  ["--format yaml", () => parseFormat(PLANS)("yaml")],
  ["--format markdown, where there is none", () => parseFormat(RESULTS)("markdown")],
  ["--report json", () => parseReportTarget(PLANS)("json")],
  ["--report json=", () => parseReportTarget(PLANS)("json=")],
  ["--report =a", () => parseReportTarget(PLANS)("=a")],
  ["--var a", () => variable("a")],
  ["--var =a", () => variable("=a")],
  ["--last 1001", () => last("1001")],
  ["--last 0", () => last("0")],
  ["--parallelism 0", () => positive("--parallelism")("0")],
  ["--parallelism -1", () => positive("--parallelism")("-1")],
  ["--parallelism 1e3", () => positive("--parallelism")("1e3")],
  ["--port 65536", () => port("65536")],
  ["--port x", () => port("x")],
  ["--max-removals 101%", () => ceiling("101%")],
  ["--max-removals all", () => ceiling("all")],
  ["--kinds colors", () => kindNames("colors", known)],
  ["--kinds (empty)", () => kindNames("", known)],
  ["--target severities", () => address("--target", "severities", known)],
  ["--target colors/red", () => address("--target", "colors/red", known)],
])("%s is a usage error", (_flag, read) => {
  expect(read).toThrow(Stop);
  expect(read).toThrow(expect.objectContaining({ exitCode: EXIT.usage }));
});

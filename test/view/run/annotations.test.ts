import { expect, test } from "vitest";
import { sanitised } from "../../../src/core/sanitise.ts";
import { annotationLines } from "../../../src/view/run/annotations.ts";
import { driftAnnotations, planAnnotations } from "../../../src/view/run/plan-annotations.ts";
import { commandsIn, hostileTexts } from "../../support/samples/hostile-texts.ts";
import { everything } from "../plans.ts";

const at = { file: "a,b:c%.yaml", line: 2, column: 5, length: 3 };

test("a workflow command is escaped", () => {
  const lines = annotationLines(
    [{ level: "error", title: "A001: x", message: "100 %\nnext", at }],
    (file) => `conf/${file}`,
  );
  expect(lines).toEqual([
    "::error file=conf/a%2Cb%3Ac%25.yaml,line=2,col=5,endColumn=8,title=A001%3A x::100 %25%0Anext",
  ]);
});

test("an annotation has no file if the runner does not know it", () => {
  const lines = annotationLines([{ level: "notice", title: "x", message: "m", at }], () => undefined);
  expect(lines).toEqual(["::notice title=x::m"]);
});

test("at most ten annotations of a level are printed, and the rest is counted", () => {
  const many = Array.from({ length: 25 }, (_, number) => ({
    ...{ level: "warning" as const, title: "x", message: `m${number}` },
  }));
  const lines = annotationLines([...many, { level: "error", title: "y", message: "m" }], String);
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe("::error title=y::m");
  expect(lines.at(-1)).toBe("::warning::16 more are in the log");
});

test("a plan has annotations on destructive changes, and drift on differences, where they are declared", () => {
  expect(planAnnotations(everything).map(({ message }) => message)).toEqual([
    "the plan deletes 1 resource; requires --allow-delete",
    "alert_sources/Datadog: delete: not in the configuration",
    'webhooks/pager: renamed_from "Pager" matches nothing any more; it can go',
  ]);
  expect(driftAnnotations(everything)[1]).toEqual({
    ...{ level: "warning", title: "drift", message: "severities/critical: differs: name, description, default" },
    at: { file: "severities.yaml", line: 3, column: 5 },
  });
});

test.each(hostileTexts)("%s neither begins nor ends a command", (_what, text) => {
  const plan = {
    ...everything,
    warnings: [{ code: text, message: text, address: text, source: { file: text, line: 1, column: 1 } }],
    blocked: [],
    changes: [],
  };
  const lines = annotationLines(planAnnotations(plan), String);
  expect(lines).toHaveLength(1);
  const [, properties = "", message = ""] = /^::warning (.*?)::(.*)$/.exec(lines[0] ?? "") ?? [];
  expect(properties.split(",").map((each) => each.split("=")[0])).toEqual([
    ...(sanitised(text) === text ? ["file", "line", "col"] : []),
    "title",
  ]);
  expect(commandsIn(`${properties}${message}`)).toEqual([]);
});

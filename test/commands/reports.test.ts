import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { drift } from "../../src/app/drift/drift-command.ts";
import { validate } from "../../src/app/files/validate-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { show } from "../../src/app/plan/show-command.ts";
import { linksIn } from "../support/markdown.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
const paths = ["."];
const read = (file: string) => readFile(join(world.folder, file), "utf8");

beforeAll(async () => {
  world = await openWorld({
    "severities.yaml": "severities:\n  - { slug: critical, name: Outage }\n  - { slug: major }\n  - { slug: minor }\n",
  });
});

afterAll(() => world.close());

test("a plan is printed in every format, and so is a saved one", async () => {
  const report = [
    { format: "markdown" as const, path: "plan.md" },
    { format: "html" as const, path: "plan.html" },
  ];
  const { stdout } = await world.run(plan, { paths, out: "change.plan", format: "markdown", report });
  expect(stdout).toMatch(/^<!-- incidentctl plan http:\/\/localhost:4010 -->\n## Plan: /);
  expect(await read("plan.md")).toBe(stdout);
  expect(await read("plan.html")).toMatch(/^<!doctype html>.*data-kind="severities"/s);
  const shown = await world.run(show, { planfile: "change.plan", format: "markdown" });
  expect(withoutSeal(shown.stdout)).toBe(withoutSeal(stdout));
});

test("drift as Markdown is a separate comment", async () => {
  const { exit, stdout } = await world.run(drift, { paths, format: "markdown" });
  expect(exit).toBe(2);
  expect(stdout).toMatch(/^<!-- incidentctl drift /);
  expect(stdout).toContain("**Drift: 1 differs.**");
  expect(stdout).toContain('-   name in the workspace: "Critical"\n+   name in the files: "Outage"');
});

test("drift as JUnit fails for each differing resource", async () => {
  const { exit, stdout } = await world.run(drift, { paths, format: "junit" });
  expect(exit).toBe(2);
  expect(stdout).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="drift" tests="1" failures="1" errors="0" skipped="0">
<testsuite name="incidentctl drift http://localhost:4010" tests="1" failures="1" errors="0" skipped="0">
<testcase name="severities/critical" classname="severities" file="severities.yaml" line="2">
<failure message="differs">
name  in the files: &quot;Outage&quot;; in the workspace: &quot;Critical&quot;
</failure>
</testcase>
</testsuite>
</testsuites>
`);
});

test("a run as Markdown has its outcome, and the position of each operation", async () => {
  const report = [
    { format: "markdown" as const, path: "run.md" },
    { format: "html" as const, path: "run.html" },
  ];
  const { exit, stdout } = await world.run(apply, { paths, yes: true, report });
  expect(exit).toBe(0);
  expect(stdout).not.toContain("<!--");
  const text = await read("run.md");
  expect(text).toMatch(/^<!-- incidentctl apply /);
  const page = await read("run.html");
  expect(page).toContain('<p class="headline">Applied: 1 of 1 operation done.</p>');
  expect(page).toContain("Verified: the workspace");
  expect(text).toContain("✅ **Applied: 1 of 1 operation done.** Verified: the workspace");
  expect(linksIn(text)).toEqual([]);
});

test("a run as lines of JSON is printed during the run, and the file has the same lines", async () => {
  await world.send("PATCH", "/api/v1/severities/critical", { name: "Critical" });
  const report = [{ format: "jsonl" as const, path: "run.jsonl" }];
  const { exit, stdout } = await world.run(apply, { paths, yes: true, format: "jsonl", report });
  expect(exit).toBe(0);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual(["planned", "started", "done", "summary"]);
  expect(events.at(-1)).toMatchObject({ counts: { done: 1 }, verification: { status: "verified" } });
  expect(await read("run.jsonl")).toBe(stdout);
  const nothing = await world.run(apply, { paths, yes: true, format: "jsonl" });
  expect(nothing.stdout.match(/"event":"\w+"/g)).toEqual(['"event":"planned"', '"event":"summary"']);
});

test("on GitHub Actions files are annotated and the step gets a summary; stdout stays the output", async () => {
  await world.send("PATCH", "/api/v1/severities/critical", { name: "Critical" });
  await world.write({
    "sub/x.yaml": "severities:\n  - { slug: critical }\n  - { slug: minor, default: true }\n",
    "bad/severities.yaml": "severities:\n  - { nmae: a }\n",
  });
  Object.assign(world.io.env, {
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: "summary.md",
    GITHUB_WORKSPACE: world.folder,
  });
  try {
    const planned = await world.run(plan, { paths: ["sub/x.yaml"] });
    expect(planned.stderr).toContain("::warning title=blocked::");
    expect(planned.stderr).toMatch(/^::warning file=sub\/x\.yaml,line=\d+,col=\d+,title=plan::severities\//m);
    expect(planned.stdout).not.toMatch(/^::/m);
    const drifted = await world.run(drift, { paths: ["severities.yaml"] });
    expect(drifted.stderr).toMatch(
      /^::warning file=severities\.yaml,line=2,col=\d+,title=drift::severities\/critical: /m,
    );
    const wrong = await world.run(validate, { paths: ["bad"] });
    expect(wrong.stderr).toMatch(/^::error file=bad\/severities\.yaml,line=2,col=5,endColumn=\d+,title=E_/m);
    const run = await world.run(apply, { paths: ["severities.yaml"], yes: true });
    expect(run.exit).toBe(0);
    const summary = await read("summary.md");
    expect(summary).toMatch(/^<!-- incidentctl plan .*^<!-- incidentctl apply /ms);
    world.io.env.GITHUB_STEP_SUMMARY = "nowhere/summary.md";
    const unwritten = await world.run(plan, { paths: ["severities.yaml"] });
    expect(unwritten.exit).toBe(0);
    expect(unwritten.stderr).toContain("cannot write the job summary: ");
  } finally {
    delete world.io.env.GITHUB_ACTIONS;
  }
});

/** The hash of a plan that is saved holds the workspace's identity too. */
function withoutSeal(markdown: string): string {
  return markdown.replace(/plan `[0-9a-f]+`/, "plan");
}

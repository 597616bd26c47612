/** The pipeline, read by gitlab-ci-local: GitLab's published schema, and the jobs of each type of pipeline. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pipelineOf } from "../../src/app/init/component.ts";
import { commitAll, type Ended, newFolder, root, run, succeed, tools } from "./support.ts";

let folder: string;
beforeAll(async () => {
  folder = newFolder();
  writeFileSync(join(folder, "README.md"), "A configuration.\n");
  await commitAll(folder);
  await succeed(folder, "git", ["branch", "--move", "main"]);
  await succeed(folder, "git", ["remote", "add", "origin", "git@gitlab.example:acme/incidents.git"]);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Lists the jobs of the pipeline that these variables start, by name. */
async function listed(text: string, variables: Readonly<Record<string, string>> = {}): Promise<Ended> {
  writeFileSync(join(folder, ".gitlab-ci.yml"), text);
  mkdirSync(join(folder, ".gitlab-ci-local"), { recursive: true });
  const words = Object.entries(variables).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
  return run(folder, join(tools, "gitlab-ci-local"), ["--list-json", ...words], { HOME: folder });
}

const component = readFileSync(join(root, "templates/gitlab/template.yml"), "utf8");
const template = pipelineOf(component);

describe("the pipeline", () => {
  test.each([
    ["of a merge request", { CI_PIPELINE_SOURCE: "merge_request_event" }, ["review: [workspace]", "comment"]],
    [
      "of a push to the default branch",
      { CI_PIPELINE_SOURCE: "push" },
      ["apply: [workspace]", "apply proposal: [workspace]", "report"],
    ],
    ["of a schedule", { CI_PIPELINE_SOURCE: "schedule" }, ["drift: [workspace]"]],
    [
      "of a schedule for pulls",
      { CI_PIPELINE_SOURCE: "schedule", INCIDENTCTL_SCHEDULE: "pull" },
      ["pull: [workspace]"],
    ],
  ])("%s has these jobs", async (_, variables, names) => {
    const { exit, stdout, stderr } = await listed(template, variables);
    expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining("json schema validated") });
    // Warnings precede the list.
    const list = stdout.slice(stdout.indexOf("\n[") + 1);
    const jobs: readonly { readonly name: string; readonly when: string }[] = JSON.parse(list);
    const active = jobs.filter(({ when }) => when !== "never").map(({ name }) => name.replace("incidentctl ", ""));
    expect(active).toEqual(names);
  });

  test("with two units has a job for each", async () => {
    const row = "INCIDENTCTL_UNIT: [workspace]";
    expect(template).toContain(row);
    const more = row.replace("workspace", "workspace, payments");
    const { stdout } = await listed(template.replace(row, more), { CI_PIPELINE_SOURCE: "merge_request_event" });
    expect(stdout).toContain('"incidentctl review: [payments]"');
  });

  test("as a component has a job for each unit that the including file names", async () => {
    mkdirSync(join(folder, "templates/gitlab"), { recursive: true });
    writeFileSync(join(folder, "templates/gitlab/template.yml"), component);
    await succeed(folder, "git", ["add", "templates"]);
    const list = JSON.stringify(["workspace", "payments"].map((name) => ({ name, directory: name })));
    const including = `include:
  - component: $CI_SERVER_FQDN/acme/incidents/gitlab@$CI_COMMIT_SHA
    inputs: { units: [workspace, payments], list: '${list}' }
`;
    const { stdout, stderr } = await listed(including, { CI_PIPELINE_SOURCE: "merge_request_event" });
    expect(stderr).toContain("json schema validated");
    const jobs: readonly { readonly name: string; readonly when: string }[] = JSON.parse(
      stdout.slice(stdout.indexOf("\n[") + 1),
    );
    const active = jobs.filter(({ when }) => when !== "never").map(({ name }) => name);
    expect(active).toEqual([
      "incidentctl review: [workspace]",
      "incidentctl review: [payments]",
      "incidentctl comment",
    ]);
  });

  test.each([
    ["a misspelt key", "resource_group:", "resource_groups:"],
    ["a condition that is none", "when: manual", "when: by hand"],
    ["a job that is needed and missing", "needs: [incidentctl review]", "needs: [incidentctl check]"],
  ])("with %s is refused", async (_, right, wrong) => {
    expect(template).toContain(right);
    expect((await listed(template.replace(right, wrong), { CI_PIPELINE_SOURCE: "merge_request_event" })).exit).not.toBe(
      0,
    );
  });
});

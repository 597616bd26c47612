/** What was reviewed is applied, or nothing is: our pipeline on a stand-in for GitLab, with the built program and a real workspace. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GitLabWorld, type JobRun, openGitLab, variablesOf } from "./simulator/gitlab-world.ts";
import { rename } from "./simulator/severities-world.ts";
import { startWorkspace } from "./simulator/world.ts";

let workspace: Awaited<ReturnType<typeof startWorkspace>>;
let world: GitLabWorld;

beforeEach(async () => {
  workspace = await startWorkspace();
  world = await openGitLab(rename("Critical"), [["workspace", "."]], variablesOf(workspace));
});
afterEach(async () => {
  expect(world.gitlab.complaints).toEqual([]);
  await world.close();
  await workspace.close();
});

function exits(jobs: readonly JobRun[]): readonly number[] {
  return jobs.map(({ exit }) => exit);
}

/** The fingerprint of the proposal of a job. */
function fingerprint({ folder }: JobRun, unit = "workspace"): string {
  return JSON.parse(readFileSync(join(folder, "reports", unit, "proposal.json"), "utf8")).seal.fingerprint;
}

describe("a merge request", { timeout: 600_000 }, () => {
  test.each([false, true])("is planned, and applied as it was reviewed; merged results: %s", async (mergedResults) => {
    const merge = await world.open("outage", rename("Outage"), { mergedResults });
    const [note] = world.gitlab.notes;
    expect(note?.body).toMatch(/^<!-- incidentctl review -->\n## incidentctl review\n\n\S+ \*\*/);
    expect(note?.body).toContain(merge.sha);
    const commit = world.merge(merge);
    const pipeline = 900;
    const [applied] = await world.run("incidentctl apply", commit, {}, pipeline);
    expect(applied).toMatchObject({ exit: 0, stdout: expect.stringContaining("Verified") });
    expect(await workspace.severities()).toContain("Outage");
    // What apply did is a comment of its own.
    expect(exits(await world.run("incidentctl report", commit, {}, pipeline))).toEqual([0]);
    expect(world.gitlab.notes.map(({ on }) => on)).toEqual(Array(2).fill(`merge_requests/${merge.iid}`));
    expect(world.gitlab.notes[1]?.body).toMatch(/^<!-- incidentctl apply 900 -->\n## incidentctl apply\n\n✅ /);
  });

  test("that brings reports of its own is refused: no job runs, and nothing of them is a comment", async () => {
    const planted = { "reports/evil/results.json": "{}\n", "reports/evil/outputs": "NODE_OPTIONS=--require=./x.cjs\n" };
    const merge = await world.open("evil", { ...rename("Outage"), ...planted });
    expect(exits(await world.review(merge))).toEqual([1, 1]);
    expect(world.gitlab.notes).toEqual([]);
  });

  test("has the reports that GitLab shows: numbers of changes, and findings", async () => {
    const webhooks =
      "webhooks:\n  - { name: Chat, url: http://chat.example.com/hook, subscribed_events: [incident.created] }\n";
    const merge = await world.open("hook", { ...rename("Outage"), "webhooks.yaml": webhooks });
    const read = (name: string) => {
      const folder = world.gitlab.jobs.find(({ name: job }) => job.startsWith("incidentctl review"))?.folder ?? "";
      return readFileSync(join(folder, "reports/workspace", name), "utf8");
    };
    const { summary, seal } = JSON.parse(read("plan.json"));
    expect(summary).toMatchObject({ create: 1, delete: 0 });
    expect(JSON.parse(read("terraform.json"))).toEqual({ create: 1, update: summary.update + summary.move, delete: 0 });
    expect(JSON.parse(read("codequality.json"))).toEqual([
      {
        description: expect.stringContaining("plain http"),
        check_name: "A007",
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: "minor",
        location: { path: "webhooks.yaml", lines: { begin: 2 } },
      },
    ]);
    expect(read("outputs")).toBe(
      `changes=true\nblocked=false\ntotals=${JSON.stringify(summary)}\nfingerprint=${seal.fingerprint}\n`,
    );
    expect(world.gitlab.notes[0]?.body).toContain(merge.sha);
  });
});

describe("nothing is applied", { timeout: 600_000 }, () => {
  async function expectNothing(jobs: readonly JobRun[], message: string): Promise<void> {
    expect(jobs).toMatchObject([{ exit: 5 }]);
    expect(`${jobs[0]?.stdout}${jobs[0]?.stderr}`).toContain(message);
    expect(workspace.writes.filter((call) => !call.endsWith("/api_keys"))).toEqual([]);
  }

  test("of a commit that comes from no merge request, or is no longer the newest of the branch", async () => {
    const commit = world.repository.commit("main", rename("Outage"));
    world.gitlab.branches.set("main", commit);
    await expectNothing(await world.run("incidentctl apply", commit), "is not the merge of a merge request");
    world.gitlab.branches.set("main", world.repository.commit("main", rename("Later")));
    await expectNothing(await world.run("incidentctl apply", commit), `Nothing of ${commit} is applied`);
  });

  test("of a review after the merge, of an earlier commit, of another job, or of the project of a fork", async () => {
    const merge = await world.open("outage", rename("Outage"));
    const { pipelines, jobs } = world.gitlab;
    const [pipeline] = pipelines;
    const [job] = jobs;
    if (pipeline === undefined || job === undefined) throw new Error("there is no review");
    const commit = world.merge(merge);
    for (const change of [
      { sha: "0".repeat(40) },
      { project_id: 43 },
      { source: "push" },
      { ref: "refs/heads/outage" },
      { name: "incidentctl review: [workspace2]" },
      { name: "my incidentctl review: [workspace]" },
      { finished_at: "2026-11-20T23:00:00Z" },
      { status: "failed" as const },
    ]) {
      pipelines.splice(0, 1, { ...pipeline, ...change });
      jobs.splice(0, 1, { ...job, ...change });
      const found = await world.run("incidentctl apply", commit);
      await expectNothing(found, "no plan of workspace from before the merge");
    }
  });

  test("of a review of merged results for another target branch, whose pipeline the merged diff does not show", async () => {
    const other = world.repository.commit("evil-base", { ".gitlab-ci.yml": "evil\n" });
    const merge = await world.open("outage", rename("Outage"), { mergedResults: true });
    const [pipeline] = world.gitlab.pipelines;
    world.gitlab.parents.set(pipeline?.sha ?? "", [other, merge.sha]);
    const found = await world.run("incidentctl apply", world.merge(merge));
    await expectNothing(found, "no plan of workspace from before the merge");
  });

  test("of a plan that was made again after the approval, until somebody approves that one", async () => {
    const merge = await world.open("outage", rename("Outage"));
    world.approve(merge);
    await workspace.send("PATCH", "/api/v1/severities/critical", { name: "Edited" });
    workspace.writes.length = 0;
    const again = await world.review(merge);
    expect(exits(again)).toEqual([0, 5]);
    expect(again[1]?.stderr).toContain("the plan has changed since it was approved");
    const commit = world.merge(merge);
    await expectNothing(await world.run("incidentctl apply", commit), "the plan has changed since it was approved");
  });

  test("of a review for another target branch, which the merge request had before", async () => {
    const merge = await world.open("outage", rename("Outage"));
    const note = { id: 1, iid: 0, on: `merge_requests/${merge.iid}`, author: { id: 9 }, web_url: "", system: true };
    world.gitlab.notes.push({ ...note, body: "changed target branch from `evil-base` to `main`" });
    await expectNothing(await world.run("incidentctl apply", world.merge(merge)), "its target branch was changed");
  });

  test("of a reviewed plan that no longer holds; its proposal needs its fingerprint", async () => {
    const merge = await world.open("outage", rename("Outage"));
    await workspace.send("PATCH", "/api/v1/severities/critical", { name: "Small" });
    workspace.writes.length = 0;
    const commit = world.merge(merge);
    const pipeline = 900;
    const [stale] = await world.run("incidentctl apply", commit, {}, pipeline);
    expect(stale?.exit).toBe(5);
    expect(workspace.writes).toEqual([]);
    if (stale === undefined) throw new Error("there is no job");
    const apply = (hash: string) =>
      world.run("incidentctl apply proposal", commit, { INCIDENTCTL_FINGERPRINT: hash }, pipeline);
    expect(exits(await apply(""))).toEqual([64]);
    expect(exits(await apply("0".repeat(32)))).toEqual([5]);
    expect(workspace.writes).toEqual([]);
    expect(exits(await apply(fingerprint(stale)))).toEqual([0]);
    expect(await workspace.severities()).toContain("Outage");
  });
});

test("two jobs that share a runner and its temporary folder do not meet", { timeout: 120_000 }, async () => {
  const merges = await Promise.all([world.open("one", rename("One")), world.open("two", rename("Two"))]);
  const textOf = (at: number) => world.gitlab.notes.find(({ on }) => on === `merge_requests/${merges[at]?.iid}`)?.body;
  expect(world.gitlab.notes).toHaveLength(2);
  expect(textOf(0)).toMatch(/"One"/);
  expect(textOf(1)).toMatch(/"Two"/);
});

test("drift and merges of other files neither stop a reviewed plan nor are applied with it", {
  timeout: 120_000,
}, async () => {
  await workspace.send("PATCH", "/api/v1/severities/minor", { name: "Small" });
  workspace.writes.length = 0;
  const merge = await world.open("outage", rename("Outage"));
  const commit = world.merge(merge);
  const other = world.merge(await world.open("docs", { "README.md": "x\n" }));
  expect(world.gitlab.notes.map(({ on }) => on)).toEqual([`merge_requests/${merge.iid}`]);
  const [applied] = await world.run("incidentctl apply", commit);
  expect(applied, applied?.stderr).toMatchObject({ exit: 0 });
  expect(exits(await world.run("incidentctl apply", other))).toEqual([0]);
  expect(workspace.writes).toEqual(["PATCH /api/v1/severities/critical"]);
});

/** The comments of the pipelines: understood in ten seconds, never an old verdict, and never a reason for a red check. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Pull } from "./simulator/github.ts";
import { logOf, openBeforeEach, rename, settings, workspace, world } from "./simulator/severities-world.ts";
import { root, script } from "./workflow.ts";

openBeforeEach(settings);

const PROGRAM = join(root, "dist/cli.cjs");
const PLANNED = { unit: "workspace", results: { validate: 0, plan: 0 } };

/** The results of a unit's commands, and its reports by file. */
interface Reports {
  readonly unit?: string;
  readonly results?: Readonly<Record<string, number>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs only the comment of a review whose reports are these. */
async function comment(
  pull: Pull,
  { unit = "workspace", results = PLANNED.results, files = {} }: Reports,
  env: Record<string, string> = {},
  link?: string,
) {
  const folder = join(world.machine.folder, `reviews-${world.github.nextId()}`);
  mkdirSync(folder);
  const list = Object.entries(results).map(([command, code]) => ({ command, code }));
  writeFileSync(join(folder, "results.json"), JSON.stringify({ unit, attempt: "1", results: list }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  if (link !== undefined) symlinkSync("/etc/passwd", join(folder, link));
  const event = join(world.machine.folder, `event-${world.github.nextId()}.json`);
  const head = { sha: pull.head, ref: pull.branch, repo: { id: 1 } };
  writeFileSync(event, JSON.stringify({ pull_request: { number: pull.number, head }, repository: { id: 1 } }));
  const variables = {
    GITHUB_ACTIONS: "true",
    GITHUB_API_URL: world.github.url,
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_REPOSITORY: "acme/incidents",
    GITHUB_REF: "refs/pull/9/merge",
    GITHUB_SHA: pull.head,
    GITHUB_EVENT_PATH: event,
    GITHUB_WORKSPACE: join(world.machine.folder, "checkout"),
    GITHUB_RUN_ID: "7",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_TOKEN: world.github.tokenFor({ "pull-requests": "write" }),
  };
  return script(`"${process.execPath}" "${PROGRAM}" ci notify review "${folder}"`, world.machine.folder, {
    ...variables,
    ...env,
  });
}

const planText = (verdict: string, body = "") =>
  `<!-- incidentctl plan x -->\n## Plan: \`x\`\n\n${verdict}\n\n${body}\n`;

test("a failure replaces the verdict of an earlier commit, and an older run that is started again leaves it alone", async () => {
  const pull = await world.open("rename", rename("Outage"));
  const first = world.review(pull);
  expect(world.comment(pull, "review")).toContain("🟢");
  await world.update(pull, { "severities.yaml": "severities: [{ slug: critical, nam: Oops }]\n" });
  const failed = world.comment(pull, "review");
  expect(failed).toMatch(
    /^<!-- incidentctl review -->\n## incidentctl review\n\n❌ \*\*validate failed: exit code 1\.\*\*\n/,
  );
  expect(failed).toContain('the severity has no field "nam"');
  expect(failed).toContain(`Commit ${pull.head}, [run ${world.review(pull).id}]`);
  expect(failed).not.toContain("🟢");
  await world.start(first);
  expect(first.conclusion).toBe("success");
  expect(logOf(first)).toContain("the pull request has a newer commit");
  expect(world.comment(pull, "review")).toBe(failed);
});

test("a blocked plan fails the check if the team wants so, and is applied with the flags of the team and an approval by hand", async () => {
  world.github.variables.INCIDENTCTL_PLAN_FLAGS = "--fail-on=blocked";
  world.github.variables.INCIDENTCTL_APPLY_FLAGS = "--max-removals=3";
  const webhook = { name: "pager", url: "https://hooks.example.com/x", subscribed_events: [] };
  await workspace.send("POST", "/api/v1/webhooks", webhook);
  const changes = { "webhooks.yaml": "webhooks: []\n", "incidentctl.yaml": null };
  const settings = `version: 1\nbase_url: ${workspace.url}\nconfig: [.]\nremoval: { webhooks: delete }\n`;
  const pull = await world.open("remove", { ...changes, "incidentctl.yaml": settings });
  expect(world.review(pull).conclusion).toBe("failure");
  expect(world.comment(pull, "review")).toContain("⛔ **Plan:");
  expect(world.comment(pull, "review")).toContain("--allow-delete");
  delete world.github.variables.INCIDENTCTL_PLAN_FLAGS;
  await world.start(world.review(pull));
  expect(world.review(pull).conclusion).toBe("success");
  const merged = await world.start(world.merge(pull));
  expect(merged.conclusion).toBe("failure");
  expect(logOf(merged)).toContain("::error title=incidentctl apply (workspace)::An approval is missing");
  workspace.writes.length = 0;
  const approved = await world.start(world.dispatch({ allow_delete: true }));
  expect(approved.conclusion).toBe("success");
  expect(workspace.writes).toHaveLength(1);
  const [, env] = approved.jobs[0]?.environments.find(([step]) => step === "incidentctl ci apply") ?? [];
  expect(env?.INCIDENTCTL_APPROVALS).toBe("--allow-delete");
  expect(JSON.parse(env?.INCIDENTCTL_VARIABLES ?? "{}").INCIDENTCTL_APPLY_FLAGS).toBe("--max-removals=3");
});

test("a rehearsal that passes is told in the verdict, and one with findings below the plan, also of a blocked one, without failing the check", async () => {
  const source = (await workspace.send("POST", "/api/v1/alert_sources", { name: "Datadog", provider: "datadog" })) as {
    readonly slug: string;
  };
  expect(source.slug).toMatch(/./);
  const passing = await world.open("rename", rename("Outage"));
  expect(world.comment(passing, "review")).toMatch(/Plan `[0-9a-f]{8}`\. ✅ \*\*Rehearsal: all checks passed\.\*\*\n/);
  expect(world.comment(passing, "review")).not.toContain("no alert is lost or misrouted");
  const losing = await world.open("lose", {
    "sources.yaml": "alert_sources: [{ name: DatadogEU, provider: datadog }]\n",
  });
  expect(world.review(losing).conclusion).toBe("success");
  const text = world.comment(losing, "review");
  expect(text).toContain("🔴 **Rehearsal: 1 finding.");
  expect(text).toContain("✗ no alert is lost or misrouted");
  expect(text.indexOf("**Rehearsal: `")).toBeGreaterThan(text.indexOf("**Plan: `"));
  // With the plan's own failure, the comment says the same.
  world.github.variables.INCIDENTCTL_PLAN_FLAGS = "--fail-on=blocked";
  await world.start(world.review(losing));
  expect(world.review(losing).conclusion).toBe("failure");
  expect(world.comment(losing, "review")).toContain("🔴 **Rehearsal: 1 finding.");
});

test("in a merge queue the change is checked and planned without a comment", async () => {
  const pull = await world.open("rename", rename("Outage"));
  const before = world.comment(pull, "review");
  const run = await world.queue(pull);
  expect(run.jobs.map(({ name, conclusion }) => [name, conclusion])).toEqual([["review workspace", "success"]]);
  expect(world.comment(pull, "review")).toBe(before);
  // What the queue has planned was not reviewed.
  world.github.artifacts.splice(0, 1);
  const merged = await world.start(world.merge(pull));
  expect(logOf(merged)).toContain("there is no reviewed plan");
});

describe("a comment", () => {
  test("says that a rehearsal did not end, with the end of its log", async () => {
    const results = { validate: 0, plan: 0, rehearse: 6 };
    const files = { "plan.md": planText("🟢 **Plan: 1 to update.**"), "rehearse.log": "no right\n" };
    const reports = { results, files };
    await comment(pull, reports);
    const text = world.comment(pull, "review");
    expect(text).toContain("🟢 **Plan: 1 to update.** ❌ **rehearse failed: authentication or permission error.**");
    expect(text).toContain("no right");
  });

  let pull: Pull;
  beforeEach(() => {
    const head = world.github.repository.commit("change", { "README.md": "x\n" });
    pull = { number: 9, branch: "change", base: "main", head, repositoryId: 1, time: 0, approvals: [] };
    world.github.pulls.push(pull);
  });

  test.each([
    ["may not be written", 403],
    ["has gone", 404],
    ["is refused", 422],
  ])("that %s is a warning", async (_, status) => {
    world.github.failures.push(undefined, undefined, [status]);
    const { exit, stderr } = await comment(pull, { files: { "plan.md": planText("✅ **No changes.**") } });
    expect(exit).toBe(0);
    expect(stderr).toMatch(new RegExp(`^::warning title=incidentctl::no comment: POST .*: ${status}`));
  });

  test("is one among many, and never that of somebody else", async () => {
    const mark = "<!-- incidentctl review -->";
    const add = (body: string, author: string) =>
      world.github.comments.push({ id: world.github.nextId(), on: pull.number, author, body });
    for (let at = 0; at < 120; at += 1) add(`remark ${at}`, at % 2 === 0 ? "somebody" : "github-actions[bot]");
    add(`${mark}\nmine`, "somebody");
    add(`${mark}\r\nold`, "github-actions[bot]");
    await comment(pull, { files: { "plan.md": planText("✅ **No changes.**") } });
    expect(world.github.comments).toHaveLength(122);
    expect(world.github.comments.at(-2)?.body).toBe(`${mark}\nmine`);
    expect(world.github.comments.at(-1)?.body).toContain("✅ **No changes.**");
  });

  test("is asked for again after an error, unless that could write a second one", async () => {
    const posts = () => world.github.requests.filter((request) => request.startsWith("POST")).length;
    world.github.failures.push([502], [502]);
    await comment(pull, { files: { "plan.md": planText("✅ **No changes.**") } });
    expect([posts(), world.github.comments.length]).toEqual([1, 1]);
    world.github.comments.length = 0;
    world.github.failures.push(undefined, undefined, [502]);
    const { exit, stderr } = await comment(pull, { files: { "plan.md": planText("✅ **No changes.**") } });
    expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining("no comment: POST ") });
    expect([posts(), world.github.comments.length]).toEqual([2, 0]);
  });

  test("sends its token only over https", async () => {
    const { exit, stderr } = await comment(pull, {}, { GITHUB_API_URL: "http://forge.example.com" });
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining("only sent over https") });
  });

  test.each([429, 403])("waits for a rate limit of status %i as GitHub asks, and is written once", async (status) => {
    world.github.failures.push(undefined, undefined, [status, { "retry-after": "1" }]);
    const start = Date.now();
    expect((await comment(pull, { files: { "plan.md": planText("✅ **No changes.**") } })).exit).toBe(0);
    expect(Date.now() - start).toBeGreaterThan(900);
    expect(world.comment(pull, "review")).toContain("✅ **No changes.**");
  });

  test("is not opened for a review without changes if the team wants so, but updated", async () => {
    const only = { INCIDENTCTL_COMMENT: "changes" };
    await comment(pull, { files: { "plan.md": planText("✅ **No changes.**") } }, only);
    expect(world.github.comments).toEqual([]);
    await comment(pull, { files: { "plan.md": planText("🟢 **Plan: 1 to update.**") } }, only);
    expect(world.comment(pull, "review")).toContain("1 to update");
    await comment(pull, { files: { "plan.md": planText("✅ **No changes.**") } }, only);
    expect(world.comment(pull, "review")).toContain("✅ **No changes.**");
  });

  test("that would be too long has the verdict and a link to the run", async () => {
    const body = "x".repeat(70_000);
    await comment(pull, { files: { "plan.md": planText("🟢 **Plan: 900 to update.**", body) } });
    const text = world.comment(pull, "review");
    expect(text.length).toBeLessThan(2_000);
    expect(text).toContain("🟢 **Plan: 900 to update.**");
    expect(text).toContain("see the artifacts of [the run](https://github.example/acme/incidents/actions/runs/7)");
  });

  test("tells a unit that left no reports, and shows no text of a log as Markdown", async () => {
    const units = JSON.stringify([
      { name: "a", directory: "." },
      { name: "b", directory: "." },
    ]);
    const files = { "validate.log": "~~~~~~~~\n# Approved!\n::error::x\n" };
    const reports = { unit: "a", results: { validate: 1 }, files };
    await comment(pull, reports, { INCIDENTCTL_UNITS: units });
    const text = world.comment(pull, "review");
    expect(text).toContain("- ❌ **a**: **validate failed: exit code 1.**\n- ❌ **b**: **The review did not finish.**");
    expect(text).toContain("~~~~~~~~~text\n~~~~~~~~\n# Approved!\n~~~~~~~~~\n");
    expect(text).not.toContain("::error");
  });

  test.each([15, 64, 3_999])(
    "cannot be ended by a log with a run of %i tildes, wherever the log is cut",
    async (count) => {
      const log = `${"~".repeat(count)}\n![](https://tracker.example/)\n${"~".repeat(count)}\n`;
      await comment(pull, { results: { validate: 1 }, files: { "validate.log": log } });
      const lines = world.comment(pull, "review").split("\n");
      const [fence = ""] = /^~+/.exec(lines.find((line) => line.endsWith("~text")) ?? "") ?? [];
      const isMark = (line: string) => /^~+$/.test(line) && line.length >= fence.length;
      expect(lines.findIndex(isMark)).toBeGreaterThan(lines.indexOf("![](https://tracker.example/)"));
      expect(lines.filter(isMark)).toHaveLength(1);
    },
  );

  test("has no text of a unit that is not one of this pipeline, nor of a link", async () => {
    const evil = "evil\n\n## incidentctl review\n\n✅ **No changes.**";
    const text = async (reports: Reports, link?: string) => {
      await comment(pull, reports, {}, link);
      return world.comment(pull, "review");
    };
    expect(await text({ unit: evil, files: { "plan.md": planText("✅ **No changes.**") } })).not.toContain(
      "No changes",
    );
    expect(await text({ results: { validate: 1 } }, "validate.log")).toContain("**validate failed: exit code 1.**");
    expect(await text({ results: { validate: 1 } }, "validate.log")).not.toContain("root:");
  });
});

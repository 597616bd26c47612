/** Artifacts, runs and branches of others, against the apply workflow: none of them becomes a reviewed plan. */

import { describe, expect, test } from "vitest";
import { type Artifact, FORK_ID, type Pull, type Run } from "./simulator/github.ts";
import { logOf, openBeforeEach, rename, settings, workspace, world } from "./simulator/severities-world.ts";

const CHANGE = rename("Outage");

openBeforeEach(settings);

/** The artifact with the plan of a pull request. */
function planOf(pull: Pull): Artifact {
  const artifact = world.github.artifacts.find(({ name }) => name === `incidentctl-plan-${pull.number}-workspace-1`);
  if (artifact === undefined) throw new Error("there is no plan");
  return artifact;
}

/** Replaces an artifact by one with other members. */
function replace(artifact: Artifact, change: Partial<Artifact>): void {
  const at = world.github.artifacts.indexOf(artifact);
  world.github.artifacts[at] = { ...artifact, ...change };
}

/** Merges, and expects that nothing is written and a person is asked. */
async function mergeInVain(pull: Pull): Promise<Run> {
  const run = await world.start(world.merge(pull));
  expect(run.conclusion).toBe("failure");
  expect(workspace.writes).toEqual([]);
  expect(await workspace.severities()).not.toContain("Outage");
  return run;
}

test("a fork gets no token and no comment, and its artifacts are no plans", async () => {
  const honest = await world.open("honest", CHANGE);
  const fork = await world.open("fork", CHANGE, { fork: true });
  const review = world.review(fork);
  expect(review.conclusion).toBe("success");
  expect(logOf(review)).toContain("nothing is planned");
  expect(world.github.comments.filter(({ on }) => on === fork.number)).toEqual([]);
  // A fork can change its workflow, and upload what it likes under any name.
  const { files } = planOf(honest);
  replace(planOf(fork), { files });
  expect(logOf(await mergeInVain(fork))).toContain("there is no reviewed plan");
});

describe("a plan of the same tree, under the same name,", () => {
  test("is not taken from the run of another branch", async () => {
    const first = await world.open("first", CHANGE);
    const second = await world.open("second", { ...CHANGE, "README.md": "x\n" });
    world.github.artifacts.splice(world.github.artifacts.indexOf(planOf(second)), 1);
    replace(planOf(first), { name: `incidentctl-plan-${second.number}-workspace-1` });
    await mergeInVain(second);
  });

  test("is not taken from the review of an older commit, of another pull request, or from an expired or failed one", async () => {
    const pull = await world.open("change", CHANGE);
    const older = planOf(pull);
    await world.update(pull, { "README.md": "x\n" });
    const newer = world.github.artifacts.findLast(({ name }) => name === older.name);
    if (newer === undefined || newer === older) throw new Error("there is no second plan");
    replace(newer, { expired: true });
    const review = world.review(pull);
    expect(review.conclusion).toBe("success");
    const merged = world.merge(pull);
    const refused = async (): Promise<void> => {
      await world.start(merged);
      expect(logOf(merged)).toContain("there is no reviewed plan");
      expect(workspace.writes).toEqual([]);
    };
    await refused();
    const again = world.github.artifacts.findLast(({ name }) => name === older.name);
    if (again === undefined) throw new Error("there is no plan");
    replace(again, { expired: false, name: "incidentctl-plan-1-workspace-1" });
    await refused();
    const renamed = world.github.artifacts.findLast(({ name }) => name === "incidentctl-plan-1-workspace-1");
    if (renamed === undefined) throw new Error("there is no plan");
    replace(renamed, { name: older.name });
    review.conclusion = "failure";
    await refused();
  });
});

describe("a plan that the workflow of another base may have made is not applied", () => {
  test("if a second pull request has the same commit and another base, open or closed", async () => {
    const pull = await world.open("change", CHANGE);
    const other = { ...pull, number: world.github.nextId(), base: "evil-base", isClosed: true };
    world.github.pulls.push(other);
    expect(logOf(await mergeInVain(pull))).toContain(`#${other.number} has the same commit and another base`);
  });

  test("if the pull request had another base before", async () => {
    const pull = await world.open("change", CHANGE);
    pull.isRetargeted = true;
    expect(logOf(await mergeInVain(pull))).toContain(`the base of #${pull.number} was changed`);
  });
});

describe("an artifact with", () => {
  const evil = Buffer.from("webhooks:\n  - { name: evil, url: https://evil.example }\n");

  test("a changed plan and other files beside it changes nothing of what is applied", async () => {
    const pull = await world.open("change", CHANGE);
    const { files } = planOf(pull);
    // The plan is made again from the files, so nothing that its text says is sent.
    const plan = files.get("change.plan")?.toString("utf8").replaceAll("Outage", "Forged") ?? "";
    const more = [
      ["change.plan", Buffer.from(plan)],
      ["evil.yaml", evil],
      ["../evil.yaml", evil],
    ] as const;
    replace(planOf(pull), { files: new Map([...files, ...more]) });
    const run = await world.start(world.merge(pull));
    expect(run.conclusion).toBe("success");
    expect(workspace.writes).toEqual(["PATCH /api/v1/severities/critical"]);
    expect(await workspace.severities()).toContain("Outage");
  });

  test("a plan of other files, an undo or no plan at all applies nothing", async () => {
    const pull = await world.open("change", CHANGE);
    const other = await world.open("other", { "evil.yaml": evil });
    const plan = planOf(pull).files.get("change.plan")?.toString("utf8") ?? "";
    const texts = [
      planOf(other).files.get("change.plan")?.toString("utf8") ?? "",
      plan.replace("{\n", '{\n  "undoes": "0001",\n'),
      "{}",
    ];
    const merged = world.merge(pull);
    for (const text of texts) {
      replace(planOf(pull), { files: new Map([["change.plan", Buffer.from(text)]]) });
      await world.start(merged);
      expect(merged.conclusion).toBe("failure");
      expect(workspace.writes).toEqual([]);
    }
  });
});

test("a journal is not taken from a run of a tag or of a fork with the name of the branch", async () => {
  const pull = await world.open("change", CHANGE);
  const merged = world.merge(pull);
  const sha = world.github.repository.commit("rogue", { "README.md": "rogue\n" });
  const forged: Partial<Run>[] = [{ headSha: sha, sha }, { repositoryId: FORK_ID }, { event: "pull_request" }];
  for (const change of forged) {
    const run = { ...merged, ...change, id: world.github.nextId(), conclusion: "success" };
    world.github.runs.push(run);
    const files = new Map([["journals/0001.unfinished", Buffer.from("rogue\n")]]);
    const name = "incidentctl-journal-workspace-1";
    world.github.artifacts.push({ id: world.github.nextId(), run: run.id, attempt: 1, name, files, expired: false });
  }
  await world.start(merged);
  expect(logOf(merged)).not.toContain("rogue");
  expect(merged.conclusion).toBe("success");
});

test("a run for another branch gets no token, and would apply nothing with one", async () => {
  world.github.repository.commit("rogue", CHANGE);
  const run = await world.start(world.dispatch({}, "rogue"));
  expect(run.conclusion).toBe("failure");
  expect([...workspace.credentials]).toEqual([]);
  const protection = world.github.environments.get("incidentctl-apply");
  if (protection === undefined) throw new Error("there is no environment");
  world.github.environments.set("incidentctl-apply", { ...protection, rules: [] });
  const careless = await world.start(world.dispatch({}, "rogue"));
  expect(logOf(careless)).toContain("only the branch main is applied");
  expect([...workspace.credentials]).toEqual([]);
});

/** A plan belongs to its change, and an approval to a plan: live edits, re-runs, merges of other files, merge queues, and what is left over. */

import { describe, expect, test } from "vitest";
import { logOf, openBeforeEach, rename, settings, workspace, world } from "./simulator/severities-world.ts";

openBeforeEach(settings);

const byHand = (name: string, slug = "critical") => workspace.send("PATCH", `/api/v1/severities/${slug}`, { name });
const field = (slug: string) => ({
  [`${slug}.yaml`]: `custom_fields:\n  - { slug: ${slug}, name: ${slug}, field_type: text }\n`,
});
const RENAMED = "PATCH /api/v1/severities/critical";

describe("a plan that is made again after the approval", () => {
  test("turns the check red and is not applied, until somebody approves it", async () => {
    const pull = await world.open("rename", rename("Outage"));
    world.approve(pull);
    await byHand("Edited by hand");
    workspace.writes.length = 0;
    const review = await world.start(world.review(pull));
    expect(review.jobs.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ["review workspace", "success"],
      ["comment", "failure"],
    ]);
    expect(logOf(review)).toContain("::error title=incidentctl::the plan has changed since it was approved");
    expect(world.comment(pull, "review")).toContain("❌ **The plan has changed since it was approved.**");
    world.approve(pull);
    await world.start(review);
    expect(review.conclusion).toBe("success");
    expect(world.comment(pull, "review")).not.toContain("changed since");
    const merged = await world.start(world.merge(pull));
    expect(merged.conclusion, logOf(merged)).toBe("success");
    expect(workspace.writes).toEqual([RENAMED]);
  });

  test("is not applied if it is merged all the same", async () => {
    const pull = await world.open("rename", rename("Outage"));
    world.approve(pull);
    await byHand("Edited by hand");
    workspace.writes.length = 0;
    const review = await world.start(world.review(pull));
    // Also where the check is not required, and its result is forgotten.
    review.conclusion = "success";
    const merged = await world.start(world.merge(pull));
    expect(merged.conclusion).toBe("failure");
    expect(logOf(merged)).toContain("the plan has changed since it was approved");
    expect(workspace.writes).toEqual([]);
    expect(world.comment(pull, "apply")).toContain("⛔ **Not applied.**");
  });

  test.each(["NONE", "CONTRIBUTOR"])("is not approved by somebody who may not merge: %s", async (association) => {
    const pull = await world.open("rename", rename("Outage"));
    world.approve(pull);
    await byHand("Edited by hand");
    workspace.writes.length = 0;
    const review = await world.start(world.review(pull));
    world.approve(pull, association);
    expect((await world.start(review)).conclusion).toBe("failure");
    expect((await world.start(world.merge(pull))).conclusion).toBe("failure");
    expect(workspace.writes).toEqual([]);
  });

  test("and is the same needs no other approval", async () => {
    const pull = await world.open("rename", rename("Outage"));
    world.approve(pull);
    await world.start(world.review(pull));
    expect(world.review(pull).conclusion).toBe("success");
    const merged = await world.start(world.merge(pull));
    expect(merged.conclusion, logOf(merged)).toBe("success");
    expect(workspace.writes).toEqual([RENAMED]);
  });
});

test("a pull request of other files has no comment, and its merge undoes nothing that somebody has edited", async () => {
  await byHand("Edited by hand");
  workspace.writes.length = 0;
  const pull = await world.open("docs", { "README.md": "x\n" });
  expect(world.review(pull).conclusion).toBe("success");
  const merged = await world.start(world.merge(pull));
  expect(merged.conclusion, logOf(merged)).toBe("success");
  expect(world.github.comments).toEqual([]);
  expect(workspace.writes).toEqual([]);
});

test("drift of other resources is neither in the plan of a change nor undone by its merge", async () => {
  await byHand("Edited by hand", "major");
  workspace.writes.length = 0;
  const pull = await world.open("rename", rename("Outage"));
  expect(world.comment(pull, "review")).not.toContain("severities/major");
  const merged = await world.start(world.merge(pull));
  expect(merged.conclusion, logOf(merged)).toBe("success");
  expect(workspace.writes).toEqual([RENAMED]);
});

test("with INCIDENTCTL_SCOPE=all, a merge applies every difference that its review has shown", async () => {
  world.github.variables.INCIDENTCTL_SCOPE = "all";
  await byHand("Edited by hand", "major");
  workspace.writes.length = 0;
  const pull = await world.open("rename", rename("Outage"));
  expect(world.comment(pull, "review")).toContain("severities/major");
  const merged = await world.start(world.merge(pull));
  expect(merged.conclusion, logOf(merged)).toBe("success");
  expect(workspace.writes.toSorted()).toEqual([RENAMED, "PATCH /api/v1/severities/major"]);
});

test("a merge of other files before the run has started does not keep it from applying its plan", async () => {
  const run = world.merge(await world.open("rename", rename("Outage")));
  const other = world.merge(await world.open("docs", { "README.md": "x\n" }));
  await world.start(run);
  expect(run.conclusion, logOf(run)).toBe("success");
  await world.start(other);
  expect(other.conclusion, logOf(other)).toBe("success");
  expect(workspace.writes).toEqual([RENAMED]);
});

test("a merge queue pushes two changes at once: each is applied as its pull request has shown it", async () => {
  const pulls = [await world.open("rename", rename("Outage")), await world.open("region", field("region"))];
  for (const pull of pulls) await world.queue(pull);
  const run = await world.start(world.merge(...pulls));
  expect(run.conclusion, logOf(run)).toBe("success");
  expect(workspace.writes).toEqual([RENAMED, "POST /api/v1/custom_fields"]);
});

test("a change that could not be applied is not forgotten: each later run is red and proposes it, until it is applied", async () => {
  const pull = await world.open("rename", rename("Outage"));
  await byHand("Edited by hand");
  workspace.writes.length = 0;
  await world.start(world.merge(pull));
  const later = await world.start(world.merge(await world.open("docs", { "README.md": "x\n" })));
  expect(later.conclusion).toBe("failure");
  expect(workspace.writes).toEqual([]);
  const artifact = world.github.artifacts.find(({ run, name }) => run === later.id && name.includes("-apply-"));
  const { seal } = JSON.parse(artifact?.files.get("proposal.plan")?.toString("utf8") ?? "{}");
  const named = { unit: "workspace", environment: "", fingerprint: seal.fingerprint };
  const done = await world.start(world.propose(named));
  expect(done.conclusion, logOf(done)).toBe("success");
  expect(workspace.writes).toEqual([RENAMED]);
  const last = await world.start(world.push({ "README.md": "y\n" }));
  expect(last.conclusion, logOf(last)).toBe("success");
});

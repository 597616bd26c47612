/** What was reviewed is applied, or nothing is: our workflows on a stand-in for GitHub, with the built program and a workspace on loopback. */

import { describe, expect, test } from "vitest";
import type { Artifact, Run } from "./simulator/github.ts";
import { logOf, openBeforeEach, rename, settings, severities, workspace, world } from "./simulator/severities-world.ts";
import { startWorkspace } from "./simulator/world.ts";

openBeforeEach(settings);

const byHand = (name: string) => workspace.send("PATCH", "/api/v1/severities/critical", { name });

/** The proposal of a run, and the fingerprint that its comment and its Markdown show. */
function proposalOf(run: Run): { readonly artifact: Artifact; readonly fingerprint: string } {
  const artifact = world.github.artifacts.find(({ run: id, name }) => id === run.id && name.includes("-apply-"));
  const plan = artifact?.files.get("proposal.plan");
  if (artifact === undefined || plan === undefined) throw new Error(`run ${run.id} proposes nothing`);
  return { artifact, fingerprint: JSON.parse(plan.toString("utf8")).seal.fingerprint };
}

test("a change is planned with a reader's token, merged, applied, and reported", async () => {
  const pull = await world.open("rename", rename("Outage"));
  const review = world.review(pull);
  expect(review.conclusion).toBe("success");
  const [job] = review.jobs;
  // The checks have no token, and the plan has that of a reader.
  const tokens = job?.environments.filter(([, env]) => Object.keys(env).some((name) => name.includes("TOKEN")));
  expect(tokens?.map(([step, env]) => [step, env.INCIDENTCTL_TOKEN])).toEqual([
    ["incidentctl ci review", workspace.reader],
  ]);
  expect([...workspace.credentials]).toEqual([workspace.reader]);
  const comment = world.comment(pull, "review");
  expect(comment).toMatch(
    /^<!-- incidentctl review -->\n## incidentctl review\n\n🟢 \*\*Plan: 0 to create, 1 to update/,
  );
  expect(comment).toContain(`Commit ${pull.head}, [run ${review.id}](`);
  expect(comment).toMatch(/plan `[0-9a-f]{32}`/);

  const run = await world.start(world.merge(pull));
  expect(run.conclusion).toBe("success");
  expect(await workspace.severities()).toContain("Outage");
  expect(world.comment(pull, "apply")).toMatch(
    /^<!-- incidentctl apply \d+ -->\n## incidentctl apply\n\n✅ \*\*Applied: 1 of 1 operations? done\.\*\* Verified/,
  );
});

test.each(["squash", "rebase"] as const)(
  "a change of two commits is applied as its pull request has shown it: %s, also behind another merge",
  async (way) => {
    const pull = await world.open("rename", rename("Big"));
    await world.update(pull, rename("Outage"));
    const other = await world.open("other", { "README.md": "x\n" });
    await world.start(world.merge(other));
    const run = await world.start(world.mergeBy(way, pull));
    expect(run.conclusion, logOf(run)).toBe("success");
    expect(workspace.operations.map(({ body }) => body)).toEqual([{ name: "Outage" }]);
    expect(world.comment(pull, "apply")).toContain("✅ **Applied: 1 of 1 operation done.**");
  },
);

test("after a hand edit, a commit without a change applies and proposes nothing; a run that a person starts proposes to undo the edit", async () => {
  const pull = await world.open("rename", rename("Outage"));
  await world.start(world.merge(pull));
  await byHand("Edited by hand");
  workspace.writes.length = 0;
  const pushed = await world.start(world.push({ "README.md": "x\n" }));
  expect(pushed.conclusion, logOf(pushed)).toBe("success");
  expect(() => proposalOf(pushed)).toThrow("proposes nothing");
  const run = await world.start(world.dispatch({}));
  expect(run.conclusion).toBe("failure");
  expect(run.jobs[0]?.log).toContain("::error title=incidentctl apply (workspace)::The changes were not reviewed");
  expect(run.jobs[0]?.summary).toContain("❌ **incidentctl apply (workspace)**");
  expect(workspace.writes).toEqual([]);
  expect(await workspace.severities()).toContain("Edited by hand");
  const { fingerprint } = proposalOf(run);
  const done = await world.start(world.propose({ unit: "workspace", environment: "", fingerprint }));
  expect(done.conclusion, logOf(done)).toBe("success");
  expect(await workspace.severities()).toContain("Outage");
});

test("a plan that no longer holds is not applied; the new plan is applied by a run that names it, where GitHub asks a person", async () => {
  const pull = await world.open("rename", rename("Outage"));
  await byHand("Edited by hand");
  workspace.writes.length = 0;
  const stale = await world.start(world.merge(pull));
  expect(stale.conclusion).toBe("failure");
  const { fingerprint } = proposalOf(stale);
  const comment = world.comment(pull, "apply");
  expect(comment).toContain("⛔ **Not applied.** The reviewed plan no longer holds.");
  expect(comment).toContain(`unit \`workspace\` and fingerprint \`${fingerprint}\``);

  const named = { unit: "workspace", environment: "", fingerprint };
  const refused = async (inputs: Readonly<Record<string, string>>, reason: string, actor?: string): Promise<void> => {
    const run = await world.start(world.propose(inputs, actor));
    expect(run.conclusion).toBe("failure");
    expect(logOf(run)).toContain(reason);
    expect(workspace.writes).toEqual([]);
  };
  await refused({ ...named, fingerprint: "0".repeat(32) }, "was proposed for workspace and the newest commit");
  await refused({ ...named, fingerprint: "all" }, "--fingerprint takes the 32 hex digits");
  await refused({ ...named, unit: "nobody" }, "was proposed for nobody and the newest commit");
  const protection = world.github.environments.get("incidentctl-proposal");
  if (protection === undefined) throw new Error("there is no environment");
  // Where GitHub asks no reviewer, the environment has to name the person who starts the run.
  const variables = { ...protection.variables, INCIDENTCTL_APPROVERS: "boss, deputy" };
  world.github.environments.set("incidentctl-proposal", { ...protection, rules: ["branch_policy"] });
  await refused(
    named,
    "somebody may not apply a proposal: the environment incidentctl-proposal has no required reviewers",
  );
  world.github.environments.set("incidentctl-proposal", { ...protection, rules: ["branch_policy"], variables });
  await refused(named, "intern may not apply a proposal", "intern");

  const run = await world.start(world.propose(named, "deputy"));
  expect(run.conclusion, logOf(run)).toBe("success");
  expect(workspace.writes).toEqual(["PATCH /api/v1/severities/critical"]);
  // A proposal is for one commit: after the next one it is another run's business.
  world.push({ "README.md": "x\n" });
  workspace.writes.length = 0;
  await refused(named, "was proposed for workspace and the newest commit", "boss");
});

describe("started again,", () => {
  test("an old run applies nothing, however often", async () => {
    const first = world.merge(await world.open("first", rename("First")));
    await world.start(first);
    await world.start(world.merge(await world.open("second", rename("Second"))));
    workspace.writes.length = 0;
    for (const _ of [1, 2]) {
      await world.start(first);
      expect(first.conclusion).toBe("failure");
      expect(logOf(first)).toContain("which has a run of its own");
    }
    expect(workspace.writes).toEqual([]);
    expect(await workspace.severities()).toContain("Second");
    // The comment tells what its first attempt did.
    expect(world.github.comments.filter(({ body }) => body.includes("apply"))).toHaveLength(2);
    expect(world.github.comments.every(({ body }) => !body.includes("❌"))).toBe(true);
  });

  test("the newest run applies nothing if it has applied its plan, although a hand edit back makes the plan hold again", async () => {
    const merged = world.merge(await world.open("rename", rename("Outage")));
    await world.start(merged);
    expect(merged.conclusion).toBe("success");
    await byHand("Critical");
    workspace.writes.length = 0;
    await world.start(merged);
    expect(merged.conclusion).toBe("success");
    expect(logOf(merged)).toContain("everything that was merged is applied");
    await world.start(world.dispatch({}));
    expect(workspace.writes).toEqual([]);
  });

  test("the newest run applies what it could not apply before, while its plan holds", async () => {
    const pull = await world.open("rename", rename("Outage"));
    const merged = world.merge(pull);
    const names = world.github.environments.get("incidentctl-apply");
    if (names === undefined) throw new Error("there is no environment");
    world.github.environments.set("incidentctl-apply", { ...names, secrets: { INCIDENTCTL_TOKEN: "ff_wrong" } });
    await world.start(merged);
    expect(merged.conclusion).toBe("failure");
    expect(world.comment(pull, "apply")).toContain("❌ **apply failed: authentication or permission error.**");
    world.github.environments.set("incidentctl-apply", names);
    await world.start(merged);
    expect(merged.conclusion).toBe("success");
    expect(await workspace.severities()).toContain("Outage");
    expect(world.comment(pull, "apply")).toContain("✅ **Applied:");
    expect(world.comment(pull, "apply")).toContain("attempt 2");
  });
});

test("a review that is started again after the merge makes no reviewed plan", async () => {
  const pull = await world.open("rename", rename("Outage"));
  await byHand("Edited by hand");
  const merged = world.merge(pull);
  workspace.writes.length = 0;
  await world.start(world.review(pull));
  await world.start(merged);
  expect(merged.conclusion).toBe("failure");
  expect(workspace.writes).toEqual([]);
});

test("of two merges in a row of one unit, the first run leaves everything to the second, which applies both as reviewed", async () => {
  const files = "custom_fields:\n  - { slug: region, name: Region, field_type: text }\n";
  const first = await world.open("first", rename("First"));
  const second = await world.open("second", { "fields.yaml": files });
  const [early, late] = [world.merge(first), world.merge(second)];
  await world.start(early);
  expect(early.conclusion).toBe("failure");
  expect(workspace.writes).toEqual([]);
  await world.start(late);
  expect(late.conclusion, logOf(late)).toBe("success");
  expect(workspace.writes).toEqual(["PATCH /api/v1/severities/critical", "POST /api/v1/custom_fields"]);
  expect(world.comment(second, "apply")).toContain("✅ **Earlier changes applied: 1.**");
});

test("a merge while the run is waiting to apply ends it", async () => {
  const first = world.merge(await world.open("first", rename("First")));
  const second = await world.open("second", rename("Second"));
  world.machine.beforeStep = (name) => {
    if (name !== "incidentctl ci apply") return;
    world.machine.beforeStep = undefined;
    world.merge(second);
  };
  await world.start(first);
  expect(first.conclusion).toBe("failure");
  expect(workspace.writes).toEqual([]);
});

describe("a change of base_url", () => {
  test("in a pull request sends no token anywhere", async () => {
    const other = await startWorkspace();
    const pull = await world.open("steal", { "incidentctl.yaml": `version: 1\nbase_url: ${other.url}\nconfig: [.]\n` });
    expect(world.review(pull).conclusion).toBe("failure");
    expect([...other.credentials, ...workspace.credentials]).toEqual([]);
    expect(world.comment(pull, "review")).toContain("the token is not sent there");
    await world.start(world.merge(pull));
    expect([...other.credentials, ...workspace.credentials]).toEqual([]);
    await other.close();
  });

  test("goes nowhere either when GitHub does not know the address", async () => {
    for (const [name, environment] of world.github.environments) {
      world.github.environments.set(name, { ...environment, variables: {} });
    }
    const pull = await world.open("rename", rename("Outage"));
    expect(world.review(pull).conclusion).toBe("failure");
    expect(logOf(world.review(pull))).toContain("INCIDENTCTL_URL is not set");
    expect([...workspace.credentials]).toEqual([]);
  });
});

test("what only an administrator's token can read is left out of the review, and proposed after the merge", async () => {
  const agents = "agents:\n  - { slug: robot, name: Robot }\n";
  const pull = await world.open("agent", { ...rename("Outage"), "agents.yaml": agents });
  expect(world.comment(pull, "review")).toContain(
    "> This plan is partial: `--exclude agents`.\n\n> Only resources whose declaration differs from the base are planned.",
  );
  const run = await world.start(world.merge(pull));
  expect(run.conclusion).toBe("failure");
  expect(workspace.writes).toEqual(["PATCH /api/v1/severities/critical"]);
  expect(world.comment(pull, "apply")).toMatch(/✅ \*\*Applied: 1 of 1 .*⛔ \*\*Other changes were not reviewed\.\*\*/);
  expect(proposalOf(run).artifact.files.get("proposal.md")?.toString("utf8")).toContain("agents/robot");
});

test("an interrupted run is finished by its next attempt, from its journal", async () => {
  const pull = await world.open("rename", {
    "severities.yaml": severities("Outage").replace("name: Major", "name: Grave"),
  });
  const merged = world.merge(pull);
  workspace.failAfter = 1;
  await world.start(merged);
  expect(merged.conclusion).toBe("failure");
  expect(world.comment(pull, "apply")).toContain("partly applied");
  workspace.failAfter = undefined;
  await world.start(merged);
  expect(logOf(merged)).toContain("Continuing: 1 of 2 operations of run 0001 remain");
  expect(merged.conclusion).toBe("success");
  expect(await workspace.severities()).toEqual(expect.arrayContaining(["Outage", "Grave"]));
});

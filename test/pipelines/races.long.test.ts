/** Runs at once: GitHub's concurrency groups and approvals, and what our workflows make of them. */

import { expect, test } from "vitest";
import type { Run } from "./simulator/github.ts";
import { logOf, openBeforeEach, rename, settings, workspace, world } from "./simulator/severities-world.ts";

openBeforeEach(settings);

const field = (slug: string) => ({
  [`${slug}.yaml`]: `custom_fields:\n  - { slug: ${slug}, name: ${slug}, field_type: text }\n`,
});

/** Runs this when the next step of this name begins; the step waits for it. */
function beforeNext(step: string, action: () => void | Promise<void>): void {
  world.machine.beforeStep = (name) => {
    if (name !== step) return;
    world.machine.beforeStep = undefined;
    return action();
  };
}

/** A run whose reviewed plan no longer holds, and the inputs that name its proposal. */
async function openProposal(): Promise<Readonly<Record<string, string>>> {
  const pull = await world.open("rename", rename("Outage"));
  await workspace.send("PATCH", "/api/v1/severities/critical", { name: "Edited by hand" });
  const stale = await world.start(world.merge(pull));
  const artifact = world.github.artifacts.find(({ run, name }) => run === stale.id && name.includes("-apply-"));
  const { seal } = JSON.parse(artifact?.files.get("proposal.plan")?.toString("utf8") ?? "{}");
  workspace.writes.length = 0;
  return { unit: "workspace", environment: "", fingerprint: seal.fingerprint };
}

test("of two pushes to a pull request, the review of the older commit is cancelled and comments nothing", async () => {
  const pull = await world.open("rename", rename("First"));
  let newer: Promise<Run> | undefined;
  beforeNext("incidentctl ci review", () => {
    newer = world.update(pull, rename("Third"));
  });
  const older = await world.update(pull, rename("Second"));
  await newer;
  expect(older.conclusion).toBe("cancelled");
  expect(world.review(pull).conclusion).toBe("success");
  const comment = world.comment(pull, "review");
  expect(comment).toContain("Third");
  expect(comment).not.toContain("Second");
  expect(comment).toContain(`Commit ${pull.head}, [run ${world.review(pull).id}]`);
});

test("a merge during an apply waits for it; the merge after that takes its place in the queue, and applies both as reviewed", async () => {
  const first = world.merge(await world.open("first", rename("Outage")));
  const pulls = [await world.open("second", field("region")), await world.open("third", field("zone"))];
  const later: Promise<Run>[] = [];
  const steps: string[] = [];
  workspace.beforeWrite = async () => {
    world.machine.beforeStep = (name) => void steps.push(name);
    for (const pull of pulls) {
      const run = world.start(world.merge(pull));
      later.push(run);
      // The write waits, and not for a run: it would end without a response. The third run takes the place of the second one.
      await new Promise((resolve) => setImmediate(resolve));
      expect(world.github.groups.waiting()).toBe(1);
    }
  };
  await world.start(first);
  const [second, third] = await Promise.all(later);
  expect([first, second, third].map((run) => run?.conclusion)).toEqual(["success", "cancelled", "success"]);
  // The apply of the first run had begun; only the third run has another.
  expect(steps.filter((name) => name === "incidentctl ci apply")).toHaveLength(1);
  const created = "POST /api/v1/custom_fields";
  expect(workspace.writes).toEqual(["PATCH /api/v1/severities/critical", created, created]);
  const [missed, latest] = pulls.map((pull) => world.comment(pull, "apply"));
  expect(missed).toContain("❌ **The run did not finish.**");
  expect(latest).toContain("✅ **Earlier changes applied: 1.**");
});

test("two runs for one proposal apply it once", async () => {
  const named = await openProposal();
  const runs = await Promise.all([world.start(world.propose(named)), world.start(world.propose(named))]);
  // Either of them may be first.
  expect(runs.map(({ conclusion }) => conclusion).sort()).toEqual(["failure", "success"]);
  expect(workspace.writes).toEqual(["PATCH /api/v1/severities/critical"]);
});

test("a proposal is applied after its approval only, and not if the branch has moved meanwhile", async () => {
  const named = await openProposal();
  const asked: string[] = [];
  world.github.approve = (_, environment) => {
    asked.push(environment);
    return false;
  };
  expect((await world.start(world.propose(named))).conclusion).toBe("failure");
  expect([asked, workspace.writes]).toEqual([["incidentctl-proposal"], []]);
  world.github.approve = () => {
    world.push({ "notes.yaml": "# Nothing yet.\n" });
    return true;
  };
  const late = await world.start(world.propose(named));
  expect(late.conclusion).toBe("failure");
  expect(logOf(late)).toContain("which has a run of its own");
  expect(workspace.writes).toEqual([]);
});

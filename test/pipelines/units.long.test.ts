/** Environments and directories in one repository: each unit has its own plan, section, runs and proposals. */

import { afterEach, describe, expect, test } from "vitest";
import { allowSlowTests, rename, severities } from "./simulator/severities-world.ts";
import { callers, environmentsOf, openWorld, startWorkspace, type World } from "./simulator/world.ts";

allowSlowTests();

type Workspace = Awaited<ReturnType<typeof startWorkspace>>;
let world: World;
let workspaces: Workspace[] = [];
afterEach(async () => {
  expect(world.github.complaints).toEqual([]);
  await world.close();
  for (const workspace of workspaces) await workspace.close();
  workspaces = [];
});

async function openWorkspace(): Promise<Workspace> {
  const workspace = await startWorkspace();
  workspaces.push(workspace);
  return workspace;
}

describe("two environments of one directory", () => {
  async function openBoth(): Promise<readonly [Workspace, Workspace]> {
    const [production, staging] = [await openWorkspace(), await openWorkspace()];
    const settings = `version: 1
base_url: https://incidents.example.com
config: [.]
environments:
  production: { base_url: "${production.url}" }
  staging: { base_url: "${staging.url}" }
`;
    world = await openWorld({ "incidentctl.yaml": settings, ...rename("Critical") }, [
      ...environmentsOf(production, "-production"),
      ...environmentsOf(staging, "-staging"),
    ]);
    const unit = (name: string) => ({ name, environment: name, directory: "." });
    world.github.variables.INCIDENTCTL_UNITS = JSON.stringify([unit("production"), unit("staging")]);
    return [production, staging];
  }

  test("are planned with their own tokens, shown in one comment, and applied as reviewed", async () => {
    const [production, staging] = await openBoth();
    const pull = await world.open("rename", rename("Outage"));
    expect([...production.credentials]).toEqual([production.reader]);
    expect([...staging.credentials]).toEqual([staging.reader]);
    const comment = world.comment(pull, "review");
    expect(comment).toMatch(/\n- 🟢 \*\*production\*\*: \*\*Plan: .*\n- 🟢 \*\*staging\*\*: \*\*Plan: /);
    const run = await world.start(world.merge(pull));
    expect(run.jobs.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ["apply production", "success"],
      ["apply staging", "success"],
      ["comment", "success"],
    ]);
    expect(await production.severities()).toContain("Outage");
    expect(await staging.severities()).toContain("Outage");
  });

  test("do not touch each other: where one plan no longer holds, the other one is applied", async () => {
    const [production, staging] = await openBoth();
    const pull = await world.open("rename", rename("Outage"));
    await staging.send("PATCH", "/api/v1/severities/critical", { name: "Edited by hand" });
    const run = await world.start(world.merge(pull));
    expect(await production.severities()).toContain("Outage");
    expect(await staging.severities()).toContain("Edited by hand");
    expect(world.comment(pull, "apply")).toMatch(
      /\n- ✅ \*\*production\*\*: .*\n- ⛔ \*\*staging\*\*: \*\*Not applied\./,
    );
    // A proposal is for its unit: the other one has none.
    const artifact = world.github.artifacts.find(
      ({ run: id, name }) => id === run.id && name.startsWith("incidentctl-apply-staging-"),
    );
    const { seal } = JSON.parse(artifact?.files.get("proposal.plan")?.toString("utf8") ?? "{}");
    const propose = (unit: string, environment: string) =>
      world.start(world.propose({ unit, environment, fingerprint: seal.fingerprint }));
    for (const unit of ["production", "nowhere"]) {
      expect((await propose(unit, "production")).conclusion).toBe("failure");
    }
    // The protection that counts is that of the environment whose tokens the run has.
    const other = await propose("staging", "production");
    expect(other.conclusion).toBe("failure");
    expect(other.jobs[0]?.log).toContain('the environment of the unit staging is "staging"');
    expect(await staging.severities()).toContain("Edited by hand");
    const done = await propose("staging", "staging");
    expect(done.conclusion, done.jobs[0]?.log).toBe("success");
    expect(await staging.severities()).toContain("Outage");
  });

  test("fail each for itself: the comment tells the failure of one and the plan of the other", async () => {
    await openBoth();
    const pull = await world.open("rename", rename("Outage"));
    const environment = world.github.environments.get("incidentctl-review-production");
    if (environment === undefined) throw new Error("there is no environment");
    const secrets = { INCIDENTCTL_TOKEN: "ff_wrong" };
    world.github.environments.set("incidentctl-review-production", { ...environment, secrets });
    await world.update(pull, rename("Disaster"));
    const comment = world.comment(pull, "review");
    expect(comment).toMatch(
      /\n- ❌ \*\*production\*\*: \*\*plan failed: authentication or permission error\.\*\*\n- 🟢 \*\*staging\*\*: \*\*Plan: /,
    );
    expect(comment).not.toContain("Outage");
    expect(comment).toContain("Disaster");
  });
});

test("two directories for one workspace have a section and a plan each, and both are applied", async () => {
  const workspace = await openWorkspace();
  const settings = `version: 1\nbase_url: ${workspace.url}\nconfig: [.]\n`;
  const field = (name: string) => `custom_fields:\n  - { slug: region, name: ${name}, field_type: text }\n`;
  world = await openWorld(
    {
      "teams/a/incidentctl.yaml": settings,
      "teams/a/severities.yaml": severities("Critical"),
      "teams/b/incidentctl.yaml": settings,
      "teams/b/fields.yaml": field("Region"),
    },
    environmentsOf(workspace),
  );
  world.github.variables.INCIDENTCTL_UNITS = JSON.stringify([
    { name: "a", directory: "teams/a" },
    { name: "b", directory: "teams/b" },
  ]);
  const pull = await world.open("both", {
    "teams/a/severities.yaml": severities("Outage"),
    "teams/b/fields.yaml": field("Area"),
  });
  const comment = world.comment(pull, "review");
  expect(comment).toMatch(/### a\n[\s\S]*severities\/critical[\s\S]*### b\n[\s\S]*custom_fields\/region/);
  const run = await world.start(world.merge(pull));
  expect(run.conclusion).toBe("success");
  expect(await workspace.severities()).toContain("Outage");
  // What one of them has written does not make the plan of the other one stale.
  expect(new Set(workspace.writes.map((write) => write.split("/")[3]))).toEqual(
    new Set(["severities", "custom_fields"]),
  );
  expect(run.jobs[1]?.log).not.toContain("nothing was written\nreview");
});

test("workflows that call those of this repository plan and apply as whole ones do", async () => {
  const workspace = await openWorkspace();
  const settings = `version: 1\nbase_url: ${workspace.url}\nconfig: [.]\n`;
  const files = { ...callers(), "ci/incidentctl.tgz": "", "incidentctl.yaml": settings, ...rename("Critical") };
  world = await openWorld(files, environmentsOf(workspace));
  const pull = await world.open("rename", rename("Outage"));
  expect(world.comment(pull, "review")).toContain("severities/critical");
  const run = await world.start(world.merge(pull));
  expect(run.conclusion, run.jobs[0]?.log).toBe("success");
  expect(await workspace.severities()).toContain("Outage");
  const [install] = run.jobs[0]?.environments.filter(([step]) => step.startsWith("npm install")) ?? [];
  expect(install?.[1].PROGRAM).toMatch(/^acme\/incidentctl@c{40}$/);
});

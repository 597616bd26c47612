import { join } from "node:path";
import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { show } from "../../../src/app/plan/show-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { openTestWorld, type World } from "../../commands/world.ts";

/** The command that a blocked plan ends with applies that plan, and no other: same service, files, environment and parts. */

const settings = `version: 1
base_url: http://localhost:4010
config: [config]
environments: { staging: {} }
vars: { team: sre }
removal: { default: delete }
`;
const one = "severities:\n  - { slug: minor, name: Minor, default: true }\n";
const two = `${one}  - { slug: major, name: Major }\n`;
const planning = { paths: [], env: "staging" };

/** A workspace with a severity that the files do not have any more. */
async function withRemoval(): Promise<World> {
  const files = { "incidentctl.yaml": settings, "config/s.yaml": two };
  const before = { "before/incidentctl.yaml": settings, "before/config/s.yaml": two };
  const world = await openTestWorld({ ...files, ...before });
  const { exit, stderr } = await world.run(apply, { ...planning, yes: true, allowDelete: true });
  expect(exit, stderr).toBe(0);
  await world.write({ "config/s.yaml": one });
  return world;
}

const commandIn = (text: string): string | undefined => /To approve: (.*)/.exec(text)?.[1];

test.each([
  [{}, "--env staging"],
  [{ url: "http://localhost:4010" }, "--url http://localhost:4010 --env staging"],
  [
    { kinds: "severities", exclude: ["severities/minor"] },
    "--kinds severities --exclude severities/minor --env staging",
  ],
  [{ onlyChanged: true, base: "before" }, "--only-changed --base before --env staging"],
  [{ var: { team: "core" } }, "--env staging --var team=core"],
  [{ out: "a.plan" }, "--plan a.plan --env staging"],
])("of plan with %j", async (options, words) => {
  const world = await withRemoval();
  const { stdout, stderr } = await world.run(plan, { ...planning, ...options });
  expect(commandIn(stdout), stderr).toBe(`incidentctl apply --allow-delete ${words}`);
});

test.each([
  [{ secretsOut: "tokens" }, "--secrets-out tokens --allow-delete"],
  [{ secretsExec: "vault put" }, "--secrets-exec 'vault put' --allow-delete"],
  [{ maxRemovals: { entries: 1 } }, "--max-removals 1 --allow-delete"],
  [{ acceptRoutingWindow: true }, "--accept-routing-window --allow-delete"],
])("with the approval %j that the command line has", async (options, words) => {
  const world = await withRemoval();
  for (const ended of [
    await world.run(plan, { ...planning, ...options }),
    await world.run(apply, { ...planning, ...options }),
  ]) {
    expect(commandIn(ended.stdout), ended.stderr).toBe(`incidentctl apply ${words} --env staging`);
  }
});

test("of a saved plan, and of an undo, names the file of the plan", async () => {
  const world = await withRemoval();
  await world.run(plan, { ...planning, out: "a.plan" });
  expect(commandIn((await world.run(show, { planfile: "a.plan" })).stdout)).toBe(
    "incidentctl apply --allow-delete --plan a.plan --env staging",
  );
});

test("of an undo names the file of its plan", async () => {
  const key = "api_keys: [{ name: bot, permissions: { incidents: [read] } }]\n";
  const world = await openTestWorld({ "incidentctl.yaml": settings, "config/keys.yaml": key });
  const applying = { ...planning, yes: true, allowDelete: true };
  expect((await world.run(apply, { ...applying, secretsOut: join(world.folder, "tokens") })).exit).toBe(0);
  await world.write({ "config/keys.yaml": "api_keys: []\n" });
  expect((await world.run(apply, applying)).exit).toBe(0);
  const { stdout, stderr } = await world.run(undo, planning);
  const command = "incidentctl apply --secrets-out FILE --plan undo.plan --env staging";
  expect(commandIn(stdout), stderr).toBe(command);
  expect(stderr).toContain(`incidentctl undo --run 0002 --out undo.plan --env staging, then ${command}`);
});

test("of an undo of an earlier run names that run", async () => {
  const world = await withRemoval();
  expect((await world.run(apply, { ...planning, yes: true, allowDelete: true })).exit).toBe(0);
  const { stderr } = await world.run(undo, { ...planning, run: "1" });
  expect(stderr).toContain("incidentctl undo --run 0001 --out undo.plan --env staging, then incidentctl apply ");
});

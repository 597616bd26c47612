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
  expect(commandIn(stdout), stderr).toBe("incidentctl apply --secrets-out FILE --plan undo.plan --env staging");
});

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { drift } from "../../../src/app/drift/drift-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { type Ended, openWorld, type World } from "../../commands/world.ts";
import { canaries, leaksIn } from "../../faults/checks/secret-leaks.ts";

/** What an earlier configuration took from the environment is as secret when the files say nothing of it any more. */

const secret = canaries.CANARY_WEBHOOK ?? "";
const secrets: ReadonlyMap<string, string> = new Map([["CANARY_WEBHOOK", secret]]);
const settings = "version: 1\nbase_url: http://localhost:4010\nremoval: { default: delete }\n";
const hook = (url: string) =>
  `webhooks:\n  - { name: pager, url: "${url}", subscribed_events: [incident.escalated] }\n`;
const former = hook("https://pager.example.com/${" + "env:CANARY_WEBHOOK}");
const applying: ApplyFlags = { paths: [], yes: true, allowDelete: true };

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": settings, "hooks.yaml": former });
  Object.assign(world.io.env, { CANARY_WEBHOOK: secret });
  const { exit, stderr } = await world.run(apply, applying);
  expect(exit, stderr).toBe(0);
});
afterEach(() => world.close());

/** Everything that was said, and every file that was written. */
async function expectSecret(...said: readonly Ended[]): Promise<void> {
  const journals = join(world.folder, ".incidentctl", "journals");
  const files = [
    ...(await readdir(journals)).map((name) => join(journals, name)),
    ...["incidentctl.lock", "a.plan"].map((name) => join(world.folder, name)),
  ];
  const texts = await Promise.all(files.map((path) => readFile(path, "latin1").catch(() => "")));
  for (const text of [...said.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...texts]) {
    expect(leaksIn(text, secrets), text).toEqual([]);
  }
}

test.each([
  ["another value is declared", hook("https://pager.example.com/plain"), "1 to update"],
  ["its entry is to go", "webhooks: []\n", "1 to delete"],
])("a former secret is neither shown nor stored if %s", async (_when, files, summary) => {
  await world.write({ "hooks.yaml": files });
  const shown = await world.run(plan, { paths: [], verbose: true, out: "a.plan" });
  expect(shown.stdout).toContain(summary);
  const json = await world.run(plan, { paths: [], format: "json" });
  const page = await world.run(plan, { paths: [], format: "markdown" });
  const drifted = await world.run(drift, { paths: [], format: "json" });
  const applied = await world.run(apply, applying);
  expect(applied.exit, applied.stderr).toBe(0);
  await expectSecret(shown, json, page, drifted, applied);
});

test("it is remembered until another value is declared", async () => {
  const remembered = async () => JSON.parse(await readFile(join(world.folder, "incidentctl.lock"), "utf8")).fields;
  expect(Object.keys(await remembered())).toEqual(["webhooks/pager#url?environment"]);
  await world.write({ "hooks.yaml": "catalog_types:\n  - { slug: shop, name: Shop }\n" });
  expect((await world.run(apply, applying)).exit).toBe(0);
  expect(Object.keys(await remembered())).toEqual(["webhooks/pager#url?environment"]);
  await world.write({ "hooks.yaml": hook("https://pager.example.com/plain") });
  expect((await world.run(apply, applying)).exit).toBe(0);
  expect(Object.keys(await remembered())).toEqual([]);
  await world.write({ "hooks.yaml": hook("https://pager.example.com/other") });
  expect((await world.run(plan, { paths: [] })).stdout).toContain('"https://pager.example.com/plain"');
});

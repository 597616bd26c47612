/** The help for null says what leaving the key out does: within an item of a list, that empties the live value. */

import { expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { openTestWorld, type World } from "../commands/world.ts";

const book = (more: string) => ({ "config/all.yaml": `runbooks:\n  - { slug: one, name: One, ${more} }\n` });

async function appliedWith(more: string): Promise<World> {
  const world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", ...book(more) });
  const ended = await world.run(apply, { paths: [], yes: true });
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  return world;
}

const ITEM = "Write a value. Items of a list are written whole: leaving the key out keeps no live value.";

test.each([
  [
    "steps: [{ title: Look, instruction: Look }]",
    "steps: [{ title: Look, instruction: null }]",
    "steps: [{ title: Look }]",
    2,
  ],
  ["inputs: [{ key: env, question: Which }]", "inputs: [{ key: env, question: null }]", "inputs: [{ key: env }]", 1],
])("within an item: %s", async (live, withNull, without, exit) => {
  const world = await appliedWith(live);
  await world.write(book(withNull));
  const refused = await world.run(plan, { paths: [] });
  expect(refused.stderr).toContain("E_NULL");
  expect(refused.stderr).toContain(ITEM);
  expect(refused.stderr).not.toContain("To keep the live value");
  await world.write(book(without));
  expect((await world.run(plan, { paths: [], detailedExitcode: true })).exit).toBe(exit);
});

test("a watch is emptied by an empty mapping", async () => {
  const world = await appliedWith("watch: { steps: [{ label: Errors }] }");
  await world.write(book("watch: null"));
  const refused = await world.run(plan, { paths: [] });
  expect(refused.stderr).toContain("To empty it, write {}. To keep the live value, delete the key.");
  await world.write(book("watch: {}"));
  const ended = await world.run(apply, { paths: [], yes: true });
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  const answer = JSON.stringify(await world.send("GET", "/api/v1/runbooks"));
  expect(answer).toMatch(/"watch":(\{\}|null)/);
});

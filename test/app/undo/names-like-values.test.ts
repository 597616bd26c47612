import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { openTestWorld } from "../../commands/world.ts";

const FILES = `
catalog_types:
  - { slug: team, entries: [{ slug: alphabet, name: Alphabet }] }
routing_rules:
  workspace:
    - { conditions: [{ field: service, operator: is_one_of, value: ["\${env:WORD}"] }], outcome: { action: drop } }
    - { conditions: [{ field: service, operator: is_one_of, value: [billing] }], outcome: { action: drop } }
`;

test("an undo names a team in the outcome of a rule again, although its slug holds a value of the environment", async () => {
  const world = await openTestWorld({ "workspace.yaml": FILES });
  Object.assign(world.io.env, { WORD: "alphabet" });
  const team = await world.send("POST", "/api/v1/catalog/types/team/entries", { name: "Alphabet" });
  const { id } = team as Fields;
  const invited = { action: "auto_create_incident", invite: [{ type: "team", entry_id: String(id) }] };
  const conditions = (value: string) => [{ field: "service", operator: "is_one_of", value: [value] }];
  const outcomes = { billing: { action: "drop" }, alphabet: invited };
  for (const [value, outcome] of Object.entries(outcomes))
    await world.send("POST", "/api/v1/routing_rules", { enabled: true, conditions: conditions(value), outcome });
  const approvals = { paths: [], yes: true, acceptRoutingWindow: true, maxRemovals: { entries: 100 } };
  const applied = await world.run(apply, approvals);
  expect(applied.exit, applied.stderr).toBe(0);
  const planned = await world.run(undo, { paths: [], out: "undo.plan" });
  expect(planned.exit, planned.stderr).toBe(0);
  const undone = await world.run(apply, { ...approvals, plan: "undo.plan" });
  expect(undone.exit, undone.stdout).toBe(0);
  const live = (await world.send("GET", "/api/v1/routing_rules")) as { routing_rules: readonly Fields[] };
  expect(live.routing_rules.map(({ outcome }) => outcome)).toEqual(Object.values(outcomes));
});

/** The undo of rules, where another rule with a value from the environment stands at a position now. */

import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fields, Json } from "../../../src/core/json.ts";
import { openTestWorld, type World } from "../../commands/world.ts";

const FILES = {
  "rules.yaml": `routing_rules:
  workspace:
    - { outcome: { action: drop } }
    - { enabled: false, outcome: { action: drop } }
    - { enabled: false, conditions: [{ field: service, operator: is_one_of, value: ["\${env:PLACE}", web] }], outcome: { action: drop } }
    - { outcome: { action: auto_create_incident } }
    - { outcome: { action: notify_only, notify: { type: channel, channel_id: "\${env:CHANNEL}" } } }
    - { outcome: { action: auto_create_incident, severity: critical } }
`,
};
const here = { paths: ["."], rate: 1_000_000 };
const services = (...value: readonly string[]): Fields => ({ field: "service", operator: "is_one_of", value });
const notify: Fields = { action: "notify_only", notify: { type: "channel", channel_id: "C1" } };
const drop: Fields = { action: "drop" };

async function listed(world: World): Promise<readonly Json[]> {
  const { routing_rules: rules } = (await world.send("GET", "/api/v1/routing_rules")) as Record<string, Fields[]>;
  return (rules ?? []).map(({ enabled, conditions, outcome }) => [
    enabled ?? null,
    conditions ?? null,
    outcome ?? null,
  ]);
}

test("no rule gets a member of the rule that stands at its position", async () => {
  const world = await openTestWorld(FILES, { requestsPerMinute: 1_000_000 });
  Object.assign(world.io.env, { PLACE: "Alpha", CHANNEL: "C1" });
  for (const [enabled, conditions, outcome] of [
    [false, [], drop],
    [false, [services("Alpha", "web")], drop],
    [true, [], { action: "auto_create_incident" }],
    [true, [services("web")], notify],
    [true, [services("billing", "web")], drop],
    [true, [], notify],
  ] as const) {
    await world.send("POST", "/api/v1/routing_rules", { enabled, conditions, outcome });
  }
  const before = await listed(world);
  const approved = { ...here, yes: true, allowDelete: true, acceptRoutingWindow: true };
  expect(await world.run(apply, approved)).toMatchObject({ exit: 0 });
  expect(await listed(world)).not.toEqual(before);
  expect(await world.run(undo, { ...here, out: "undo.plan" })).toMatchObject({ exit: 0 });
  const ended = await world.run(apply, { ...approved, plan: "undo.plan" });
  expect(ended.exit, ended.stderr).toBe(0);
  expect(await listed(world)).toEqual(before);
});

/** Commands against a newer service, in whose answers every object has a member that this program does not know and that is never the same. */

import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { openTestWorld } from "../../commands/world.ts";
import { altersObjects, answeringIo } from "../altering.ts";

const BEFORE = `severities:
  - { slug: high, name: High, default: true }
catalog_types:
  - slug: squad
    name: Squad
    attributes: [{ name: Tier, attribute_type: text, required: true }, { name: Prod, attribute_type: boolean }]
    entries:
      - { slug: red, name: Red, attributes: { tier: one, prod: false } }
custom_fields:
  - { slug: region, name: Region, field_type: single_select, options: [EU] }
forms:
  declare:
    - { system_field: summary, visible: true, required: false }
    - custom_field: region
      visible: true
      required: false
      conditions: [{ condition_field: severity, operator: one_of, values: [high] }]
runbooks:
  - slug: failover
    name: Failover
    aliases: [one]
    inputs: [{ key: service, question: Which }]
    steps: [{ title: Look, arguments: { days: 90 } }]
    conditions: [{ condition_field: severity, operator: one_of, values: [high] }]
    watch: { steps: [{ capability: metrics.read, resource: web, expect: low }] }
alert_sources:
  - { name: Datadog, provider: datadog }
routing_rules:
  workspace:
    - conditions: [{ field: title, operator: contains, value: x }]
      outcome: { action: auto_create_incident, severity: high, invite: [{ type: owning_team, of: service }] }
    - { enabled: false, outcome: { action: drop } }
webhooks:
  - { name: Chat, url: "https://example.com/", subscribed_events: [incident.created] }
api_keys:
  - { name: Deploy bot, permissions: { incidents: [read] } }
agents:
  - { slug: bot, name: Bot, grants: [{ ability: incidents.read }] }
`;

/** What is changed, of every kind. */
const CHANGES = [
  ["name: High", "name: Higher"],
  ["name: Squad", "name: Squads"],
  ["type: boolean", "type: boolean, required: true"],
  ["tier: one", "tier: two"],
  ["name: Region", "name: Place"],
  ["[EU]", "[EU, NA]"],
  ["required: false", "required: true"],
  ["aliases: [one]", "aliases: [two]"],
  ["question: Which", "question: What"],
  ["title: Look", "title: See"],
  ["expect: low", "expect: up"],
  ["value: x", "value: y"],
  ["provider: datadog", "provider: datadog, enabled: false"],
  ["incident.created", "incident.resolved"],
  ["[read]", "[read, update]"],
  ["name: Bot", "name: Robot"],
  ["ability: incidents.read", "ability: runbooks.read"],
] as const;
const AFTER = CHANGES.reduce((text, [before, after]) => text.replace(before, after), BEFORE);

test("no plan, saved plan or undo depends on members that nobody knows and that change with every answer", async () => {
  for (const [before] of CHANGES) expect(BEFORE).toContain(before);
  const world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/all.yaml": BEFORE,
  });
  let count = 0;
  // Any member of permissions is one, and so is any of arguments. An undo restores a watch with all its members.
  let isWatched = true;
  const counting = altersObjects(
    ({ incidents, days, capability, steps, slug }) =>
      incidents === undefined &&
      days === undefined &&
      (isWatched || (capability === undefined && (steps === undefined || slug !== undefined))),
    (row) => ({ ...row, seen: { times: ++count } }),
  );
  Object.assign(world.io, answeringIo({ ...world.io }, counting));
  const rights = { paths: [], yes: true, allowDelete: true, acceptRoutingWindow: true };
  const isUnchanged = async () => {
    const { exit, stdout } = await world.run(plan, { paths: [], detailedExitcode: true });
    expect(exit, stdout).toBe(0);
  };
  const first = await world.run(apply, { ...rights, secretsOut: "tokens.jsonl" });
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  await isUnchanged();
  await world.write({ "config/all.yaml": AFTER });
  const saved = await world.run(plan, { paths: [], out: "saved.plan" });
  expect(saved.exit, saved.stderr).toBe(0);
  // A rule is written over another one, which may leave there what only the service knows.
  expect(saved.stdout.split("\n").filter((line) => line.includes("seen") && !line.includes("(none)"))).toEqual([]);
  const second = await world.run(apply, { ...rights, plan: "saved.plan" });
  expect(second.exit, second.stdout + second.stderr).toBe(0);
  await isUnchanged();
  isWatched = false;
  expect((await world.run(undo, { paths: [], out: "undo.plan" })).exit).toBe(0);
  const third = await world.run(apply, { ...rights, plan: "undo.plan" });
  expect(third.exit, third.stdout + third.stderr).toBe(0);
  await world.write({ "config/all.yaml": BEFORE });
  await isUnchanged();
  await world.write({ "config/all.yaml": AFTER });
  const fourth = await world.run(apply, rights);
  expect(fourth.exit, fourth.stdout + fourth.stderr).toBe(0);
});

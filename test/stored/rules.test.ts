/** Routing rules and other lists whose values the service stores otherwise than they are sent. */

import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { undo } from "../../src/app/undo/undo-command.ts";
import type { Fields } from "../../src/core/json.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { alteringIo, altersObjects, answeringIo } from "./altering.ts";

let world: World;

const rules = (...channels: readonly string[]): string =>
  `routing_rules:\n  workspace:\n${channels
    .map(
      (channel) =>
        `    - { conditions: [{ field: title, operator: contains, value: v${channel.trim()} }], outcome: { action: notify_only, notify: { type: channel, channel_id: '${channel}' } } }\n`,
    )
    .join("")}`;

/** Opens a workspace on a service that trims channels and appends an x to those that begin with D, and to conditions with a w. */
async function opened(...channels: readonly string[]): Promise<void> {
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/rules.yaml": rules(...channels),
  });
  const stored = (text: string) => text.replaceAll(/"([CD]\d) "/g, '"$1"').replaceAll(/"(v?D\d)"/g, '"$1x"');
  Object.assign(
    world.io,
    alteringIo({ ...world.io }, (body) => JSON.parse(stored(JSON.stringify(body)))),
  );
  expect((await applied()).exit).toBe(0);
}

const applied = () => world.run(apply, { paths: [], yes: true });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const undone = () => world.run(undo, { paths: [] });
const plainly = (text: string) => text.replace(/ +/g, " ");

describe("an undo of rules", () => {
  test.each([
    ["in another form", "C2 ", '"C2" → "C1"'],
    ["with another value, conditions included", "D2", '"D2x" → "C1"'],
  ])("restores the former ones where the service stored the new ones %s", async (_title, channel, change) => {
    await opened("C1");
    await world.write({ "config/rules.yaml": rules(channel) });
    expect((await applied()).exit).toBe(0);
    const { stdout } = await undone();
    expect(stdout).not.toContain("somebody");
    expect(plainly(stdout)).toContain(change);
  });

  test("leaves a list alone that somebody has changed since", async () => {
    await opened("C1");
    await world.write({ "config/rules.yaml": rules("D2") });
    expect((await applied()).exit).toBe(0);
    const outcome = { action: "notify_only", notify: { type: "channel", channel_id: "D3x" } };
    await world.send("PATCH", "/api/v1/routing_rules/1", { outcome });
    expect((await undone()).stdout).toContain(
      "the routing rules of the workspace stay: somebody has changed them since",
    );
  });
});

test("an undo takes the attributes of a created catalog type for its own, where the service stored others", async () => {
  const attributes = "attributes: [{ name: Region, attribute_type: select, options: [EU, NA] }]";
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/types.yaml": `catalog_types:\n  - { slug: vendor, name: Vendor, ${attributes}, entries: [] }\n`,
  });
  const withOthers = altersObjects(
    ({ attribute_type: type }) => type === "select",
    (attribute) => ({ ...attribute, options: ["EU", "NA", "Others"] }),
  );
  Object.assign(world.io, alteringIo({ ...world.io }, withOthers));
  const first = await applied();
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  const { stdout } = await undone();
  expect(stdout).not.toContain("somebody");
  expect(stdout).toContain("- catalog_types/vendor  delete");
});

describe("a rule that is stored in another form", () => {
  test("is no change where others are written above it or removed", async () => {
    await opened("C1 ", "C2 ", "C3 ");
    await world.write({ "config/rules.yaml": rules("C0 ", "C1 ", "C2 ", "C3 ") });
    const inserted = await planned();
    expect(inserted.stdout).toContain("Plan: 1 to create, 0 to update, 0 to move, 0 to disable, 0 to delete.");
    await world.write({ "config/rules.yaml": rules("C2 ", "C3 ") });
    const removed = await planned();
    expect(removed.stdout).toContain("Plan: 0 to create, 0 to update, 0 to move, 0 to disable, 1 to delete.");
    await world.write({ "config/rules.yaml": rules("C3 ", "C1 ", "C2 ") });
    const moved = await planned();
    expect(moved.stdout).toContain("Plan: 0 to create, 0 to update, 1 to move, 0 to disable, 0 to delete.");
  });
});

test.each(["conditions", "enabled"])("rules whose %s the service does not return are written once", async (member) => {
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/rules.yaml": rules("C1").replace("{ conditions", "{ enabled: false, conditions"),
  });
  const isRule = (object: Fields) => object.outcome !== undefined;
  const withoutMember = altersObjects(isRule, ({ [member]: _, ...others }) => others);
  Object.assign(world.io, answeringIo({ ...world.io }, withoutMember));
  const first = await applied();
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  const second = await planned();
  expect(second.exit, second.stdout).toBe(0);
});

test("rules are recorded by their places, also where the next plan would pair them otherwise", async () => {
  const drop = "{ conditions: [], enabled: false, outcome: { action: drop } }";
  const notify = "{ conditions: [], outcome: { action: notify_only, notify: { type: channel, channel_id: C1 } } }";
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/rules.yaml": `routing_rules:\n  workspace:\n    - ${drop}\n    - ${notify}\n`,
  });
  const withoutNotify = altersObjects(
    ({ notify: channel }) => channel !== undefined,
    ({ notify: _ignored, ...others }) => others,
  );
  const withoutSwitch = altersObjects(
    ({ outcome }) => outcome !== undefined,
    ({ enabled: _unreturned, ...others }) => others,
  );
  Object.assign(world.io, answeringIo({ ...world.io, ...alteringIo({ ...world.io }, withoutNotify) }, withoutSwitch));
  const first = await applied();
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  const second = await planned();
  expect(second.exit, second.stdout).toBe(0);
  expect(second.stdout).toContain("routing_rules/workspace/2: the service stores its outcome as");
});

test("rules whose texts the service alters are known under a source that it stores under quite another name", async () => {
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/rules.yaml": `alert_sources: [{ name: Datadog, provider: datadog }]\n${rules("C1", "C2").replace("workspace:", "sources:\n    Datadog:")}`,
  });
  const turned = (body: Fields): Fields =>
    typeof body.name === "string" ? { ...body, name: [...body.name].toReversed().join("") } : body;
  const stored = (body: Fields): Fields => JSON.parse(JSON.stringify(turned(body)).replaceAll('"vC', '"VC'));
  Object.assign(world.io, alteringIo({ ...world.io }, stored));
  const first = await applied();
  expect(first.exit, first.stdout + first.stderr).toBe(0);
  expect(first.stdout).toContain('stored the name of alert_sources/Datadog as "godataD"');
});

test("a rule whose values the service alters is known at another place, and is not sent again", async () => {
  await opened("D1", "D2");
  for (const channels of [["D2"], ["C3", "D2"], ["D2", "C3"], ["D2"]]) {
    await world.write({ "config/rules.yaml": rules(...channels) });
    const ended = await applied();
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout).not.toContain("~ routing_rules");
    const next = await planned();
    expect(next.exit, next.stdout).toBe(0);
  }
});

test("a rule that is copied on the way is sent without members that the service answers empty", async () => {
  const rules = (title: string, action: string) =>
    `routing_rules:\n  workspace:\n    - { conditions: [{ field: title, operator: contains, value: ${title} }], outcome: { action: drop } }\n    - { conditions: [{ field: title, operator: contains, value: two }], outcome: { action: ${action} } }\n    - { outcome: { action: drop } }\n`;
  world = await openTestWorld({
    "incidentctl.yaml": "version: 1\nconfig: [config]\n",
    "config/rules.yaml": rules("one", "attach_to_incident"),
  });
  // The service refuses an outcome of drop with invite, also an empty one.
  const isOutcome = ({ action }: Fields) => action !== undefined;
  const withEmpty = altersObjects(isOutcome, (outcome) => ({ notify: null, invite: [], ...outcome }));
  Object.assign(world.io, answeringIo({ ...world.io }, withEmpty));
  expect((await applied()).exit).toBe(0);
  await world.write({ "config/rules.yaml": rules("other", "auto_create_incident") });
  const { exit, stdout, stderr } = await world.run(apply, { paths: [], yes: true, allowDelete: true });
  expect(stdout).toContain("in 6 writes");
  expect(exit, stdout + stderr).toBe(0);
  expect((await planned()).exit).toBe(0);
});

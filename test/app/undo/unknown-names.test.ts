/** An undo of values with names that only a newer service knows, such as a permission of a service key or an event. */

import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { type Fields, fieldsIn, isFields, isList, type Json, listIn } from "../../../src/core/json.ts";
import { openTestWorld, type World } from "../../commands/world.ts";
import { alteringIo, altersObjects, answeringIo } from "../../stored/altering.ts";

const SETTINGS = "version: 1\nconfig: [config]\n";
const key = (permissions: string) => `api_keys:\n  - { name: Deploy bot, permissions: { ${permissions} } }\n`;
const webhook = (events: string) =>
  `webhooks:\n  - { name: Chat, url: "https://example.com/", subscribed_events: [${events}] }\n`;

/** A world whose service adds a permission to each key, and an event to each webhook. */
async function openAdding(text: string): Promise<World> {
  const world = await openTestWorld({ "incidentctl.yaml": SETTINGS, "config/all.yaml": text });
  const withPermission = altersObjects(
    ({ permissions }) => isFields(permissions),
    (row) => ({ ...row, permissions: { ...fieldsIn(row.permissions), holidays: ["read"] } }),
  );
  const withEvent = altersObjects(
    ({ subscribed_events: events }) => isList(events),
    (row) => ({ ...row, subscribed_events: [...listIn(row.subscribed_events), "holiday.begun"] }),
  );
  Object.assign(
    world.io,
    answeringIo({ ...world.io }, (body, request) => withEvent(withPermission(body, request), request)),
  );
  return world;
}

/** The bodies that a world is sent from now on. */
function bodiesTo(world: World): readonly Fields[] {
  const bodies: Fields[] = [];
  const record = (body: Fields): Fields => {
    bodies.push(body);
    return body;
  };
  Object.assign(world.io, alteringIo({ ...world.io }, record));
  return bodies;
}

const rights = { paths: [], yes: true, allowDelete: true, secretsOut: "tokens.jsonl" };

async function applied(world: World, text: string): Promise<void> {
  await world.write({ "config/all.yaml": text });
  const ended = await world.run(apply, rights);
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
}

/** Undoes the last run, and returns the plan. */
async function undone(world: World): Promise<string> {
  const { stdout, stderr } = await world.run(undo, { paths: [], out: "undo.plan" });
  const ended = await world.run(apply, { ...rights, plan: "undo.plan" });
  expect(ended.exit, stderr + ended.stdout + ended.stderr).toBe(0);
  return stdout;
}

test.each([
  ["permissions", key("incidents: [read]"), key("incidents: [read, create]"), { incidents: ["read"] }, "holidays"],
  ["subscribed_events", webhook("lead.assigned"), webhook("role.assigned"), ["lead.assigned"], "holiday.begun"],
])(
  "names that the service adds are not sent back, and the files from before have no change: %s",
  async (field, before, after, sent, name) => {
    const world = await openAdding(before);
    await applied(world, before);
    await applied(world, after);
    const bodies = bodiesTo(world);
    expect(await undone(world)).toContain(`${name} in its ${field} is not sent, since the service adds it [W_UNDO]`);
    expect(bodies).toEqual([{ [field]: sent }]);
    await world.write({ "config/all.yaml": before });
    const next = await world.run(plan, { paths: [], detailedExitcode: true });
    expect(next.exit, next.stdout).toBe(0);
  },
);

test.each([
  ["permissions", key("incidents: [read]"), "api_keys: []\n", { incidents: ["read"] }, "holidays"],
  ["subscribed_events", webhook("lead.assigned"), "webhooks: []\n", ["lead.assigned"], "holiday.begun"],
])("what is created again lacks them, and the undo says so: %s", async (field, before, after, sent, name) => {
  const world = await openAdding(before);
  await applied(world, before);
  await applied(world, after);
  const bodies = bodiesTo(world);
  const text = await undone(world);
  expect(text).toContain(`is created again without ${name} in its ${field}, which this program does not know [W_UNDO]`);
  expect(bodies[0]?.[field]).toEqual(sent);
});

test("a name that the run has taken away is sent back to the service that knows it", async () => {
  const [before, after] = [key("incidents: [read], holidays: [read]"), key("incidents: [read]")];
  const world = await openTestWorld({ "incidentctl.yaml": SETTINGS, "config/all.yaml": before });
  let holidays: Json | undefined;
  const isHolder = ({ permissions }: Fields): boolean => isFields(permissions) && holidays !== undefined;
  const stored = answeringIo(
    { ...world.io },
    altersObjects(isHolder, (row) => ({
      ...row,
      permissions: { ...fieldsIn(row.permissions), holidays: holidays ?? null },
    })),
  );
  const io = alteringIo(stored, (body) => {
    const { holidays: own, ...permissions } = fieldsIn(body.permissions);
    holidays = own;
    return { ...body, permissions };
  });
  Object.assign(world.io, io);
  await applied(world, before);
  await applied(world, after);
  const bodies = bodiesTo(world);
  expect(await undone(world)).not.toContain("W_UNDO");
  expect(bodies).toEqual([{ permissions: { incidents: ["read"], holidays: ["read"] } }]);
});

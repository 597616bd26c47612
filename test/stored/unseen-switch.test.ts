/** A service that never returns whether a resource is enabled. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { pull } from "../../src/app/pull/pull-command.ts";
import { undo } from "../../src/app/undo/undo-command.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { altersObjects, answeringIo } from "./altering.ts";

let world: World;

const SETTINGS = "version: 1\nconfig: [config]\n";
const ROLE = "incident_roles:\n  - { slug: scribe, name: Scribe }\n";
const BOTH = `${ROLE}  - { slug: liaison, name: Liaison }\n`;
const applied = (options = {}) => world.run(apply, { paths: [], yes: true, allowDelete: true, ...options });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const writes = (): number => world.requests.filter(({ method }) => method !== "GET").length;

/** A workspace in which an apply has disabled the role liaison, of which the service does not say so. */
async function withDisabledRole(): Promise<void> {
  world = await openTestWorld({ "incidentctl.yaml": SETTINGS, "config/roles.yaml": BOTH });
  const unreturned = altersObjects(
    ({ slug }) => slug !== undefined,
    ({ enabled: _unreturned, ...row }) => row,
  );
  Object.assign(world.io, answeringIo({ ...world.io }, unreturned));
  expect((await applied()).exit).toBe(0);
  await world.write({ "config/roles.yaml": ROLE });
  const removed = await applied();
  expect(removed.exit, removed.stdout + removed.stderr).toBe(0);
}

test("it is disabled once, and pull does not write it back", async () => {
  await withDisabledRole();
  const before = writes();
  const second = await planned();
  expect(second.exit, second.stdout).toBe(0);
  expect((await applied()).exit).toBe(0);
  expect(writes()).toBe(before);
  expect((await world.run(pull, { paths: [] })).exit).toBe(0);
  expect(await readFile(join(world.folder, "config/roles.yaml"), "utf8")).not.toContain("liaison");
});

test("it is enabled where the files list it again, once", async () => {
  await withDisabledRole();
  await world.write({ "config/roles.yaml": BOTH });
  const listed = await planned();
  expect(listed.exit, listed.stdout).toBe(2);
  const ended = await applied();
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  const next = await planned();
  expect(next.exit, next.stdout).toBe(0);
});

test("undo says that it stays disabled", async () => {
  await withDisabledRole();
  const undone = await world.run(undo, { paths: [] });
  expect(undone.stdout).toContain("incident_roles/liaison: the service does not return its enabled");
  expect(undone.stdout).not.toContain("somebody");
});

/** Fields that the service does not return, after an apply with nothing to do. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../src/app/apply/apply-command.ts";
import { plan } from "../../src/app/plan/plan-command.ts";
import { openTestWorld, type World } from "../commands/world.ts";
import { altersObjects, answeringIo } from "./altering.ts";

let world: World;

const SEVERITY = "severities:\n  - { slug: high, name: High, description: Down, default: true }\n";
const applied = () => world.run(apply, { paths: [], yes: true, allowDelete: true });
const planned = () => world.run(plan, { paths: [], detailedExitcode: true });
const declare = (text: string) => world.write({ "config/severities.yaml": text });

/** Applies on a service that returns no description, and then once more with nothing to do and without the lock of the first apply. */
async function openMatching(text: string): Promise<void> {
  world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", "config/severities.yaml": text });
  const unreturned = altersObjects(
    ({ slug }) => slug === "high",
    ({ description: _unreturned, ...row }) => row,
  );
  Object.assign(world.io, answeringIo({ ...world.io }, unreturned));
  expect((await applied()).exit).toBe(0);
  await rm(join(world.folder, "incidentctl.lock"));
  const { requests } = world;
  const before = requests.length;
  const second = await applied();
  expect(second.stdout).toContain("No changes.");
  expect(requests.slice(before).every(({ method }) => method === "GET")).toBe(true);
}

describe("an apply with nothing to do records the fields that the service does not return", () => {
  test("and the next edit of one is a change", async () => {
    await openMatching(SEVERITY);
    expect((await planned()).exit).toBe(0);
    await declare(SEVERITY.replace("Down", "Off"));
    const edited = await planned();
    expect(edited.exit, edited.stdout).toBe(2);
    expect(edited.stdout.replace(/ +/g, " ")).toContain('description "(not returned)" → "Off"');
  });

  test("and a field that the files declare from then on is one too", async () => {
    await openMatching(SEVERITY.replace("description: Down, ", ""));
    await declare(SEVERITY);
    const added = await planned();
    expect(added.exit, added.stdout).toBe(2);
    expect((await applied()).exit).toBe(0);
    expect((await planned()).exit).toBe(0);
  });

  test("but not those that it leaves out", async () => {
    await openMatching(SEVERITY);
    await rm(join(world.folder, "incidentctl.lock"));
    const partial = await world.run(apply, { paths: [], yes: true, allowDelete: true, exclude: ["severities/high"] });
    expect(partial.exit, partial.stderr).toBe(0);
    await declare(SEVERITY.replace("Down", "Off"));
    expect((await planned()).exit).toBe(0);
  });
});

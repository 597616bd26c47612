/** Undo plans that send what earlier runs have sent, and not what the service made of it. */

import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fields, Json } from "../../../src/core/json.ts";
import { openTestWorld } from "../../commands/world.ts";
import { alteringIo, altersField, altersObjects, answeringIo } from "../../stored/altering.ts";

const files = (text: string) => ({
  "config/all.yaml": `severities:
  - { slug: high, name: High, description: ${text}, default: true }
runbooks:
  - { slug: one, name: One, summary: ${text} }
`,
});
const escaped = (value: Json | undefined): Fields =>
  typeof value === "string" ? { text: value.replaceAll("&", "&amp;") } : {};

test.each([
  ["only reads escape it", false, "R&D"],
  ["each write adds to it", true, "R&D (see wiki)"],
])("a former value is sent as it was sent before where %s", async (_title, isStored, last) => {
  const world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", ...files('"R&D"') });
  const inReads = altersObjects(
    ({ slug }) => slug !== undefined && !isStored,
    ({ description, summary, ...row }) => {
      const { text: shown = description ?? null } = escaped(description);
      const { text: summed = summary ?? null } = escaped(summary);
      return { ...row, description: shown, summary: summed };
    },
  );
  const linked = altersField("description", (text) => `${text} (see wiki)`);
  const network = isStored ? alteringIo({ ...world.io }, linked) : { ...world.io };
  const reads = answeringIo(network, inReads);
  Object.assign(world.io, {
    fetch: (...[input, init]: Parameters<typeof network.fetch>) =>
      (init.method === "GET" ? reads : network).fetch(input, init),
  });
  const applied = (more: { readonly plan?: string } = {}) =>
    world.run(apply, { paths: [], yes: true, allowDelete: true, ...more });
  for (const text of ['"R&D"', "Others"]) {
    await world.write(files(text));
    expect((await applied()).exit).toBe(0);
  }
  expect((await world.run(undo, { paths: [], out: "undo.plan" })).exit).toBe(0);
  const undone = await applied({ plan: "undo.plan" });
  expect(undone.exit, undone.stdout + undone.stderr).toBe(0);
  const { severities } = (await world.send("GET", "/api/v1/severities")) as { severities: readonly Fields[] };
  expect(severities.find(({ slug }) => slug === "high")?.description).toBe(last);
  await world.write(files('"R&D"'));
  const next = await world.run(plan, { paths: [], detailedExitcode: true });
  expect(next.exit, next.stdout).toBe(0);
});

test("rules are restored without members that the service answers empty, and refuses", async () => {
  const rules = (value: string) => ({
    "config/all.yaml": `routing_rules:
  workspace:
    - { conditions: [{ field: title, operator: contains, value: ${value} }], outcome: { action: drop } }
`,
  });
  const world = await openTestWorld({ "incidentctl.yaml": "version: 1\nconfig: [config]\n", ...rules("x") });
  const filled = altersObjects(
    ({ action }) => action !== undefined,
    (outcome) => ({ severity: null, invite: [], notify: null, ...outcome }),
  );
  Object.assign(world.io, answeringIo({ ...world.io }, filled));
  const rights = { paths: [], yes: true, allowDelete: true, acceptRoutingWindow: true };
  for (const value of ["x", "y"]) {
    await world.write(rules(value));
    expect((await world.run(apply, rights)).exit).toBe(0);
  }
  expect((await world.run(undo, { paths: [], out: "undo.plan" })).exit).toBe(0);
  const undone = await world.run(apply, { ...rights, plan: "undo.plan" });
  expect(undone.exit, undone.stdout + undone.stderr).toBe(0);
  await world.write(rules("x"));
  const next = await world.run(plan, { paths: [], detailedExitcode: true });
  expect(next.exit, next.stdout).toBe(0);
});

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../src/app/apply/apply-definition.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { openWorld, type World } from "../../commands/world.ts";

/** No machine of one's own, whatever its name begins with. */
const HOST = "https://localhost.example.com";
const settings = `version: 1\nbase_url: ${HOST}\nremoval: { default: keep, webhooks: delete }\n`;
const severities = (names: readonly string[]) =>
  `severities:\n${names.map((name) => `  - { slug: ${name.toLowerCase()}, name: ${name} }\n`).join("")}`;
const applying: ApplyFlags = { paths: [], yes: true, allowDelete: true, maxRemovals: { entries: 100 } };

let world: World;
let other: Emulator;
beforeEach(async () => {
  other = createEmulator();
  world = await openWorld({ "incidentctl.yaml": settings, "a.yaml": severities(["One", "Two", "Three"]) });
  world.io.env.INCIDENTCTL_URL = HOST;
});
afterEach(async () => {
  await other.close();
  await world.close();
});

/** From now on the token is for another workspace at the same address. */
function turn(): void {
  const tokens = new Map([
    [world.emulator.serviceToken, other.serviceToken],
    [world.emulator.adminToken, other.adminToken],
  ]);
  Object.assign(world.io, {
    fetch: (input: string, init: { method: string; headers: Record<string, string>; body?: string }) => {
      const [, token = ""] = (init.headers.authorization ?? "").split(" ");
      world.requests.push({ method: init.method, url: input, authorization: null });
      const headers = { ...init.headers, authorization: `Bearer ${tokens.get(token) ?? ""}` };
      return other.fetch(new Request(input, { ...init, headers }));
    },
  });
}

async function expectApplied(): Promise<void> {
  const { exit, stdout, stderr } = await world.run(apply, applying);
  expect(exit, stdout + stderr).toBe(0);
}

test("a token for another workspace is an error before any write", async () => {
  await expectApplied();
  await world.write({ "a.yaml": severities(["One", "Two", "Three", "Four"]) });
  turn();
  const before = world.requests.length;
  const { exit, stderr } = await world.run(apply, applying);
  expect(exit, stderr).toBe(3);
  expect(stderr).toContain("this may be another workspace");
  expect(world.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  const [, path = ""] = /remove (\S+)/.exec(stderr) ?? [];
  await rm(join(world.folder, path));
  await expectApplied();
});

const hooks = (names: readonly string[]) =>
  `webhooks:${names.map((name) => `\n  - { name: ${name}, url: "https://hooks.example.com/", subscribed_events: [] }`).join("")}${names.length === 0 ? " []" : ""}\n`;

test("a long list that is empty now is reported before it is created again, unless the last run emptied it", async () => {
  const five = ["a", "b", "c", "d", "e"];
  await world.write({ "a.yaml": hooks(five) });
  await expectApplied();
  await world.write({ "a.yaml": hooks([...five, "f"]) });
  await expectApplied();
  const { webhooks } = (await world.send("GET", "/api/v1/webhooks")) as { webhooks: { id: string }[] };
  for (const { id } of webhooks) await world.send("DELETE", `/api/v1/webhooks/${id}`);
  const { exit, stderr } = await world.run(apply, applying);
  expect(exit, stderr).toBe(3);
  expect(stderr).toContain("none of the webhooks that the last run saw exists");
  expect((await world.run(plan, { paths: [] })).stdout).toContain("6 to create");
  await rm(join(world.folder, ".incidentctl"), { recursive: true });
  await expectApplied();
  await world.write({ "a.yaml": hooks([]) });
  await expectApplied();
  await world.write({ "a.yaml": hooks(five) });
  await expectApplied();
});

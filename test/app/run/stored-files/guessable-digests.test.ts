/** Digests in saved plans and journals: none is of a value that may be secret, because a short one could be guessed. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../../src/app/apply/apply-definition.ts";
import { plan } from "../../../../src/app/plan/plan-command.ts";
import { fingerprint } from "../../../../src/plan/model/plan.ts";
import { type Ended, openWorld, type World } from "../../../commands/world.ts";

const settings = "version: 1\nbase_url: http://localhost:4010\n";
const applying: ApplyFlags = { paths: [], yes: true, allowDelete: true, maxRemovals: { entries: 9 } };
const address = (pin: string) => `https://pager.example.com/${pin}`;
const fromEnvironment = {
  "hooks.yaml": `webhooks:\n  - { name: pager, url: "https://pager.example.com/\${env:PIN}" }\n`,
};
const hook = (name: string, pin: string) => ({ name, url: address(pin), subscribed_events: ["incident.created"] });

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": settings });
});
afterEach(() => world.close());

async function saved(): Promise<{
  readonly seal: Record<"configuration" | "live" | "fingerprint" | "hash", string> & {
    readonly rows: Record<string, string>;
  };
}> {
  expect((await world.run(plan, { paths: [], out: "change.plan" })).exit).toBe(0);
  return JSON.parse(await readFile(join(world.folder, "change.plan"), "utf8"));
}

function applySaved(): Promise<Ended> {
  return world.run(apply, { ...applying, plan: "change.plan" });
}

describe("a saved plan", () => {
  test("has the same digests of the live state whatever the address of a webhook is", async () => {
    await world.write({ "hooks.yaml": "webhooks:\n  - { name: board, url: https://board.example.com/ }\n" });
    const created = (await world.send("POST", "/api/v1/webhooks", hook("pager", "482913"))) as { readonly id: string };
    const before = await saved();
    await world.send("PATCH", `/api/v1/webhooks/${created.id}`, { url: address("482914") });
    const after = await saved();
    expect(after.seal.live).toBe(before.seal.live);
    expect(after.seal.rows).toEqual(before.seal.rows);
    expect(before.seal.rows["webhooks/pager"]).toContain("name:");
  });

  test("has no digest of a live value where the files take it from the environment", async () => {
    world.io.env.PIN = "482913";
    await world.write(fromEnvironment);
    const created = (await world.send("POST", "/api/v1/webhooks", hook("pager", "1"))) as { readonly id: string };
    const before = await saved();
    await world.send("PATCH", `/api/v1/webhooks/${created.id}`, { url: address("2") });
    const after = await saved();
    expect(after.seal.live).toBe(before.seal.live);
    expect(after.seal.rows).toEqual(before.seal.rows);
  });

  test.each(["482913", "a-long-value-482913"])(
    "has the same digests as one with another value than %j",
    async (pin) => {
      const key = "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read] } }\n";
      const agent = `agents:\n  - { slug: triage_bot, name: "\${env:PIN}" }\n`;
      await world.write({ ...fromEnvironment, "key.yaml": key, "agent.yaml": agent });
      world.io.env.PIN = pin;
      const one = await saved();
      world.io.env.PIN = "738221-and-more";
      const other = await saved();
      const digests = ({ seal: { configuration, live, fingerprint, hash } }: typeof one) => ({
        configuration,
        live,
        fingerprint,
        hash,
      });
      expect(digests(other)).toEqual(digests(one));
    },
  );

  test("is stale if the live value is the declared one by now", async () => {
    world.io.env.PIN = "482913";
    await world.write(fromEnvironment);
    const created = (await world.send("POST", "/api/v1/webhooks", hook("pager", "1"))) as { readonly id: string };
    await saved();
    await world.send("PATCH", `/api/v1/webhooks/${created.id}`, { url: address("482913") });
    const { exit, stderr } = await applySaved();
    expect(exit).toBe(5);
    expect(stderr).toContain("webhooks/pager  url  changed");
  });

  test("is stale if an address that the files declare has changed", async () => {
    await world.write({ "hooks.yaml": `webhooks:\n  - { name: pager, url: "${address("3")}" }\n` });
    const created = (await world.send("POST", "/api/v1/webhooks", hook("pager", "1"))) as { readonly id: string };
    await saved();
    await world.send("PATCH", `/api/v1/webhooks/${created.id}`, { url: address("2") });
    const { exit, stderr } = await applySaved();
    expect(exit).toBe(5);
    expect(stderr).toContain("webhooks/pager");
  });
});

describe("a journal", () => {
  /** The text of all journals. */
  async function journals(): Promise<string> {
    const folder = join(world.folder, ".incidentctl", "journals");
    const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"));
    return (await Promise.all(texts)).join("");
  }

  test("has no digest of the address of a webhook that is removed or overwritten from the environment", async () => {
    world.io.env.PIN = "482913";
    await world.write(fromEnvironment);
    await world.send("POST", "/api/v1/webhooks", hook("pager", "7755"));
    await world.send("POST", "/api/v1/webhooks", hook("board", "8866"));
    const { exit, stderr } = await world.run(apply, applying);
    expect(exit, stderr).toBe(0);
    const text = await journals();
    for (const pin of ["482913", "7755", "8866"]) expect(text).not.toContain(fingerprint(address(pin)));
  });
});

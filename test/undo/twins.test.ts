import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../src/commands/apply.ts";
import { undo } from "../../src/commands/undo.ts";
import type { Fields } from "../../src/core/json.ts";
import { openWorld, type World } from "../commands/world.ts";

let world: World;
afterEach(() => world.close());

const approvals = { allowDelete: true, maxRemovals: { entries: 1000 }, secretsOut: "tokens", yes: true };
const url = (name: string) => `https://${name}.example.com/`;

/** A workspace in which each name of a webhook is taken as often as it is stated; returns their ids. */
async function workspaceOf(...names: readonly string[]): Promise<readonly string[]> {
  world = await openWorld({ "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n" });
  const ids: string[] = [];
  for (const [at, name] of names.entries()) {
    const body = { name, url: url(`w${at}`), subscribed_events: ["incident.created"] };
    const { id } = (await world.send("POST", "/api/v1/webhooks", body)) as Fields;
    ids.push(String(id));
  }
  return ids;
}

async function webhooks(): Promise<readonly string[]> {
  const { webhooks: rows } = (await world.send("GET", "/api/v1/webhooks")) as { webhooks: readonly Fields[] };
  return rows.map((row) => `${row.name} ${row.url}`).sort();
}

async function applied(text: string): Promise<void> {
  await world.write({ "a.yaml": text });
  const ended = await world.run(apply, { paths: [], ...approvals });
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
}

async function undone(run = "1"): Promise<string> {
  const planned = await world.run(undo, { paths: [], out: "undo.plan", run });
  expect(planned.exit, planned.stderr).toBe(0);
  const ended = await world.run(apply, { paths: [], ...approvals, plan: "undo.plan" });
  expect(ended.exit, planned.stdout + ended.stdout + ended.stderr).toBe(0);
  return planned.stdout;
}

const list = (...rows: readonly string[]) => `webhooks:\n${rows.map((row) => `  - { ${row} }\n`).join("")}`;

describe("undo where several webhooks have one name", () => {
  test("gives each of them its former values", async () => {
    const [one, other] = await workspaceOf("w", "w");
    const before = await webhooks();
    await applied(list(`name: w, id: ${one}, url: "${url("a")}"`, `name: w, id: ${other}, url: "${url("b")}"`));
    await undone();
    expect(await webhooks()).toEqual(before);
  });

  test("renames the one that the run renamed", async () => {
    const [one, other, third] = await workspaceOf("w", "w", "x");
    const before = await webhooks();
    await applied(list(`name: x, id: ${one}`, `name: w, id: ${other}`, `name: x, id: ${third}`));
    await undone();
    expect(await webhooks()).toEqual(before);
  });

  test("creates the one again that the run deleted, beside the one that stayed", async () => {
    const [one] = await workspaceOf("w", "w");
    const before = await webhooks();
    await applied(list(`name: w, id: ${one}`));
    await undone();
    expect(await webhooks()).toEqual(before);
    expect(await undone()).toContain("No changes.");
  });

  test("creates one again while another gets the same name back", async () => {
    const [one] = await workspaceOf("w", "w");
    const before = await webhooks();
    await applied(list(`name: x, id: ${one}`));
    await undone();
    expect(await webhooks()).toEqual(before);
  });

  test("creates one in each undo, says which it left, and creates none twice", async () => {
    const ids = await workspaceOf("w", "w");
    const before = await webhooks();
    await applied("webhooks: []\n");
    const said = await undone();
    const isOpen = ids.map((id) => said.includes(`webhooks/w (${id}) is not created again yet`));
    expect(isOpen.filter((open) => open)).toHaveLength(1);
    expect(await webhooks()).toEqual(before.filter((_, at) => isOpen[at] === false));
    expect(await undone()).not.toContain("is not created again yet");
    expect(await webhooks()).toEqual(before);
    expect(await undone()).toContain("No changes.");
  });

  test("says which one no longer exists, and leaves the other alone", async () => {
    const [one, other] = await workspaceOf("w", "w");
    await applied(list(`name: w, id: ${one}, url: "${url("a")}"`, `name: w, id: ${other}, url: "${url("b")}"`));
    await world.send("DELETE", `/api/v1/webhooks/${one}`);
    expect(await undone()).toContain(`webhooks/w (${one}) no longer exists, and is not created again`);
    expect(await webhooks()).toEqual([`w ${url("w1")}`]);
  });

  test("keeps the name that somebody has given one since", async () => {
    const [one, other] = await workspaceOf("w", "w");
    await applied(list(`name: x, id: ${one}, url: "${url("a")}"`, `name: w, id: ${other}`));
    await world.send("PATCH", `/api/v1/webhooks/${one}`, { name: "ours" });
    expect(await undone()).toContain("somebody has changed its name since, so it stays unchanged");
    expect(await webhooks()).toEqual([`ours ${url("w0")}`, `w ${url("w1")}`]);
  });

  test("creates the service key again that the run deleted, with its own permissions and a new token", async () => {
    await workspaceOf();
    const made: Fields[] = [];
    for (const incidents of [["read"], ["read", "update"]])
      made.push((await world.send("POST", "/api/v1/api_keys", { name: "ci", permissions: { incidents } })) as Fields);
    const read = async () => {
      const { api_keys: rows } = (await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly Fields[] };
      return rows.map((row) => `${row.name} ${JSON.stringify(row.permissions)}`).sort();
    };
    const before = await read();
    const kept = await keysBut(String(made[1]?.prefix));
    await applied(`api_keys:\n${kept}`);
    expect(await read()).toHaveLength(before.length - 1);
    expect(await undone()).toContain(`api_keys/ci (${made[1]?.prefix}) is created again with a new token`);
    expect(await read()).toEqual(before);
  });
});

/** Every service key but one, as files declare them. */
async function keysBut(prefix: string): Promise<string> {
  const { api_keys: rows } = (await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly Fields[] };
  return rows
    .filter((row) => row.prefix !== prefix)
    .map((row) => `  - { name: ${JSON.stringify(row.name)}, prefix: ${row.prefix} }\n`)
    .join("");
}

import { afterEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { type Command, type Ended, lostWrite, openWorld, type World, type WorldIo } from "../../commands/world.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";

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

/** Runs a command in a world that differs. */
function within<Options extends object>(
  differing: Partial<WorldIo>,
  command: Command<Options>,
  options: Options,
): Promise<Ended> {
  return world.run<Options>((given, io, console) => command(given, { ...io, ...differing }, console), options);
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

  test("creates all that the run deleted again, each with its fields, and none twice", async () => {
    const ids = await workspaceOf("w", "w", "w");
    await world.send("PATCH", `/api/v1/webhooks/${ids[0]}`, { url: url("w1") });
    const before = await webhooks();
    await applied("webhooks: []\n");
    expect(await webhooks()).toEqual([]);
    await undone();
    expect(await webhooks()).toEqual(before);
    expect(await undone()).toContain("No changes.");
    await undone("2");
    expect(await webhooks()).toEqual([]);
  });

  test.each([
    ["was carried out", true],
    ["was not carried out", false],
  ])("is finished by its plan, and not by resume, whichever request is the last: it %s", async (_how, committed) => {
    for (let nth = 1; ; nth++) {
      const ids = await workspaceOf("w", "w");
      for (const id of ids) await world.send("PATCH", `/api/v1/webhooks/${id}`, { url: url("w") });
      const before = await webhooks();
      await applied("webhooks: []\n");
      await world.run(undo, { paths: [], out: "undo.plan", run: "1" });
      const saved = { paths: [], ...approvals, plan: "undo.plan" };
      const ended = await within(lostWrite(world, nth, committed), apply, saved);
      if (ended.exit === 0) {
        expect(nth).toBe(3);
        break;
      }
      expect(ended.exit, ended.stderr).toBe(130);
      const resumed = await within({ clock: new VirtualClock() }, resume, { paths: [], resolve: "resend" });
      if (nth === 2 && committed) expect(resumed.exit, resumed.stderr).toBe(0);
      else {
        expect(resumed.exit, resumed.stderr).toBe(5);
        expect(resumed.stderr).toContain("only its plan file says what it restores");
        const finished = await within({ clock: new VirtualClock() }, apply, saved);
        expect(finished.exit, `${nth} ${finished.stdout}${finished.stderr}`).toBe(0);
      }
      expect(await webhooks(), String(nth)).toEqual(before);
      await world.close();
    }
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

  test("creates the service keys again that the run deleted, each with its own permissions and a new token", async () => {
    await workspaceOf();
    const ids: string[] = [];
    for (const incidents of [["read"], ["read", "update"], ["create"]]) {
      const body = { name: "ci", permissions: { incidents } };
      ids.push(String(((await world.send("POST", "/api/v1/api_keys", body)) as Fields).prefix));
    }
    const read = async () => {
      const { api_keys: rows } = (await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly Fields[] };
      return rows.map((row) => `${row.name} ${JSON.stringify(row.permissions)}`).sort();
    };
    const before = await read();
    await applied(`api_keys:\n${await keysBut(...ids.slice(1))}`);
    expect(await read()).toHaveLength(before.length - 2);
    const text = await undone();
    for (const id of ids.slice(1)) expect(text).toContain(`api_keys/ci (${id}) is created again with a new token`);
    expect(await read()).toEqual(before);
  });
});

/** Every service key but these, as files declare them. */
async function keysBut(...prefixes: readonly string[]): Promise<string> {
  const { api_keys: rows } = (await world.send("GET", "/api/v1/api_keys")) as { api_keys: readonly Fields[] };
  return rows
    .filter((row) => !prefixes.includes(String(row.prefix)))
    .map((row) => `  - { name: ${JSON.stringify(row.name)}, prefix: ${row.prefix} }\n`)
    .join("");
}

/** Journals that somebody else wrote: nothing in them is a request before the kinds give it. */

import { chmod, chown, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { isFields, type Json } from "../../../src/core/json.ts";
import { planHash } from "../../../src/plan/checks/seal.ts";
import type { SealedPlan } from "../../../src/plan/model/plan.ts";
import { type Command, type Ended, openWorld, type World } from "../../commands/world.ts";
import { forge, setting } from "../../run/journal/forge.ts";
import {
  APPLYING,
  CONTINUATIONS,
  type Fetch,
  journalFolder,
  KEY,
  KEY_BODY,
  RESUMING,
  rowsOf,
  runWithin,
  SETTINGS,
  SEVERITIES,
  writesOf,
} from "./interrupted.ts";

const isRoot = process.getuid?.() === 0;

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": SETTINGS, "keys.yaml": KEY });
});
afterEach(() => world.close());

const folder = () => journalFolder(world);

/** The path of the only unfinished journal. */
async function unfinished(): Promise<string> {
  const [name = ""] = (await readdir(folder())).filter((one) => one.endsWith(".unfinished"));
  return join(folder(), name);
}

function run<Options extends object>(command: Command<Options>, given: Options): Promise<Ended> {
  return runWithin(world, command, given);
}

/** An apply whose first write never gets through, and which is interrupted then. */
async function interrupt(): Promise<string> {
  const controller = new AbortController();
  const fetch: Fetch = (input, init) => {
    if (init.method === "GET") return world.io.fetch(input, init);
    controller.abort();
    return new Promise<Response>(() => {});
  };
  await runWithin(world, apply, APPLYING, { interruption: () => controller.signal, fetch });
  const path = await unfinished();
  world.requests.length = 0;
  return path;
}

/** A journal of a creation that never got through, and a resource of somebody else that looks like its result. */
async function interruptBeforeVictim(): Promise<string> {
  const path = await interrupt();
  await world.send("POST", "/api/v1/api_keys", KEY_BODY);
  await world.send("POST", "/api/v1/webhooks", { name: "pager", url: "https://pager.example.com/in" });
  return path;
}

async function expectUntouched(): Promise<void> {
  expect(writesOf(world)).toEqual([]);
  expect(await rowsOf(world, "webhooks")).toHaveLength(1);
  expect((await rowsOf(world, "api_keys")).filter(({ name }) => name === KEY_BODY.name)).toHaveLength(1);
}

describe.each(CONTINUATIONS)("%s", (_name, command, options) => {
  test("deletes nothing for a journal whose custody names another resource", async () => {
    const path = await interruptBeforeVictim();
    const [webhook] = await rowsOf(world, "webhooks");
    await forge(path, setting("remove", `/api/v1/webhooks/${String(webhook?.id)}`));
    const { exit, stderr } = await run(command, options);
    expect(exit).toBe(1);
    expect(stderr).toContain("the custody of op-1 (api_keys/deploy bot) is not that of its kind");
    expect(stderr).toContain("move the journal elsewhere");
    await expectUntouched();
  });

  test.each<readonly [part: string, change: (record: Json) => Json]>([
    ["custody", setting("address", ["name"])],
    ["reveals", setting("reveals", "name")],
    ["item", setting("item", "webhook")],
    ["admin", setting("admin", false)],
    ["path", setting("path", "/api/v1/incidents")],
    ["query", setting("query", { all: "true" })],
    ["method", setting("method", "PUT")],
    ["precondition", setting("list", "incidents")],
    ["precondition", setting("identity", [])],
    ["precondition", setting("repeatable", false)],
  ])("sends nothing for a journal whose operation has another %s", async (part, change) => {
    const path = await interruptBeforeVictim();
    await forge(path, change);
    const { exit, stderr } = await run(command, options);
    expect(exit).toBe(1);
    const named = `the ${part} of op-1 (api_keys/deploy bot) is not that of its kind`;
    expect(stderr.includes(named) || stderr.includes("its plan is not one of this program"), stderr).toBe(true);
    await expectUntouched();
  });

  test("reads no journal of another service, whatever its name says", async () => {
    const path = await interruptBeforeVictim();
    await forge(path, setting("service", "https://incidents.example.com"));
    const { stderr } = await run(command, options);
    expect(stderr).toContain("is about another service");
    expect(await readFile(path, "utf8")).toContain("https://incidents.example.com");
    await expectUntouched();
  });

  test.each([
    [
      "a link",
      async (path: string) => {
        await rename(path, join(world.folder, "elsewhere"));
        await symlink(join(world.folder, "elsewhere"), path);
      },
    ],
    ["a file that other users can write", (path: string) => chmod(path, 0o622)],
    ...(isRoot ? [["a file of another user", (path: string) => chown(path, 4242, 4242)] as const] : []),
  ] as const)("ignores %s, says so, and leaves it where it is", async (_what, change) => {
    const path = await interruptBeforeVictim();
    await change(path);
    const before = await readdir(folder());
    const { exit, stderr } = await run(command, options);
    expect(exit, stderr).toBe(0);
    expect(stderr).toMatch(/ignored: \.incidentctl\/journals\/0001\.[0-9a-f]{8}\.unfinished/);
    expect(stderr).toContain("remove it");
    expect(await readdir(folder())).toEqual(before);
    await expectUntouched();
  });
});

describe("the rest of an interrupted run", () => {
  beforeEach(() => world.write({ "severities.yaml": SEVERITIES }));

  const worse = (record: Json): Json => JSON.parse(JSON.stringify(record).replaceAll('"Worst"', '"Owned"'));
  const other = (record: Json): Json =>
    JSON.parse(JSON.stringify(record).replaceAll("severities/minor", "severities/major"));

  test.each([
    ["changes a value", worse],
    ["changes another resource", other],
  ])("is not carried out if the journal %s, and the files do not", async (_what, change) => {
    const path = await interrupt();
    await forge(path, (record) => resealed(change(record)));
    const { exit, stderr } = await run(resume, { ...RESUMING, resolve: "resend" });
    expect([1, 4, 5], stderr).toContain(exit);
    expect(writesOf(world)).toEqual([]);
  });

  test("is carried out for the journal as it was written", async () => {
    await interrupt();
    const { exit, stderr } = await run(resume, { ...RESUMING, resolve: "resend" });
    expect(exit, stderr).toBe(0);
  });

  /** The record with a seal that holds for its plan. */
  function resealed(record: Json): Json {
    if (!isFields(record) || !isFields(record.plan) || !isFields(record.plan.seal)) return record;
    const hash = planHash(record.plan as unknown as SealedPlan);
    return { ...record, plan: { ...record.plan, seal: { ...record.plan.seal, hash } } };
  }
});

describe("one damaged or foreign file", () => {
  test("does not block the runs of another service", async () => {
    const path = await interrupt();
    await writeFile(path, "nothing that a program wrote\n");
    world.io.env.INCIDENTCTL_URL = "http://localhost:4011";
    await world.write({ "incidentctl.yaml": SETTINGS.replace("4010", "4011") });
    const { exit, stderr } = await run(apply, APPLYING);
    expect(exit, stderr).toBe(0);
    expect(stderr).not.toContain("journal");
  });

  test("that is archived blocks no run, and undo leaves it out", async () => {
    expect((await run(apply, APPLYING)).exit).toBe(0);
    const [name = ""] = await readdir(folder());
    await writeFile(join(folder(), name), "nothing that a program wrote\n");
    await world.write({ "keys.yaml": KEY.replace("read", "create") });
    expect((await run(plan, { paths: [], out: "change.plan" })).exit).toBe(0);
    const { exit, stderr } = await run(apply, { ...APPLYING, plan: "change.plan" });
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain(`ignored: .incidentctl/journals/${name}: cannot read the journal`);
    const list = await run(undo as Command<object>, { paths: [], list: true });
    expect(list.exit).toBe(0);
    expect(list.stdout).toMatch(/^0002 .*\n$/);
  });

  test("that is unfinished stops the runs of its own service, and says what to do", async () => {
    const path = await interrupt();
    await writeFile(path, "nothing that a program wrote\n");
    const { exit, stderr } = await run(apply, APPLYING);
    expect(exit).toBe(1);
    expect(stderr).toContain(
      "it does not start like a record; check the workspace with a plan, then move the journal elsewhere",
    );
    expect(writesOf(world)).toEqual([]);
    await rm(path);
    expect((await run(apply, APPLYING)).exit).toBe(0);
  });

  test("that has the highest number is named, because no run can follow", async () => {
    const path = await interrupt();
    await rename(path, path.replace("0001.", "999999999.").replace("unfinished", "journal"));
    const { exit, stderr } = await run(apply, APPLYING);
    expect(exit).toBe(1);
    expect(stderr).toContain("no number follows 999999999; remove that file");
    expect(writesOf(world)).toEqual([]);
  });

  test("that locks is ignored if it is a link, and the folder of a checkout is made private", async () => {
    const path = await interrupt();
    await rm(path);
    await chmod(folder(), 0o755);
    await symlink("/nowhere", path.replace("0001.", "").replace(".unfinished", ".1.abcdef.running"));
    const { exit, stderr } = await run(apply, APPLYING);
    expect(exit, stderr).toBe(0);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
  });
});

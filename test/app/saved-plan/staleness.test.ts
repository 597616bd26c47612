/** A plan that no longer holds: the message names what has changed since, in the files and in the workspace. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import { type Ended, openWorld, type World } from "../../commands/world.ts";

const base = "version: 1\nbase_url: http://localhost:4010\nremoval: { default: keep }\n";
const files = {
  "incidentctl.yaml": `${base}environments: { staging: { vars: { team: web } } }\n`,
  "severities.yaml": "severities:\n  - { slug: critical, name: Outage }\n  - { slug: major, name: Major }\n",
  "more/roles.yaml": "incident_roles:\n  - { slug: scribe, name: Scribe }\n",
};

let world: World;
beforeEach(async () => {
  world = await openWorld(files);
});
afterEach(() => world.close());

/** The program with this command line, signed in. */
function program(line: string): Promise<Ended> {
  return world.run<object>((_options, io) => runCommandLine(line.split(" "), io), {});
}

const writes = () => world.requests.filter(({ method }) => method !== "GET");
const send = (method: string, path: string, body?: unknown) => world.send(method, `/api/v1${path}`, body);
const path = () => join(world.folder, "change.plan");

async function saved(flags = ""): Promise<void> {
  const { exit, stderr } = await program(`plan --out change.plan${flags}`);
  expect(exit, stderr).toBe(0);
}

/** The lines of the refusal after the first. */
async function refusal(flags = ""): Promise<readonly string[]> {
  const { exit, stderr } = await program(`apply --plan change.plan --yes${flags}`);
  expect(exit, stderr).toBe(5);
  expect(writes()).toEqual([]);
  const [first = "", ...rest] = stderr.trimEnd().split("\n");
  expect(first).toContain("nothing was written");
  return [first.replace(/.*no longer holds: ([^;]*);.*/, "$1"), ...rest.map((line) => line.trim())];
}

describe("a changed workspace", () => {
  const changes: readonly (readonly [title: string, change: () => Promise<unknown>, lines: readonly string[]])[] = [
    [
      "a field that the plan changes, with both values",
      () => send("PATCH", "/severities/critical", { name: "Sev 1" }),
      ['severities/critical  name  "Critical" → "Sev 1"'],
    ],
    [
      "a field that was as declared, with both values",
      () => send("PATCH", "/severities/major", { name: "Sev 2" }),
      ['severities/major  name  "Major" → "Sev 2"'],
    ],
    [
      "a field that is now as the plan would make it",
      () => send("PATCH", "/severities/critical", { name: "Outage" }),
      ['severities/critical  name  "Critical" → "Outage"'],
    ],
    [
      "a resource that no file declares, by its field",
      () => send("PATCH", "/severities/minor", { name: "Small" }),
      ["severities/minor  name  changed"],
    ],
    ["a new resource", () => send("POST", "/severities", { name: "Huge" }), ["severities/huge is new"]],
    ["a resource that is gone", () => send("DELETE", "/severities/major"), ["severities/major no longer exists"]],
  ];
  test.each(changes)("is named: %s", async (_title, change, lines) => {
    await saved();
    await change();
    const [reason, ...rest] = await refusal();
    expect(reason).toBe("the workspace has changed since");
    expect(rest).toEqual(expect.arrayContaining([...lines]));
    expect(rest.filter((line) => !line.includes("rank") && !line.includes("position"))).toEqual(lines);
  });

  test("shows no secret value", async () => {
    world.io.env.HOOK = "https://hooks.example.com/s3cr3t-1";
    await world.write({
      "hooks.yaml": `webhooks:\n  - { name: pager, url: "\${env:HOOK}", subscribed_events: [] }\n`,
    });
    expect((await program("apply --yes")).exit).toBe(0);
    world.requests.length = 0;
    const { webhooks } = (await send("GET", "/webhooks")) as { readonly webhooks: readonly { readonly id: string }[] };
    world.io.env.HOOK = "https://hooks.example.com/s3cr3t-1";
    await saved();
    await send("PATCH", `/webhooks/${webhooks[0]?.id}`, { url: "https://hooks.example.com/s3cr3t-2" });
    const lines = await refusal();
    expect(lines).toContain("webhooks/pager  url  changed");
    expect(lines.join()).not.toContain("s3cr3t");
    const text = await readFile(path(), "utf8");
    expect(text).not.toContain("s3cr3t");
    // A digest of it could be guessed if it is short.
    const { seal } = JSON.parse(text);
    expect(seal.rows["webhooks/pager"]).toMatch(/\benabled:[0-9a-f]{6}\b/);
    expect(seal.rows["webhooks/pager"]).not.toContain("url:");
  });

  test("is told by the changes alone for a plan that an earlier build saved", async () => {
    await saved();
    await older();
    await send("PATCH", "/severities/critical", { name: "Sev 1" });
    expect(await refusal()).toEqual([
      "the workspace has changed since",
      'severities/critical  name  "Critical" → "Sev 1"',
    ]);
  });
});

describe("a changed configuration", () => {
  test.each<readonly [title: string, change: () => Promise<void>, line: string]>([
    [
      "a changed file",
      () => world.write({ "severities.yaml": `# x\n${files["severities.yaml"]}` }),
      "severities.yaml changed",
    ],
    ["a new file", () => world.write({ "new.yaml": "webhooks: []\n" }), "new.yaml is new"],
    ["changed settings", () => world.write({ "incidentctl.yaml": base }), "incidentctl.yaml changed"],
  ])("is named: %s", async (_title, change, line) => {
    await saved();
    await change();
    expect(await refusal()).toEqual(["the configuration has changed since", line]);
  });

  test("without a changed file is another variable", async () => {
    await world.write({ "severities.yaml": `severities:\n  - { slug: critical, name: "\${var:name}" }\n` });
    await saved(" --var name=One");
    const [reason, line] = await refusal(" --var name=Two");
    expect(reason).toBe("the configuration has changed since");
    expect(line).toMatch(/^no file has changed: .*variable/);
  });

  test("for another environment is named", async () => {
    await saved(" -e staging");
    expect(await refusal()).toEqual(['it was made for the environment "staging", and here it is none']);
  });
});

test("a plan whose files and rows were changed in its text is refused as changed", async () => {
  await saved();
  const text = await readFile(path(), "utf8");
  const changed = text.replace(
    /"severities\/critical": "name:.{6}|"severities\/critical": "[a-z_]+:.{6}/,
    (row) => `${row.slice(0, -1)}x`,
  );
  expect(changed).not.toBe(text);
  await writeFile(path(), changed);
  expect(await refusal()).toEqual(["its file was changed after it was saved"]);
});

test("a plan that an earlier build saved is applied", async () => {
  await saved();
  await older();
  const { exit, stderr } = await program("apply --plan change.plan --yes");
  expect(exit, stderr).toBe(0);
});

/** Takes away what the format has gained: the plan as an earlier build saved it. */
async function older(): Promise<void> {
  const { planHash } = await import("../../../src/plan/checks/seal.ts");
  const { accepted: _accepted, ignored: _ignored, ...plan } = JSON.parse(await readFile(path(), "utf8"));
  delete plan.target.environment;
  delete plan.summary.accepted;
  delete plan.summary.ignored;
  delete plan.seal.files;
  delete plan.seal.rows;
  plan.seal.hash = planHash(plan);
  await writeFile(path(), `${JSON.stringify(plan, null, 2)}\n`);
}

test("without a saved plan, a change before the first write is exit code 5 and named with both values", async () => {
  const { fetch } = world.io;
  let reads = 0;
  const meddling: typeof fetch = async (input, init) => {
    if (init.method === "GET" && input.includes("/severities")) reads += 1;
    // The first reading makes the plan; the second checks it right before the write.
    if (reads === 2) await send("PATCH", "/severities/critical", { name: "Sev 1" });
    return fetch(input, init);
  };
  await world.write({ "more/roles.yaml": "incident_roles: []\n" });
  Object.assign(world.io, { fetch: meddling });
  const { exit, stdout, stderr } = await program("apply --yes");
  expect(exit, stdout + stderr).toBe(5);
  expect(stdout).toContain("severities/critical no longer matches the plan: somebody has changed its name");
  expect(stdout).toContain('name: "Critical" → "Sev 1"');
  expect(writes()).toEqual([]);
});

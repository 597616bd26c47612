/**
 * A saved plan of files with a value from the environment that slugs, addresses and its filter happen to hold, too: it has no value from the
 * environment, and what the files state is there as it is, so that the plan does not tell which of it equals the value.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import { planHash } from "../../../src/plan/checks/seal.ts";
import { fingerprint } from "../../../src/plan/model/plan.ts";
import { type Ended, openWorld, type World } from "../../commands/world.ts";

const PART = "onitoring";
const files = {
  "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\nremoval: { default: keep }\n",
  "statuses.yaml": "statuses:\n  - { slug: monitoring, name: Watching, lifecycle_stage: active }\n",
  "hooks.yaml": `webhooks:\n  - { name: pager, url: "https://hooks.example.com/\${env:PART}", subscribed_events: [] }\n`,
};

let world: World;
beforeEach(async () => {
  world = await openWorld(files);
  world.io.env.PART = PART;
});
afterEach(() => world.close());

/** The program with this command line, signed in. */
function program(line: string): Promise<Ended> {
  return world.run<object>((_options, io) => runCommandLine(line.split(" "), io), {});
}

const writes = () => world.requests.filter(({ method }) => method !== "GET");
const path = () => join(world.folder, "change.plan");

/** Saves a plan, and returns the text of its file. */
async function saved(command = "plan"): Promise<string> {
  const { exit, stderr } = await program(`${command} --out change.plan`);
  expect(exit, stderr).toBe(0);
  world.requests.length = 0;
  return readFile(path(), "utf8");
}

async function statusName(): Promise<string | undefined> {
  const { statuses } = (await world.send("GET", "/api/v1/statuses")) as {
    readonly statuses: readonly { readonly slug: string; readonly name: string }[];
  };
  return statuses.find(({ slug }) => slug === "monitoring")?.name;
}

describe("a saved plan with a value from the environment in a slug", () => {
  /** The text without the moments of its making. */
  const lasting = (text: string) => text.replaceAll(/"created_at": "[^"]*"/g, "");

  test("is the same for each value of the variable, and is applied", async () => {
    const text = await saved();
    expect(text).toContain("statuses/monitoring");
    expect(text.replaceAll("monitoring", "").replaceAll("Monitoring", "")).not.toContain(PART);
    for (const value of ["x", "monitoring", "pager", "\"'<b>", "y".repeat(1_000)]) {
      world.io.env.PART = value;
      expect(lasting(await saved())).toBe(lasting(text));
    }
    world.io.env.PART = PART;
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(0);
    expect(await statusName()).toBe("Watching");
  });

  test("is applied with the filter that it was made with", async () => {
    await saved("plan --target statuses/monitoring");
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(0);
    expect(await statusName()).toBe("Watching");
  });

  test("is applied if it holds the text of a reference", async () => {
    await world.write({
      "statuses.yaml": `statuses:\n  - { slug: monitoring, name: "Watching $\${env:PART}", lifecycle_stage: active }\n`,
    });
    await saved();
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(0);
    expect(await statusName()).toBe(`Watching \${env:PART}`);
  });

  test.each<readonly [form: string, name: string]>([
    ["encoded", `Watching ${Buffer.from(PART).toString("base64")}`],
    ["cut", `Watching ${PART.slice(0, 8)}…`],
  ])("is applied if it holds the value in another form, too: %s", async (_form, name) => {
    const list = `statuses:\n  - { slug: monitoring, name: "${name}", lifecycle_stage: active }\n`;
    await world.write({ "statuses.yaml": list });
    expect(await saved()).toContain(name);
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(0);
    expect(await statusName()).toBe(name);
  });

  test("is applied if all of it that holds the value is masked, so that it refers to no variable", async () => {
    const list = (critical: string, minor: string, more = "") =>
      `severities:\n${more}  - { slug: critical, ${critical} }\n  - { slug: major, name: Major }\n  - { slug: minor, name: ${minor} }\n`;
    const alpha = "  - { slug: alpha, name: Alpha, default: true }\n";
    world.io.env.PART = "Minor";
    await world.write({
      "hooks.yaml": "webhooks: []\n",
      "severities.yaml": list(`name: "\${env:PART}"`, "Minor", alpha),
    });
    expect((await program("apply --yes")).exit).toBe(0);
    await world.write({ "severities.yaml": list("name: Alpha, default: true", `"\${env:PART}"`) });
    await saved();
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(0);
  });

  test("undoes a change of a rule that no longer holds the value itself", async () => {
    const rule = (conditions: string) =>
      `routing_rules:\n  workspace:\n    - conditions: [${conditions}]\n      outcome: { action: drop }\n`;
    const either = (first: string) => `{ field: service, operator: is_one_of, value: ["${first}", billing] }`;
    await world.send("POST", "/api/v1/routing_rules", {
      conditions: [{ field: "service", operator: "is_one_of", value: ["Alpha", "billing"] }],
      outcome: { action: "drop" },
    });
    world.io.env.PART = "Alpha";
    await world.write({ "hooks.yaml": "webhooks: []\n", "rules.yaml": rule(either("${env:PART}")) });
    expect((await program("apply --yes")).exit).toBe(0);
    const both = `{ field: service, operator: is_one_of, value: ["\${env:PART}"] }, ${either("Alpha")}`;
    await world.write({ "rules.yaml": rule(both) });
    expect((await program("apply --yes")).exit).toBe(0);
    await saved("undo");
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(0);
  });

  test("names a variable of the files, and not to another one with the same value", async () => {
    Object.assign(world.io.env, { ANOTHER: PART, ZZZ: PART });
    expect(JSON.parse(await saved()).seal.variables).toEqual(["PART"]);
    Object.assign(world.io.env, { ANOTHER: undefined, ZZZ: undefined });
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(0);
  });

  test("undoes a run", async () => {
    expect((await program("apply --yes")).exit).toBe(0);
    const text = await saved("undo");
    expect(text.replaceAll("monitoring", "").replaceAll("Monitoring", "")).not.toContain(PART);
    const { exit, stderr } = await program("apply --plan change.plan --yes --allow-delete");
    expect(exit, stderr).toBe(0);
    expect(await statusName()).toBe("Monitoring");
  });

  test.each(["plan", "plan --target webhooks/pager"])("is stale if the variable is not set: %s", async (command) => {
    await saved(command);
    world.io.env.PART = undefined;
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(5);
    expect(stderr).toContain(
      'the plan no longer holds: it refers to the environment variable "PART", which is not set; nothing was written',
    );
    expect(writes()).toEqual([]);
  });

  test.each(["onitorings", "x"])("sends the value that the variable has when it is applied: %s", async (value) => {
    const text = await saved();
    expect(text).not.toContain(fingerprint(`https://hooks.example.com/${PART}`));
    world.io.env.PART = value;
    const { exit, stdout, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(0);
    expect(stdout + stderr).not.toContain("onitorings");
    const { webhooks } = (await world.send("GET", "/api/v1/webhooks")) as { webhooks: readonly { url: string }[] };
    expect(webhooks.map(({ url }) => url)).toEqual([`https://hooks.example.com/${value}`]);
  });

  test("is refused if its file was changed", async () => {
    const text = await saved();
    await writeFile(path(), text.replace('"Watching"', '"Watched"'));
    const { exit, stderr } = await program("apply --plan change.plan --yes");
    expect(exit, stderr).toBe(5);
    expect(stderr).toContain("its file was changed");
    expect(writes()).toEqual([]);
  });

  test("is no plan if it is nested too deeply", async () => {
    await saved();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    await writeFile(path(), `{"references":true,"format_version":1,"warnings":${deep}}`);
    const { exit, stderr } = await program("show change.plan");
    expect(exit).toBe(1);
    expect(stderr).toContain("is not a plan of this program");
  });

  test("is shown without the value, with and without the variable", async () => {
    await saved();
    const here = await program("show change.plan");
    expect(here.exit, here.stderr).toBe(0);
    expect(here.stdout).toContain("statuses/monitoring");
    expect(here.stdout).toMatch(/url +\(secret\)/);
    expect(here.stdout.replaceAll("monitoring", "").replaceAll("Monitoring", "")).not.toContain(PART);
    expect(here.stderr).toBe("");
    world.io.env.PART = undefined;
    expect(await program("show change.plan")).toEqual(here);
  });

  test("shows no value of a variable that somebody has written into its file", async () => {
    const text = await saved();
    Object.assign(world.io.env, { OTHER: "another-secret", SHORT: "s3cret" });
    await writeFile(path(), text.replace('"Watching"', `"\${env:OTHER} \${env:SHORT}"`));
    for (const line of ["show change.plan", "show change.plan --format json", "apply --plan change.plan --yes"]) {
      const { stdout, stderr } = await program(line);
      expect(stdout + stderr).not.toMatch(/another-secret|s3cret/);
    }
    expect(writes()).toEqual([]);
  });
});

test("a plan that an earlier build saved with masks in its texts is applied", async () => {
  await world.write({ "statuses.yaml": "statuses: []\n" });
  await program("plan --out change.plan --target webhooks/pager");
  const plan = JSON.parse(await readFile(path(), "utf8"));
  const { references: _references, ...older } = JSON.parse(JSON.stringify(plan).replaceAll(/\$\{env:PART\}/g, PART));
  delete older.seal.files;
  delete older.seal.rows;
  older.seal.hash = planHash(older);
  await writeFile(path(), `${JSON.stringify(older, null, 2).replaceAll(PART, "(secret)")}\n`);
  const { exit, stderr } = await program("apply --plan change.plan --yes");
  expect(exit, stderr).toBe(0);
});

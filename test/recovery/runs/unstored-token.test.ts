import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import { rotate } from "../../../src/app/rotate/rotate-command.ts";
import type { RotateOptions } from "../../../src/app/rotate/rotate-definition.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { objectsIn } from "../../../src/core/json.ts";
import { planSchema } from "../../../src/view/plan/schema.ts";
import { type Command, type Ended, openWorld, type World } from "../../commands/world.ts";
import { compiled } from "../../support/schemas/compiled-schema.ts";
import { closed } from "../../support/schemas/plan-schema.ts";
import { AGENT, APPLYING, broken, type Fetch, rowsOf, runWithin, SETTINGS } from "./interrupted.ts";

const first = "api_keys:\n  - { name: first, permissions: { incidents: [read] } }\n";
const both = `${first}  - { name: second, permissions: { incidents: [read] } }\n`;
const planning: PlanFlags = { paths: [] };

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": SETTINGS });
});
afterEach(() => world.close());

/** The response to the first creation is lost, and nothing after it gets through: as if the machine died. */
function dying(): Fetch {
  let isDead = false;
  return async (input, init) => {
    const answer = isDead ? undefined : await world.io.fetch(input, init);
    if (answer !== undefined && init.method !== "POST") return answer;
    isDead = true;
    throw broken();
  };
}

/** The service, after somebody has used every token. */
function usedTokens(): Fetch {
  return async (input, init) => {
    const answer = await world.io.fetch(input, init);
    if (init.method !== "GET" || !/\/(api_keys|agents)\b/.test(input)) return answer;
    const text = (await answer.text()).replaceAll('"last_used_at":null', '"last_used_at":"2026-11-21T07:00:00Z"');
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
}

function within<Options extends object>(
  command: Command<Options>,
  given: Options,
  fetch: Fetch = world.io.fetch,
): Promise<Ended> {
  return runWithin(world, command, given, { fetch });
}

async function prefixOf(name: string): Promise<string> {
  const row = (await rowsOf(world, "api_keys")).find((one) => one.name === name);
  return String(row?.prefix ?? "");
}

/** A run that is cut off after the service has made the resource, and then a machine that has the repository alone. */
async function cutOff(file: string, { keepsRuns = false }: { readonly keepsRuns?: boolean } = {}): Promise<void> {
  await world.write({ "file.yaml": file });
  const { exit, stdout, stderr } = await within(apply, APPLYING, dying());
  expect(exit, stdout + stderr).toBe(4);
  if (!keepsRuns) await rm(join(world.folder, ".incidentctl"), { recursive: true });
}

async function agentPrefix(): Promise<string> {
  const tokens = (await rowsOf(world, "agents")).flatMap((row) => objectsIn(row.tokens));
  return String(tokens[0]?.prefix ?? "");
}

/** Runs the command that a warning names. */
async function follow(message: string): Promise<Ended> {
  expect(message).not.toContain("curl");
  const [, address = "", prefix = "", revoke] =
    /run incidentctl rotate (\S+) --token (\S+) --allow-delete (?:(--revoke)|--secrets-out FILE)/.exec(message) ?? [];
  const { paths: _none, ...flags } = APPLYING;
  const only = revoke === undefined ? {} : { revoke: true };
  return within<RotateOptions>(rotate, { ...flags, resources: [address], token: [prefix], ...only });
}

/** A machine that has the repository alone. */
async function forgetRuns(): Promise<void> {
  await rm(join(world.folder, ".incidentctl"), { recursive: true, force: true });
}

describe("a live token that an interrupted run has lost", () => {
  beforeEach(async () => {
    await world.write({ "file.yaml": first });
    expect((await within(apply, APPLYING)).exit).toBe(0);
  });

  test("is a warning of every plan on a machine that has the lock file alone, and its command replaces it", async () => {
    await cutOff(first + AGENT);
    const lost = await agentPrefix();
    for (const format of ["text", "markdown", "html", "json"] as const) {
      const { exit, stdout } = await within(plan, { ...planning, format });
      expect(exit).toBe(0);
      expect(stdout, format).toContain(lost);
      expect(stdout, format).not.toContain(await prefixOf("first"));
    }
    const json = JSON.parse((await within(plan, { ...planning, format: "json" })).stdout);
    expect(compiled(closed(planSchema()))(json)).toBe(true);
    expect(json.warnings).toEqual([
      {
        code: "W_TOKEN",
        address: "agents/triage_bot",
        message: expect.stringContaining(`its token ${lost} was never used`),
        commands: [`incidentctl rotate agents/triage_bot --token ${lost} --allow-delete --secrets-out FILE`],
        source: { file: "file.yaml", line: 4, column: 5 },
      },
    ]);
    const { exit, stdout } = await follow(json.warnings[0].message);
    expect(exit, stdout).toBe(0);
    expect(await agentPrefix()).not.toBe(lost);
    expect(await readFile(join(world.folder, "tokens.jsonl"), "utf8")).toContain(await agentPrefix());
    expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
  });

  test("of a service key is a warning where the journal knows the run, since the service does not tell its age", async () => {
    await cutOff(both, { keepsRuns: true });
    expect((await within(apply, { ...APPLYING, resolve: "keep" })).exit).toBe(0);
    const lost = await prefixOf("second");
    const { stdout } = await within(plan, planning);
    expect(stdout).toContain(`api_keys/second: its token ${lost} was never used`);
    expect((await follow(stdout)).exit).toBe(0);
    expect(await prefixOf("second")).not.toBe(lost);
    expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
  });

  test("is no warning once somebody uses it, and a plan saved before that still holds", async () => {
    await cutOff(first + AGENT);
    await world.write({ "file.yaml": first.replace("[read]", "[read, update]") + AGENT });
    const saved = await within(plan, { ...planning, out: "the.plan" });
    expect(saved.stdout).toContain("W_TOKEN");
    const used = usedTokens();
    const { exit, stdout, stderr } = await within(apply, { ...APPLYING, plan: "the.plan" }, used);
    expect(exit, stdout + stderr).toBe(0);
    expect((await within(plan, planning, used)).stdout).not.toContain("W_TOKEN");
  });

  test("is a warning of a saved undo, which holds, where the journal knows the run that made it", async () => {
    await world.write({ "file.yaml": both });
    expect((await within(apply, APPLYING, dying())).exit).toBe(4);
    expect((await within(apply, { ...APPLYING, resolve: "keep" })).exit).toBe(0);
    const hook = "webhooks:\n  - { name: a, url: 'https://a.example.com/', subscribed_events: [incident.created] }\n";
    await world.write({
      "incidentctl.yaml": `${SETTINGS}removal: { webhooks: keep }\n`,
      "file.yaml": `${both.replace("[read]", "[read, update]")}${hook}`,
    });
    expect((await within(apply, APPLYING)).exit).toBe(0);
    const saved = await within(undo, { paths: [], out: "undo.plan" });
    for (const code of ["W_TOKEN", "W_UNDO"]) expect(saved.stdout).toContain(code);
    const { exit, stdout, stderr } = await within(apply, { ...APPLYING, plan: "undo.plan" });
    expect(exit, stdout + stderr).toBe(0);
  });

  test("of an agent is a warning too, and its command replaces it", async () => {
    await cutOff(first + AGENT);
    const { stdout } = await within(plan, planning);
    expect(stdout).toMatch(/! agents\/triage_bot: its token \S+ was never used/);
    expect((await follow(stdout)).exit).toBe(0);
    expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
  });

  test("is only revoked if its agent has another one, which a sink has stored", async () => {
    await world.write({ "file.yaml": first + AGENT });
    expect((await within(apply, APPLYING)).exit).toBe(0);
    const { token } = (await world.send("POST", "/api/v1/agents/triage_bot/rotate", {})) as { readonly token: string };
    expect((await within(plan, planning)).stdout, "no run made it").not.toContain("W_TOKEN");
    await forgetRuns();
    const { stdout } = await within(plan, planning);
    expect(stdout).toContain(`--token ${token.slice(0, 12)} --allow-delete --revoke [W_TOKEN]`);
    expect((await follow(stdout)).exit).toBe(0);
    expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
    expect(await rowsOf(world, "agents")).toMatchObject([{ tokens: [{}] }]);
  });

  test("is no warning without a lock file", async () => {
    await cutOff(first + AGENT);
    await rm(join(world.folder, "incidentctl.lock"));
    expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
  });

  test("is no warning if the key is disabled or the plan removes it", async () => {
    await cutOff(both);
    await world.write({ "file.yaml": first });
    expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
    await world.write({ "file.yaml": both });
    await world.send("PATCH", `/api/v1/api_keys/${await prefixOf("second")}`, { active: false });
    const disabled = both.replace("name: second,", "name: second, active: false,");
    await world.write({ "file.yaml": disabled });
    expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
  });
});

test("the lock file has the hash of each stored token's prefix, and never the prefix", async () => {
  await world.write({ "file.yaml": first + AGENT });
  expect((await within(apply, APPLYING)).exit).toBe(0);
  const lock = await readFile(join(world.folder, "incidentctl.lock"), "utf8");
  expect(Object.keys(JSON.parse(lock).fields)).toEqual([
    expect.stringMatching(/^agents\/triage_bot#\?token:/),
    expect.stringMatching(/^api_keys\/first#\?token:/),
  ]);
  expect(lock).not.toContain(await prefixOf("first"));
  expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
});

test("a token that ends is taken from the lock file by the next apply that changes something", async () => {
  await world.write({ "file.yaml": both });
  expect((await within(apply, APPLYING)).exit).toBe(0);
  await world.send("DELETE", `/api/v1/api_keys/${await prefixOf("second")}`);
  expect((await within(apply, APPLYING)).exit).toBe(0);
  const lock = JSON.parse(await readFile(join(world.folder, "incidentctl.lock"), "utf8"));
  expect(Object.keys(lock.fields)).toHaveLength(2);
});

test("a token that the recovery of an interrupted run stores is no warning of the plan after it", async () => {
  await world.write({ "file.yaml": first });
  expect((await within(apply, APPLYING)).exit).toBe(0);
  await world.write({ "file.yaml": first + AGENT });
  expect((await within(apply, APPLYING, dying())).exit).toBe(4);
  const { exit, stdout, stderr } = await within(apply, APPLYING);
  expect(exit, stdout + stderr).toBe(0);
  expect(stdout).not.toContain("W_TOKEN");
});

test("each environment has its own tokens, and one without a lock has no warning", async () => {
  const environments =
    "environments:\n  a: { base_url: http://localhost:4010 }\n  b: { base_url: http://localhost:4010 }\n";
  await world.write({ "incidentctl.yaml": `version: 1\n${environments}`, "file.yaml": first });
  expect((await within(apply, { ...APPLYING, env: "a" })).exit).toBe(0);
  await world.write({ "file.yaml": first + AGENT });
  await world.send("POST", "/api/v1/agents", { slug: "triage_bot", name: "Triage bot" });
  await forgetRuns();
  expect((await within(plan, { ...planning, env: "a" })).stdout).toContain("W_TOKEN");
  expect((await within(plan, { ...planning, env: "b" })).stdout).not.toContain("W_TOKEN");
});

test("a token that was made by hand is no warning, and none that is older than a day", async () => {
  await world.send("POST", "/api/v1/api_keys", { name: "first", permissions: { incidents: ["read"] } });
  await world.send("POST", "/api/v1/agents", { slug: "triage_bot", name: "Triage bot" });
  await world.write({ "file.yaml": both + AGENT });
  expect((await within(apply, APPLYING)).exit).toBe(0);
  expect((await within(plan, planning)).stdout).not.toContain("W_TOKEN");
  await forgetRuns();
  const { stdout } = await within(plan, planning);
  expect(stdout).toContain("agents/triage_bot: its token");
  // The service does not tell when a key was made.
  expect(stdout).not.toContain("api_keys/first: its token");
  // Only the service's clock counts.
  const later = new Date(Date.now() + 25 * 60 * 60 * 1000);
  const wrong = await runWithin(world, plan, planning, { now: () => later });
  expect(wrong.stdout).toContain("agents/triage_bot: its token");
  const dayAfter: Fetch = async (input, init) => {
    const answer = await world.io.fetch(input, init);
    answer.headers.set("date", later.toUTCString());
    return answer;
  };
  const { stdout: old } = await within(plan, planning, dayAfter);
  expect(old).not.toContain("agents/triage_bot: its token");
});

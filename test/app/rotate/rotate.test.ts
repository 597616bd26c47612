/** `rotate` replaces the tokens of agents and service keys, over HTTP, against the embedded service. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import { plan } from "../../../src/app/plan/plan-command.ts";
import { rotate } from "../../../src/app/rotate/rotate-command.ts";
import type { RotateOptions } from "../../../src/app/rotate/rotate-definition.ts";
import { undo } from "../../../src/app/undo/undo-command.ts";
import { objectsIn } from "../../../src/core/json.ts";
import { openTestWorld, type World } from "../../commands/world.ts";
import { type Fetch, RESUMING, rowsOf, runWithin, storedTokens, writesOf } from "../../recovery/runs/interrupted.ts";

const AGENT = "agents/triage_bot";
const KEY = "api_keys/deploy bot";
const SINK = { secretsOut: "tokens.jsonl" };
const APPROVED = { ...SINK, allowDelete: true, yes: true };

const SETTINGS_ALONE = { "a.yaml": "webhooks: []\n" };

/** A workspace with an agent and a service key that somebody made by hand, and no files. */
async function opened(files: Readonly<Record<string, string>> = {}): Promise<World> {
  const world = await openTestWorld(files);
  await world.send("POST", "/api/v1/agents", { name: "Triage bot", slug: "triage_bot" });
  await world.send("POST", "/api/v1/api_keys", { name: "deploy bot", permissions: { incidents: ["read", "update"] } });
  world.requests.length = 0;
  return world;
}

const rotated = (
  world: World,
  resources: readonly string[],
  options: Partial<RotateOptions> = APPROVED,
  fetch?: Fetch,
) => runWithin(world, rotate, { resources, ...options }, fetch === undefined ? {} : { fetch });

async function agentTokens(world: World): Promise<readonly string[]> {
  return (await rowsOf(world, "agents")).flatMap(({ tokens }) => objectsIn(tokens)).map(({ prefix }) => String(prefix));
}

const keysOf = (world: World) => rowsOf(world, "api_keys");

async function statusWith(world: World, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const url = "http://localhost:4010/api/v1/incidents";
  return (await world.emulator.fetch(new Request(url, { headers }))).status;
}

async function lastStored(
  world: World,
): Promise<{ readonly address: string; readonly prefix: string; readonly token: string }> {
  const lines = (await readFile(join(world.folder, "tokens.jsonl"), "utf8")).trimEnd().split("\n");
  return JSON.parse(lines.at(-1) ?? "");
}

describe("the tokens", () => {
  test("of an agent: a new one is stored, and only then the old one is revoked", async () => {
    const world = await opened();
    const [old = ""] = await agentTokens(world);
    const { exit, stdout, stderr } = await rotated(world, [AGENT]);
    expect(exit, stdout + stderr).toBe(0);
    expect(stdout).toContain(`issues a one-time token; cuts off token ${old} (never used)`);
    expect(stdout).toContain("Verified: the service lists the tokens as planned.");
    expect(writesOf(world)).toEqual(["POST /agents/triage_bot/rotate", `DELETE /agents/triage_bot/tokens/${old}`]);
    expect(await agentTokens(world)).toEqual(await storedTokens(world));
    expect((await lastStored(world)).address).toBe(AGENT);
  });

  test("of a service key: another key with its name and permissions, and then the old one is deleted", async () => {
    const world = await opened();
    const [old] = await keysOf(world);
    const { exit, stdout, stderr } = await rotated(world, [KEY]);
    expect(exit, stdout + stderr).toBe(0);
    expect(writesOf(world)).toEqual(["POST /api_keys", `DELETE /api_keys/${old?.prefix}`]);
    const { prefix, token } = await lastStored(world);
    expect(await keysOf(world)).toEqual([{ ...old, id: expect.any(String), prefix }]);
    expect(await statusWith(world, token)).toBe(200);
  });

  test("of several resources are replaced by one command, also in the singular", async () => {
    const world = await opened();
    const { exit, stderr } = await rotated(world, ["agent/triage_bot", "api_key/deploy bot"]);
    expect(exit, stderr).toBe(0);
    expect(await storedTokens(world)).toHaveLength(2);
  });

  test("are named by --token if only one of several is meant, and revoked alone by --revoke", async () => {
    const world = await opened();
    await world.send("POST", "/api/v1/agents/triage_bot/rotate", {});
    const [second = "", first = ""] = await agentTokens(world);
    expect((await rotated(world, [AGENT], { ...APPROVED, token: [first] })).exit).toBe(0);
    const [third = ""] = await storedTokens(world);
    expect(await agentTokens(world)).toEqual([third, second]);
    const { exit, stdout } = await rotated(world, [AGENT], {
      allowDelete: true,
      yes: true,
      revoke: true,
      token: [second],
    });
    expect([exit, await agentTokens(world)]).toEqual([0, [third]]);
    expect(stdout).toContain(`revokes 1 token; cuts off token ${second}`);
    expect(await storedTokens(world)).toEqual([third]);
  });

  test("of the files with errors are replaced too: a leaked token does not wait for them", async () => {
    const world = await opened({ "broken.yaml": "severities:\n  - { slug: critical, nam: Critical }\n  - [" });
    expect((await rotated(world, [AGENT])).exit).toBe(0);
  });
});

describe("with --overlap the old token is kept, without an approval, and the output says until when", () => {
  const overlapping = { ...SINK, yes: true, overlap: 24 * 60 * 60 * 1000 };

  test("of an agent", async () => {
    const world = await opened();
    const [old = ""] = await agentTokens(world);
    const { exit, stderr } = await rotated(world, [AGENT], overlapping);
    expect([exit, writesOf(world)]).toEqual([0, ["POST /agents/triage_bot/rotate"]]);
    expect(await agentTokens(world)).toEqual([...(await storedTokens(world)), old]);
    const command = `incidentctl rotate agents/triage_bot --revoke --token ${old} --allow-delete`;
    expect(stderr).toContain(
      `${old} is kept until 2026-11-22 08:00 UTC; nobody revokes it by itself. Then run: ${command}`,
    );
    expect((await rotated(world, [AGENT], { revoke: true, token: [old], allowDelete: true, yes: true })).exit).toBe(0);
    expect(await agentTokens(world)).toEqual(await storedTokens(world));
  });

  test("of a service key, which gets another name, so that the files still name one key", async () => {
    const world = await opened({ "a.yaml": "severities: []\n" });
    const [old] = await keysOf(world);
    const { exit, stdout, stderr } = await rotated(world, [KEY], overlapping);
    expect([exit, writesOf(world)], stdout + stderr).toEqual([0, ["POST /api_keys", `PATCH /api_keys/${old?.prefix}`]]);
    const renamed = "deploy bot (until 2026-11-22 08:00 UTC)";
    expect((await keysOf(world)).map(({ name, prefix }) => [name, prefix])).toEqual([
      ["deploy bot", (await storedTokens(world))[0]],
      [renamed, old?.prefix],
    ]);
    expect(stderr).toContain(`Then run: incidentctl rotate 'api_keys/${renamed}' --revoke --token ${old?.prefix}`);
    const revoking = { revoke: true, allowDelete: true, yes: true };
    expect((await rotated(world, [`api_keys/${renamed}`], revoking)).exit).toBe(0);
    expect((await keysOf(world)).map(({ prefix }) => prefix)).toEqual(await storedTokens(world));
  });

  test("and a renaming that fails is finished by the same command", async () => {
    const world = await opened();
    const [old] = await keysOf(world);
    const fetch: Fetch = async (input, init) =>
      init.method === "PATCH"
        ? Response.json({ error: { type: "forbidden", message: "no", request_id: "r1" } }, { status: 403 })
        : world.io.fetch(input, init);
    expect((await rotated(world, [KEY], overlapping, fetch)).exit).toBe(4);
    const { exit, stdout, stderr } = await rotated(world, [KEY], overlapping);
    expect(exit, stdout + stderr).toBe(0);
    expect((await keysOf(world)).map(({ prefix }) => prefix)).toEqual([(await storedTokens(world))[0], old?.prefix]);
  });

  test("not together with --revoke", async () => {
    const world = await opened();
    const { exit, stderr } = await rotated(world, [AGENT], { ...overlapping, revoke: true });
    expect([exit, stderr]).toEqual([64, expect.stringContaining("give one of them")]);
  });
});

describe("nothing is sent", () => {
  test("without an approval and a place for the token, which the plan names", async () => {
    const world = await opened();
    const { exit, stdout, stderr } = await rotated(world, [AGENT], {});
    expect(exit).toBe(3);
    expect(stdout).toContain("To approve: incidentctl rotate agents/triage_bot --allow-delete --secrets-out FILE");
    expect(stderr).toContain("requires --allow-delete");
    expect(stderr).toContain(
      "Next: review the plan, then run incidentctl rotate agents/triage_bot --allow-delete --secrets-out FILE --yes\n",
    );
    expect(writesOf(world)).toEqual([]);
  });

  test("and the command that approves it has what the command line says already", async () => {
    const world = await opened();
    const { stdout } = await rotated(world, [AGENT], { secretsOut: "tokens" });
    expect(stdout).toContain("To approve: incidentctl rotate agents/triage_bot --secrets-out tokens --allow-delete\n");
    const kept = await rotated(world, [AGENT], { overlap: 86_400_000 });
    expect(kept.stdout).toContain("To approve: incidentctl rotate agents/triage_bot --secrets-out FILE --overlap 1d\n");
  });

  test.each([
    [{ revoke: true }, "--allow-delete --yes --revoke"],
    [{ overlap: 7 * 86_400_000, yes: true }, "--secrets-out FILE --yes --overlap 1w"],
    [{ secretsOut: "a b", yes: true }, "--secrets-out 'a b' --allow-delete --yes"],
  ])("and the refusal of %j ends in the whole command", async (options, flags) => {
    const { exit, stderr } = await rotated(await opened(), [AGENT, KEY], options);
    const line = `incidentctl rotate agents/triage_bot 'api_keys/deploy bot' ${flags}\n`;
    expect([exit, stderr]).toEqual([3, expect.stringContaining(`Next: review the plan, then run ${line}`)]);
  });

  test("if the sink cannot store a token", async () => {
    const world = await opened();
    await writeFile(join(world.folder, "tokens.jsonl"), "", { mode: 0o644 });
    const { exit, stderr } = await rotated(world, [AGENT]);
    expect([exit, stderr]).toEqual([3, expect.stringContaining("other users can open it")]);
    expect(writesOf(world)).toEqual([]);
  });

  test("for a resource that does not exist, or that has no tokens", async () => {
    const world = await opened();
    const unknown = await rotated(world, ["agents/triage_bott"]);
    expect([unknown.exit, unknown.stderr]).toEqual([
      1,
      'error: the workspace has no agents/triage_bott; did you mean "agents/triage_bot"?\n',
    ]);
    const other = await rotated(world, ["severities/critical"]);
    expect([other.exit, other.stderr]).toEqual([64, expect.stringContaining('"severities/critical" has no token')]);
    const token = await rotated(world, [AGENT], { ...APPROVED, token: ["ff_000000000"] });
    expect([token.exit, token.stderr]).toEqual([1, expect.stringContaining('there is no token "ff_000000000"')]);
    expect(writesOf(world)).toEqual([]);
  });

  test("for a name that two service keys have, unless --token tells which", async () => {
    const world = await opened();
    const { prefix } = (await world.send("POST", "/api/v1/api_keys", { name: "deploy bot" })) as { prefix: string };
    const { exit, stderr } = await rotated(world, [KEY]);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("name one with --token PREFIX")]);
    expect(writesOf(world)).toEqual([]);
    expect((await rotated(world, [KEY], { ...APPROVED, token: [prefix] })).exit).toBe(0);
  });

  test("for a disabled service key, whose successor would be enabled", async () => {
    const world = await opened();
    const [key] = await keysOf(world);
    await world.send("PATCH", `/api/v1/api_keys/${key?.prefix}`, { active: false });
    const { exit, stderr } = await rotated(world, [KEY]);
    expect([exit, stderr]).toEqual([1, expect.stringContaining("is disabled")]);
    expect(writesOf(world)).toEqual([]);
  });

  test("if the run would revoke the token that it uses", async () => {
    const world = await opened();
    const { prefix, token } = (await world.send("POST", "/api/v1/api_keys", { name: "own" })) as Record<string, string>;
    const run = (options: RotateOptions) =>
      world.run((given: RotateOptions, io, console) => {
        io.env.INCIDENTCTL_TOKEN = token;
        return rotate(given, io, console);
      }, options);
    const { exit, stderr } = await run({ resources: ["api_keys/own"], ...APPROVED });
    expect([exit, stderr]).toEqual([3, expect.stringContaining("has the token that this run uses")]);
    expect((await keysOf(world)).map((key) => key.prefix)).toContain(prefix);
  });
});

/** The service with a sink or a response that fails at some requests. */
function failingAt(world: World, isHit: (method: string, url: string) => boolean, carriedOut: boolean): Fetch {
  let hits = 0;
  return async (input, init) => {
    if (!isHit(init.method, input) || ++hits > 1) return world.io.fetch(input, init);
    if (carriedOut) await world.io.fetch(input, init);
    throw Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error("ECONNRESET"), { code: "ECONNRESET" }),
    });
  };
}

describe("when something fails", () => {
  test("a sink that fails gets no token: the new one is revoked, and the old one stays", async () => {
    for (const address of [AGENT, KEY]) {
      const world = await opened();
      const before = [await agentTokens(world), (await keysOf(world)).map(({ prefix }) => prefix)];
      const { exit, stdout } = await rotated(world, [address], {
        allowDelete: true,
        yes: true,
        secretsExec: "/bin/false",
      });
      expect([exit, stdout]).toEqual([4, expect.stringContaining("the token command exited with status 1")]);
      expect([await agentTokens(world), (await keysOf(world)).map(({ prefix }) => prefix)]).toEqual(before);
    }
  });

  test("a new token that the service refuses leaves the old one, also with --keep-going", async () => {
    for (const address of [AGENT, KEY]) {
      const world = await opened();
      const before = [await agentTokens(world), (await keysOf(world)).map(({ prefix }) => prefix)];
      const refusal = { error: { type: "validation_error", message: "no", request_id: "r1", errors: [] } };
      const fetch: Fetch = async (input, init) =>
        init.method === "POST" ? Response.json(refusal, { status: 422 }) : world.io.fetch(input, init);
      const { exit, stdout } = await rotated(world, [address], { ...APPROVED, keepGoing: true }, fetch);
      expect(exit, stdout).toBe(4);
      expect([await agentTokens(world), (await keysOf(world)).map(({ prefix }) => prefix)]).toEqual(before);
    }
  });

  test("a lost response leaves no unknown token, and the same command finishes", async () => {
    const world = await opened();
    const fetch = failingAt(world, (method) => method === "POST", true);
    const first = await rotated(world, [AGENT], APPROVED, fetch);
    expect(first.exit, first.stdout).toBe(0);
    expect(await agentTokens(world)).toEqual([(await storedTokens(world)).at(-1)]);
  });

  test("a revocation that fails is finished by the same command or by resume, without another token", async () => {
    for (const name of ["rotate", "resume"]) {
      const world = await opened(SETTINGS_ALONE);
      const fetch: Fetch = async (input, init) =>
        init.method === "DELETE"
          ? Response.json({ error: { type: "forbidden", message: "no", request_id: "r1" } }, { status: 403 })
          : world.io.fetch(input, init);
      const first = await rotated(world, [AGENT], APPROVED, fetch);
      expect([first.exit, first.stdout]).toEqual([
        4,
        expect.stringContaining("run incidentctl rotate agents/triage_bot again"),
      ]);
      expect(await agentTokens(world)).toHaveLength(2);
      const again = name === "resume" ? await runWithin(world, resume, RESUMING) : await rotated(world, [AGENT]);
      expect(again.exit, name + again.stdout + again.stderr).toBe(0);
      expect(await agentTokens(world)).toEqual(await storedTokens(world));
    }
  });

  test("a revocation that the service accepts and does not carry out is a failure", async () => {
    const world = await opened();
    const fetch: Fetch = async (input, init) =>
      init.method === "DELETE" ? Response.json({}) : world.io.fetch(input, init);
    const { exit, stdout } = await rotated(world, [AGENT], APPROVED, fetch);
    expect([exit, stdout]).toEqual([4, expect.stringContaining("still lists the old token of agents/triage_bot")]);
    expect((await rotated(world, [AGENT])).exit).toBe(0);
    expect(await agentTokens(world)).toEqual(await storedTokens(world));
  });

  test("somebody else's rotation since the plan was made stops this one before it writes", async () => {
    const world = await opened();
    const fetch: Fetch = async (input, init) => {
      if (init.method === "GET" && writesOf(world).length === 0 && world.requests.length > 0) {
        await world.send("POST", "/api/v1/agents/triage_bot/rotate", {});
      }
      return world.io.fetch(input, init);
    };
    const { exit, stdout } = await rotated(world, [AGENT], APPROVED, fetch);
    expect([exit, stdout]).toEqual([5, expect.stringContaining("somebody has created it")]);
    expect(writesOf(world)).toEqual([]);
  });
});

describe("the journal of a rotation", () => {
  test("is no run to undo, and says what it rotated", async () => {
    const world = await opened(SETTINGS_ALONE);
    await rotated(world, [AGENT]);
    const { exit, stderr } = await world.run(undo, { paths: [] });
    expect([exit, stderr]).toEqual([1, expect.stringContaining("a revoked token cannot be restored")]);
    expect((await world.run(undo, { paths: [], list: true })).stdout).toContain("rotates agents/triage_bot");
  });

  test("leaves plan and apply as they are", async () => {
    const files = { "a.yaml": "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read, update] } }\n" };
    const world = await opened(files);
    expect((await rotated(world, [KEY])).exit).toBe(0);
    expect((await world.run(plan, { paths: [] })).stdout).toContain("No changes.");
    expect((await world.run(apply, { paths: [], yes: true })).exit).toBe(0);
  });
});

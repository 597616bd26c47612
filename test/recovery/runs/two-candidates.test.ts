import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import { openWorld, type World } from "../../commands/world.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { broken, type Fetch, KEY, KEY_BODY, rowsOf, SETTINGS, storedTokens } from "./interrupted.ts";

/** Two entries may be what a lost answer spoke of: whoever does what the output says, word for word, comes to an end. */

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": SETTINGS, "keys.yaml": KEY });
});
afterEach(() => world.close());

interface Ran {
  readonly exit: number;
  readonly said: string;
}

/** A command line in the world; a sink only where one is named. */
async function run(line: string, fetch: Fetch = world.io.fetch): Promise<Ran> {
  let said = "";
  const write = (text: string): void => {
    said += text;
  };
  const stream = { terminal: false, write };
  const { serviceToken, adminToken } = world.emulator;
  const env = { ...world.io.env, INCIDENTCTL_TOKEN: serviceToken, INCIDENTCTL_ADMIN_TOKEN: adminToken };
  const io = { ...world.io, env, fetch, clock: new VirtualClock(), stdout: stream, stderr: stream };
  return { exit: await runCommandLine(line.split(/\s+/).slice(1), io), said };
}

/** The answer to the first creation is lost, and somebody makes the same at that moment. */
function losing(): Fetch {
  let isLost = false;
  return async (input, init) => {
    const answer = await world.io.fetch(input, init);
    if (init.method !== "POST" || isLost) return answer;
    isLost = true;
    await world.send("POST", "/api/v1/api_keys", KEY_BODY);
    throw broken();
  };
}

/** Prefixes of the keys with the name. */
async function keys(): Promise<readonly string[]> {
  const rows = await rowsOf(world, "api_keys");
  return rows.filter(({ name }) => name === KEY_BODY.name).map(({ prefix }) => String(prefix));
}

/** What a shell makes of a curl command: the words that curl is given. */
async function wordsOf(command: string): Promise<readonly string[]> {
  const script = `curl() { printf '%s\\n' "$@"; }; ${command}`;
  const env = { PATH: process.env.PATH ?? "", INCIDENTCTL_TOKEN: "the-token" };
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", script], { env });
  return stdout.trimEnd().split("\n");
}

/** Does what a curl command says. */
async function curl(command: string): Promise<void> {
  const [flag, method = "", header, authorization, url = ""] = await wordsOf(command);
  expect([flag, method, header, authorization]).toEqual(["-X", "DELETE", "-H", "Authorization: Bearer the-token"]);
  const { origin, pathname } = new URL(url);
  expect(origin).toBe("http://localhost:4010");
  await world.send("DELETE", pathname);
}

interface Help {
  readonly removals: readonly string[];
  readonly whenOneIsLeft: string;
  readonly whenNoneIsLeft: string;
}

function read(said: string): Help {
  const after = (words: string) => new RegExp(`${words}: +(incidentctl .*)$`, "m").exec(said)?.[1] ?? "";
  return {
    removals: [...said.matchAll(/^ +(curl .*)$/gm)].map(([, command = ""]) => command),
    whenOneIsLeft: after("if one is left"),
    whenNoneIsLeft: after("if none is left"),
  };
}

/** The first run, and what `resume`, which it names as the next step, says then. */
async function lost(): Promise<Help> {
  const first = await run("incidentctl apply --yes --secrets-out tokens.jsonl", losing());
  expect(first.exit, first.said).toBe(4);
  expect(first.said).toContain("run incidentctl resume");
  const told = await run("incidentctl resume --secrets-out tokens.jsonl");
  expect(told.exit, told.said).toBe(4);
  const help = read(told.said);
  expect(help.removals).toHaveLength(2);
  expect(told.said.match(/"last_used_at":null/g)?.length).toBeGreaterThanOrEqual(2);
  return help;
}

async function expectEnded(): Promise<void> {
  const { exit, said } = await run("incidentctl apply --yes");
  expect(exit, said).toBe(0);
  expect(said).toContain("No changes");
}

describe("two service keys that match a lost response", () => {
  test("while both exist, nothing is written, with any resolution", async () => {
    const { whenOneIsLeft, whenNoneIsLeft } = await lost();
    const both = await keys();
    for (const line of [whenOneIsLeft, `${whenNoneIsLeft} --secrets-out tokens.jsonl`, "incidentctl apply --yes"]) {
      const { exit, said } = await run(line);
      expect(exit, said).toBe(4);
      expect(read(said).removals).toHaveLength(2);
      expect(await keys()).toEqual(both);
    }
  });

  test.each([0, 1])(
    "one is kept: the other is removed by the suggested command, and the run ends (%d)",
    async (going) => {
      const { removals, whenOneIsLeft } = await lost();
      const both = await keys();
      await curl(removals[going] ?? "");
      const { exit, said } = await run(whenOneIsLeft);
      expect(exit, said).toBe(0);
      expect(both).toContain((await keys())[0]);
      expect(await keys()).toHaveLength(1);
      await expectEnded();
    },
  );

  test("none is kept: both are removed by the suggested commands, and the run creates its own again", async () => {
    const { removals, whenNoneIsLeft } = await lost();
    for (const command of removals) await curl(command);
    expect(await keys()).toEqual([]);
    const { exit, said } = await run(`${whenNoneIsLeft} --secrets-out tokens.jsonl`);
    expect(exit, said).toBe(0);
    expect(await keys()).toEqual(await storedTokens(world));
    await expectEnded();
  });
});

test("a used key with the name is preserved on request", async () => {
  const first = await run("incidentctl apply --yes --secrets-out tokens.jsonl", async (input, init) => {
    if (init.method !== "POST") return world.io.fetch(input, init);
    await world.send("POST", "/api/v1/api_keys", { ...KEY_BODY, permissions: { incidents: ["read", "update"] } });
    throw broken();
  });
  expect(first.exit, first.said).toBe(4);
  const told = await run("incidentctl apply --yes --secrets-out tokens.jsonl");
  expect(told.exit, told.said).toBe(4);
  expect(read(told.said).removals).toHaveLength(1);
  const kept = await run("incidentctl apply --yes --resolve keep");
  expect(kept.exit, kept.said).toBe(0);
  expect(await keys()).toHaveLength(1);
  await expectEnded();
});

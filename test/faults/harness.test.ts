import { describe, expect, test } from "vitest";
import { MemoryDisk } from "../support/memory-disk.ts";
import { judgeCommand, judgeEnd, judgeIntent, StateWatch } from "./checks/invariants.ts";
import { canaries, leaksIn } from "./checks/secret-leaks.ts";
import { faults } from "./injection/fault.ts";
import { interleavings } from "./injection/interleavings.ts";
import { scenarios } from "./stage/scenarios.ts";
import { Stage } from "./stage/stage.ts";
import { parseReplay, playCase, replayLine, scenarioOf } from "./stage/sweep.ts";

const SECRET = "ff_8sUvdhC98QxZk4TnW2mYbR7pLcE5gHjJ1a";

describe("the search for leaked secrets", () => {
  const bytes = Buffer.from(SECRET);
  test.each<[string, string]>([
    ["verbatim", SECRET],
    ["in JSON", JSON.stringify({ token: SECRET })],
    ["in base64", bytes.toString("base64")],
    ["in base64 after other text", Buffer.from(`Bearer ${SECRET}`).toString("base64")],
    ["in base64 for URLs", Buffer.from(`a:${SECRET}`).toString("base64url")],
    ["in hexadecimal", bytes.toString("hex")],
    ["in a URL", `https://a.example.com/?t=${encodeURIComponent(SECRET)}`],
    ["in UTF-16", Buffer.from(SECRET, "utf16le").toString("latin1")],
    ["reversed", [...SECRET].reverse().join("")],
    ["across lines", `${SECRET.slice(0, 20)}\n    ${SECRET.slice(20)}`],
    ["in part", `…${SECRET.slice(14, 24)}…`],
  ])("finds a token %s", (_how, hidden) => {
    expect(leaksIn(`before ${hidden} after`, new Map([["token", SECRET]]))).not.toEqual([]);
  });

  test("finds a value with characters that need escaping", () => {
    const value = canaries.CANARY_ROLE ?? "";
    const known = new Map([["role", value]]);
    expect(leaksIn(JSON.stringify(value), known)).not.toEqual([]);
    expect(leaksIn(new URLSearchParams({ value }).toString(), known)).not.toEqual([]);
  });

  test("allows the public prefix of a token", () => {
    expect(leaksIn(`the token ${SECRET.slice(0, 12)} was revoked`, new Map([["token", SECRET]]))).toEqual([]);
  });
});

describe("the fault matrix", () => {
  test("has twenty-four scenarios, faults with unique names, and 924 interleavings", () => {
    expect(scenarios().map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    expect(faults.length).toBeGreaterThan(50);
    expect(interleavings(6)).toHaveLength(924);
  });

  test("every case has a replay line that parses back to it", () => {
    const line = "REPLAY seed=3 scenario=14 fault=500, done@3+429@5/reset, not done@2";
    expect(replayLine(parseReplay(line))).toBe(line);
  });

  test("the same case gives the same requests, times and output", async () => {
    const stage = await Stage.open(scenarioOf(14, 1));
    try {
      const [{ first }] = [parseReplay("seed=1 scenario=14 fault=500, not done@3")];
      const play = async () => {
        const { exit, stdout, stderr, sent } = await stage.play(7).apply(first);
        return { exit, stdout, stderr, sent: sent.map(({ at, method, path, body }) => ({ at, method, path, body })) };
      };
      expect(await play()).toEqual(await play());
    } finally {
      await stage.close();
    }
  });
});

describe("the invariants detect", () => {
  async function with14(run: (stage: Stage) => Promise<readonly { readonly invariant: string }[]>): Promise<string[]> {
    const stage = await Stage.open(scenarioOf(17, 1));
    try {
      return [...new Set((await run(stage)).map(({ invariant }) => invariant))];
    } finally {
      await stage.close();
    }
  }

  test("a duplicate, a lost resource and a changed one", async () => {
    const found = await with14(async (stage) => {
      await stage.play(1).apply();
      await stage.workspace.hand("POST", "/api_keys", { name: "board", permissions: { incidents: ["read"] } });
      return judgeEnd(stage, "");
    });
    expect(found).toEqual(["I2", "I8"]);
    const lost = await with14(async (stage) => {
      await stage.play(1).apply();
      stage.workspace.control.service.database.run(`DELETE FROM "api_keys" WHERE "name" = 'board'`);
      return judgeEnd(stage, "");
    });
    expect(lost).toContain("I1");
  });

  test.each([
    ["/runbooks/failover", "preserved, in use", ["runbooks:", "runbook_steps:"]],
    ["/agents/triage_bot", "disabled instead", ["agents:", "grants:"]],
  ])("remaining parts of %s, unless the owner is reported as %s", async (path, reported, parts) => {
    const scenario = scenarioOf(2, 11);
    const [whole, stage] = [await Stage.open(scenario), await Stage.open(scenario)];
    try {
      const { sent } = await whole.play(11).apply();
      const request = sent.find((one) => one.method === "DELETE" && one.path.endsWith(path))?.number;
      const { stdout } = await stage.play(11).apply(parseReplay(`seed=11 scenario=2 fault=422@${request}`).first);
      expect(stdout).toMatch(new RegExp(`${reported} {2}op-\\d+ {2}${path.slice(1)}`));
      expect(judgeEnd(stage, stdout)).toEqual([]);
      expect(judgeEnd(stage, "").map(({ what }) => what.split(" ", 1)[0])).toEqual(parts);
    } finally {
      await whole.close();
      await stage.close();
    }
  });

  test("a false success, and an exit code that hides writes", async () => {
    const found = await with14(async (stage) => {
      const play = stage.play(1);
      const ran = await play.run(["plan"]);
      const claimed = judgeCommand(stage, play, { ...ran, stdout: "Verified: all is well" });
      const applied = await play.apply();
      return [...claimed, ...judgeCommand(stage, play, { ...applied, exit: 1 })];
    });
    expect(found).toContain("I12");
  });

  test("writes after a refusal, an endless run, unreadable output and a secret in it", async () => {
    const found = await with14(async (stage) => {
      const play = stage.play(1);
      const ran = await play.apply();
      const secret = [...play.connection.revealed][0] ?? "";
      const bad = {
        ...ran,
        exit: 3,
        took: 9e9,
        stderr: `error: [object Object] ${Buffer.from(secret).toString("hex")}`,
      };
      return judgeCommand(stage, play, bad);
    });
    expect(found).toEqual(expect.arrayContaining(["I4", "I9", "I11", "I13"]));
  });

  test("a lost token", async () => {
    const found = await with14(async (stage) => {
      await stage.play(1).apply();
      stage.sinks = [];
      return judgeEnd(stage, "");
    });
    expect(found).toEqual(["I8"]);
  });

  test("a write without a journal record, and one whose record was not synced", async () => {
    const sent = { number: 1, at: 0, method: "POST", path: "/api/v1/webhooks", body: "{}", bearer: "" };
    expect(judgeIntent(new MemoryDisk(), sent)).toHaveLength(1);
    const found = await with14(async (stage) => {
      const violations: { readonly invariant: string }[] = [];
      const play = stage.play(1, {
        leaving: (one) => void violations.push(...judgeIntent(stage.disk ?? new MemoryDisk(), one)),
      });
      // The disk reports a sync that did not happen.
      if (stage.disk !== undefined) stage.disk.faults = { liesFrom: 6 };
      await play.apply();
      return violations;
    });
    expect(found).toEqual(["I7"]);
  });

  test("an intermediate state without an enabled severity", async () => {
    const stage = await Stage.open(scenarioOf(5, 1));
    try {
      stage.play(1);
      const watch = new StateWatch(stage);
      stage.workspace.control.service.database.run(`UPDATE "severities" SET "enabled" = 0`);
      watch.look({ method: "PATCH", path: "/api/v1/severities/major" });
      expect(watch.violations.map(({ invariant }) => invariant)).toEqual(["I16"]);
    } finally {
      await stage.close();
    }
  });

  test("a client that retries creations blindly", async () => {
    const stage = await Stage.open(scenarioOf(14, 1));
    try {
      const { send } = stage;
      stage.send = async (connection, url, init) => {
        const again = () => send(connection, url, init);
        return init.method === "POST" ? again().catch(again).then(again) : again();
      };
      const { violations } = await playCase(stage, parseReplay("seed=1 scenario=14 fault=reset, done@3"));
      expect(violations).not.toEqual([]);
    } finally {
      await stage.close();
    }
  });
});

import { describe, expect, test } from "vitest";
import { judgeCommand, judgeEnd, judgeIntent, Watch } from "./checks/invariants.ts";
import { canaries, leaksIn } from "./checks/secret-leaks.ts";
import { faults } from "./injection/fault.ts";
import { interleavings } from "./injection/interleavings.ts";
import { MemoryDisk } from "./injection/memory-disk.ts";
import { scenarios } from "./stage/scenarios.ts";
import { Stage } from "./stage/stage.ts";
import { playCase, readReplay, replayLine, scenarioOf } from "./stage/sweep.ts";

const SECRET = "ff_8sUvdhC98QxZk4TnW2mYbR7pLcE5gHjJ1a";

describe("the canary scanner", () => {
  const bytes = Buffer.from(SECRET);
  test.each<[string, string]>([
    ["as it is", SECRET],
    ["in JSON", JSON.stringify({ token: SECRET })],
    ["in base64", bytes.toString("base64")],
    ["in base64 behind other words", Buffer.from(`Bearer ${SECRET}`).toString("base64")],
    ["in base64 for URLs", Buffer.from(`a:${SECRET}`).toString("base64url")],
    ["in hexadecimal", bytes.toString("hex")],
    ["in a URL", `https://a.example.com/?t=${encodeURIComponent(SECRET)}`],
    ["in UTF-16", Buffer.from(SECRET, "utf16le").toString("latin1")],
    ["backwards", [...SECRET].reverse().join("")],
    ["over lines", `${SECRET.slice(0, 20)}\n    ${SECRET.slice(20)}`],
    ["in part", `…${SECRET.slice(14, 24)}…`],
  ])("finds a token %s", (_how, hidden) => {
    expect(leaksIn(`before ${hidden} after`, new Map([["token", SECRET]]))).not.toEqual([]);
  });

  test("finds a value that has to be escaped", () => {
    const value = canaries.CANARY_ROLE ?? "";
    const known = new Map([["role", value]]);
    expect(leaksIn(JSON.stringify(value), known)).not.toEqual([]);
    expect(leaksIn(new URLSearchParams({ value }).toString(), known)).not.toEqual([]);
  });

  test("lets the public prefix pass", () => {
    expect(leaksIn(`the token ${SECRET.slice(0, 12)} was revoked`, new Map([["token", SECRET]]))).toEqual([]);
  });
});

describe("the matrix", () => {
  test("has the twenty-four scenarios, faults of unique names, and the 924 interleavings", () => {
    expect(scenarios().map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    expect(faults.length).toBeGreaterThan(50);
    expect(interleavings(6)).toHaveLength(924);
  });

  test("every case is told in one line, from which it can be played again", () => {
    const line = "REPLAY seed=3 scenario=14 fault=500, done@3+429@5/reset, not done@2";
    expect(replayLine(readReplay(line))).toBe(line);
  });

  test("the same case is the same run: requests, times, output", async () => {
    const stage = await Stage.open(scenarioOf(14, 1));
    try {
      const [{ first }] = [readReplay("seed=1 scenario=14 fault=500, not done@3")];
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

describe("the judge notices", () => {
  async function with14(run: (stage: Stage) => Promise<readonly { readonly invariant: string }[]>): Promise<string[]> {
    const stage = await Stage.open(scenarioOf(17, 1));
    try {
      return [...new Set((await run(stage)).map(({ invariant }) => invariant))];
    } finally {
      await stage.close();
    }
  }

  test("a second copy, a lost entry and a changed one", async () => {
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

  test("what is left, unless its owner was told to stay", async () => {
    const stage = await Stage.open(scenarioOf(2, 11));
    try {
      const kept = await stage.play(11).apply(readReplay("seed=11 scenario=2 fault=422@33").first);
      expect(kept.stdout).toContain("preserved, in use  op-5  runbooks/failover");
      expect(judgeEnd(stage, kept.stdout)).toEqual([]);
      const untold = judgeEnd(stage, "").map(({ what }) => what.split(" ", 1)[0]);
      expect(untold).toEqual(["runbooks:", "runbook_steps:"]);
      const retired = await stage.play(11).apply(readReplay("seed=11 scenario=2 fault=422@25").first);
      expect(retired.stdout).toContain("disabled instead  op-1  agents/triage_bot");
      expect(judgeEnd(stage, retired.stdout)).toEqual([]);
      expect(judgeEnd(stage, "").map(({ what }) => what.split(" ", 1)[0])).toContain("grants:");
    } finally {
      await stage.close();
    }
  });

  test("success that is none, and an exit code that hides what was written", async () => {
    const found = await with14(async (stage) => {
      const play = stage.play(1);
      const ran = await play.run(["plan"]);
      const claimed = judgeCommand(stage, play, { ...ran, stdout: "Verified: all is well" });
      const applied = await play.apply();
      return [...claimed, ...judgeCommand(stage, play, { ...applied, exit: 1 })];
    });
    expect(found).toContain("I12");
  });

  test("writes of what was refused, an endless run, an output for machines and a secret in it", async () => {
    const found = await with14(async (stage) => {
      const play = stage.play(1);
      const ran = await play.apply();
      const secret = [...play.line.revealed][0] ?? "";
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

  test("a token that nobody has", async () => {
    const found = await with14(async (stage) => {
      await stage.play(1).apply();
      stage.sinks = [];
      return judgeEnd(stage, "");
    });
    expect(found).toEqual(["I8"]);
  });

  test("a write that was not written down, and one that was not written through", async () => {
    const sent = { number: 1, at: 0, method: "POST", path: "/api/v1/webhooks", body: "{}", bearer: "" };
    expect(judgeIntent(new MemoryDisk(), sent)).toHaveLength(1);
    const found = await with14(async (stage) => {
      const violations: { readonly invariant: string }[] = [];
      const play = stage.play(1, {
        leaving: (one) => void violations.push(...judgeIntent(stage.disk ?? new MemoryDisk(), one)),
      });
      // It says that it has written through, and has not.
      if (stage.disk !== undefined) stage.disk.faults = { liesFrom: 6 };
      await play.apply();
      return violations;
    });
    expect(found).toEqual(["I7"]);
  });

  test("an intermediate state in which nobody could declare an incident", async () => {
    const stage = await Stage.open(scenarioOf(5, 1));
    try {
      stage.play(1);
      const watch = new Watch(stage);
      stage.workspace.control.service.database.run(`UPDATE "severities" SET "enabled" = 0`);
      watch.look({ method: "PATCH", path: "/api/v1/severities/major" });
      expect(watch.violations.map(({ invariant }) => invariant)).toEqual(["I16"]);
    } finally {
      await stage.close();
    }
  });

  test("a client that repeats creations blindly", async () => {
    const stage = await Stage.open(scenarioOf(14, 1));
    try {
      const { send } = stage;
      stage.send = async (line, url, init) => {
        const again = () => send(line, url, init);
        return init.method === "POST" ? again().catch(again).then(again) : again();
      };
      const { violations } = await playCase(stage, readReplay("seed=1 scenario=14 fault=reset, done@3"));
      expect(violations).not.toEqual([]);
    } finally {
      await stage.close();
    }
  });
});

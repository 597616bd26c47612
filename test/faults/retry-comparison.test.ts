import { Agent, RetryAgent } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fields } from "../../src/core/json.ts";
import type { Fault } from "../../src/emulator/control/faults.ts";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../src/emulator/serve.ts";
import { reportFigures } from "./figures/figures.ts";
import { faultNamed } from "./injection/fault.ts";
import type { Scenario } from "./stage/scenarios.ts";
import { Stage } from "./stage/stage.ts";

/** Trials for each kind; more in the campaign. */
const TRIALS = Number(process.env.CAMPAIGN_TRIALS ?? 2);

interface Creation {
  readonly kind: string;
  readonly path: string;
  readonly table: string;
  /** The declared resource as in the files; `{n}` is the number of the trial. */
  readonly declared: Fields;
  /** The request that a plain client sends. */
  readonly body: (name: string) => Fields;
}

const creations: readonly Creation[] = [
  {
    kind: "webhooks",
    path: "/api/v1/webhooks",
    table: "webhooks",
    declared: { url: "https://a.example.com/in" },
    body: (name) => ({ name, url: "https://a.example.com/in" }),
  },
  {
    kind: "api_keys",
    path: "/api/v1/api_keys",
    table: "api_keys",
    declared: { permissions: { incidents: ["read"] } },
    body: (name) => ({ name, permissions: { incidents: ["read"] } }),
  },
  { kind: "runbooks", path: "/api/v1/runbooks", table: "runbooks", declared: {}, body: (name) => ({ name }) },
  { kind: "severities", path: "/api/v1/severities", table: "severities", declared: {}, body: (name) => ({ name }) },
];

let emulator: Emulator;
let served: EmulatorServer;
const began = performance.now();
const copies: Record<string, number> = {
  trials: 0,
  "RetryAgent with POST": 0,
  "a plain retry loop": 0,
  incidentctl: 0,
};

beforeAll(async () => {
  emulator = createEmulator({ control: true, requestsPerMinute: 1_000_000 });
  served = await serve(emulator);
});
afterAll(async () => {
  await served.close();
  await emulator.close();
  const { trials = 0, ...made } = copies;
  reportFigures(
    { part: "lost responses to creations", runs: trials, violations: made.incidentctl ?? 0, details: made },
    began,
  );
});

/** Loses the response after the service has executed the request: the first time, or every time. */
function losing(path: string, times: number): Fault {
  return { method: "POST", path, phase: "after-commit", action: { type: "reset" }, times };
}

function made(from: Emulator, table: string, name: string): number {
  const { database } = from.control?.service ?? {};
  return database?.scalar(`SELECT COUNT(*) FROM "${table}" WHERE "name" = ?`, [name]) ?? 0;
}

/** A client with a common retry configuration. */
async function withRetryAgent(creation: Creation, name: string): Promise<void> {
  const agent = new RetryAgent(new Agent(), { methods: ["POST"], maxRetries: 3, minTimeout: 1, maxTimeout: 1 });
  try {
    const { headers, body } = asked(creation, name);
    const { body: answer } = await agent.request({
      origin: served.url,
      path: creation.path,
      method: "POST",
      headers,
      body,
    });
    await answer.dump();
  } catch (error) {
    // The client gives up in the end; only the created rows count.
    expect(error).toBeInstanceOf(Error);
  } finally {
    await agent.close();
  }
}

async function withLoop(creation: Creation, name: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const done = await fetch(`${served.url}${creation.path}`, asked(creation, name)).then(
      (response) => response.ok,
      () => false,
    );
    if (done) return;
  }
}

function asked(creation: Creation, name: string): { method: string; headers: Record<string, string>; body: string } {
  const headers = { authorization: `Bearer ${emulator.adminToken}`, "content-type": "application/json" };
  return { method: "POST", headers: { ...headers, connection: "close" }, body: JSON.stringify(creation.body(name)) };
}

/** Two runs of incidentctl: the one that loses the response, and the next one. */
async function withProgram({ kind, declared, table }: Creation, times: number): Promise<number> {
  const name = "Made once";
  const base: readonly Fields[] =
    kind === "severities" ? ["Critical", "Major", "Minor"].map((one) => ({ slug: one.toLowerCase(), name: one })) : [];
  const slugged = kind === "runbooks" || kind === "severities" ? { slug: "made_once" } : {};
  const file = (entries: readonly Fields[]) => ({ "workspace.yaml": JSON.stringify({ [kind]: entries }) });
  const scenario: Scenario = {
    number: 0,
    name: `one of ${kind}`,
    before: file(base),
    after: file([...base, { ...slugged, name, ...declared }]),
  };
  const stage = await Stage.open(scenario);
  try {
    const play = stage.play(1);
    const post = stage.undisturbed.sent.findIndex(({ method }) => method === "POST") + 1;
    await play.apply([{ fault: { ...faultNamed("reset, done"), times }, request: post }]);
    await play.timeline.sleep(150_000);
    const again = await play.apply();
    expect(again.exit, again.stdout + again.stderr).toBe(0);
    return made(stage.workspace.emulator, table, name);
  } finally {
    await stage.close();
  }
}

test.each(creations)(
  "$kind: if the response to a creation is lost, only blind retries create duplicates",
  async (creation) => {
    for (let trial = 1; trial <= TRIALS; trial++) {
      const times = trial % 2 === 0 ? 1 : 3;
      for (const [client, run] of [
        ["RetryAgent with POST", withRetryAgent],
        ["a plain retry loop", withLoop],
      ] as const) {
        const name = `${client} ${creation.kind} ${trial}`;
        emulator.control?.faults.clear();
        emulator.control?.faults.add(losing(creation.path, times));
        await run(creation, name);
        copies[client] = (copies[client] ?? 0) + made(emulator, creation.table, name) - 1;
      }
      const ours = await withProgram(creation, times);
      expect(ours).toBe(1);
      copies.incidentctl = (copies.incidentctl ?? 0) + ours - 1;
      copies.trials = (copies.trials ?? 0) + 1;
    }
    expect(copies["RetryAgent with POST"]).toBeGreaterThan(0);
  },
);

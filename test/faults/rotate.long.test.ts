/** `rotate` with faults at its requests, and killed at each of them: never a token that nobody holds, and never none. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleSize } from "../support/samples/sample-size.ts";
import { judgeCommand, judgeEnd, judgeIntent, type Violation } from "./checks/invariants.ts";
import { liveTokens } from "./checks/inventory.ts";
import type { Injection, SentRequest } from "./injection/connection.ts";
import { faults } from "./injection/fault.ts";
import { pick, randomFrom, sample } from "./stage/random.ts";
import { KILLED, SINK, Stage } from "./stage/stage.ts";

const CAMPAIGN = process.env.CAMPAIGN_FAULTS !== undefined;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);
const UNTIL_THE_NEXT = 150_000;
const ADDRESSES = ["agents/triage_bot", "api_keys/deploy bot"];
const ROTATE = ["rotate", ...ADDRESSES, "--yes", "--allow-delete", "--secrets-out", SINK];

const files = {
  "workspace.yaml": `
agents:
  - { slug: triage_bot, name: Triage bot }
api_keys:
  - { name: deploy bot, permissions: { incidents: [read], severities: [read, update] } }
`,
};

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ number: 30, name: "rotation", before: files, after: files });
});
afterAll(() => stage.close());

/** The trouble of a run. */
interface Trouble {
  readonly injections?: readonly Injection[];
  /** The process stops at this write of the run: before the service has it, or after it was carried out. */
  readonly death?: { readonly request: number; readonly carriedOut: boolean };
}

/** The prefixes in the sink. */
function stored(): ReadonlySet<string> {
  const path = join(stage.folder, SINK);
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  return new Set(lines.map((line) => String(JSON.parse(line).prefix)));
}

/** The live tokens by the kind of their principal. */
function tokensByKind(): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>();
  for (const { ownerKind, prefix } of liveTokens(stage.workspace.control.service.database)) {
    all.set(ownerKind, [...(all.get(ownerKind) ?? []), prefix]);
  }
  return all;
}

/** I8 at every moment: each resource has a token that somebody holds. */
function heldTokens(): readonly Violation[] {
  const sink = stored();
  const isHeld = (prefix: string): boolean => stage.knownTokens.has(prefix) || sink.has(prefix);
  return ["agent", "api_key"].flatMap((kind) =>
    (tokensByKind().get(kind) ?? []).some(isHeld) ? [] : [{ invariant: "I8", what: `no held token of the ${kind}` }],
  );
}

/** Has the next run stop at a write, as if the process was killed there. */
function killAt({ request, carriedOut }: NonNullable<Trouble["death"]>): Promise<void> {
  let kill = (): void => {};
  const killed = new Promise<void>((resolve) => {
    kill = resolve;
  });
  let sent = 0;
  stage.send = async (connection, url, init) => {
    sent += 1;
    const isLast = sent === request;
    if (!isLast || carriedOut) {
      const response = await connection.fetch(url, init);
      if (!isLast) return response;
    }
    kill();
    return new Promise(() => {});
  };
  return killed;
}

async function play({ injections = [], death }: Trouble): Promise<readonly Violation[]> {
  const found: Violation[] = [];
  const killed = killAt(death ?? { request: 0, carriedOut: true });
  const playing = stage.play(SEED, {
    leaving: (request) => {
      if (stage.disk !== undefined) found.push(...judgeIntent(stage.disk, request));
    },
    done: () => void found.push(...heldTokens()),
  });
  if (death !== undefined) playing.killed = killed;
  const exits: number[] = [];
  const run = async (faulty: readonly Injection[]): Promise<void> => {
    const ran = await playing.run(ROTATE, faulty);
    exits.push(ran.exit);
    if (ran.exit !== KILLED) found.push(...judgeCommand(stage, playing, ran));
    await playing.timeline.sleep(UNTIL_THE_NEXT);
  };
  await run(injections);
  playing.killed = undefined;
  stage.disk?.forgetClaims();
  for (let more = 0; more < 3 && exits.at(-1) !== 0; more++) await run([]);
  if (exits.at(-1) !== 0) return [...found, { invariant: "I5", what: `exit codes ${exits.join(", ")}` }];
  const old = stage.liveTokens().filter((prefix) => stage.knownTokens.has(prefix));
  const several = [...tokensByKind()].filter(([, all]) => all.length !== 1);
  return [
    ...found,
    ...judgeEnd(stage, ""),
    ...old.map((prefix) => ({ invariant: "I1", what: `the old token ${prefix} lives` })),
    ...several.map(([kind, all]) => ({ invariant: "I2", what: `the ${kind} has ${all.length} tokens` })),
  ];
}

const named = ({ injections = [], death }: Trouble): string =>
  death === undefined
    ? injections.map(({ fault, request }) => `${fault.name}@${request}`).join("+")
    : `death at request ${death.request}, ${death.carriedOut ? "done" : "not done"}`;

async function failuresOf(troubles: readonly Trouble[]): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const trouble of troubles) {
    const lines = (await play(trouble)).map(({ invariant, what }) => `${named(trouble)}: ${invariant}: ${what}`);
    failures.push(...new Set(lines));
  }
  return failures;
}

describe("a rotation ends with one token of each resource, which the sink holds", () => {
  let requests: readonly SentRequest[];
  beforeAll(async () => {
    const ran = await stage.play(SEED).run(ROTATE);
    expect(ran.exit, ran.stdout + ran.stderr).toBe(0);
    requests = ran.sent;
  });

  test("without a fault, after reads of the two lists and of the tokens before each write", () => {
    expect(requests.filter(({ method }) => method !== "GET")).toHaveLength(4);
  });

  test("with each fault at each request", async () => {
    const all = requests.flatMap(({ method }, index) =>
      faults
        .filter(({ writes }) => writes !== true || method !== "GET")
        .map((fault): Trouble => ({ injections: [{ fault, request: index + 1 }] })),
    );
    const chosen = CAMPAIGN ? all : sample(randomFrom(SEED), all, sampleSize(300));
    expect(await failuresOf(chosen)).toEqual([]);
  }, 600_000);

  test("with several faults", async () => {
    const random = randomFrom(SEED + 1);
    const at = (): Injection => ({
      fault: pick(random, faults),
      request: 1 + Math.floor(random() * (requests.length + 6)),
    });
    const all = Array.from({ length: CAMPAIGN ? 300 : sampleSize(30) }, (): Trouble => ({ injections: [at(), at()] }));
    expect(await failuresOf(all)).toEqual([]);
  }, 600_000);

  test("when the process is killed at each request, before and after the service has carried it out", async () => {
    const all = requests.flatMap(({ number }) =>
      [false, true].map((carriedOut): Trouble => ({ death: { request: number, carriedOut } })),
    );
    expect(await failuresOf(all)).toEqual([]);
  }, 600_000);

  test("and if only an approval is missing, the command that is named finishes it", async () => {
    const overlap = ["rotate", "agents/triage_bot", "--yes", "--overlap", "24h", "--secrets-out", SINK];
    const playing = stage.play(SEED);
    const first = requests.find(({ method }) => method === "POST")?.number ?? 0;
    playing.killed = killAt({ request: first, carriedOut: true });
    expect((await playing.run(overlap)).exit).toBe(KILLED);
    playing.killed = undefined;
    stage.disk?.forgetClaims();
    await playing.timeline.sleep(UNTIL_THE_NEXT);
    const refused = await playing.run(overlap);
    expect([refused.exit, refused.stderr]).toEqual([
      3,
      expect.stringContaining("run incidentctl rotate agents/triage_bot with --allow-delete;"),
    ]);
    expect((await playing.run([...overlap, "--allow-delete"])).exit).toBe(0);
    expect(tokensByKind().get("agent")).toHaveLength(2);
    expect(heldTokens()).toEqual([]);
  });
});

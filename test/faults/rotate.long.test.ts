/** `rotate` with faults at its requests, and killed at each of them: never a token that nobody holds, and never none. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpResponse } from "../../src/core/fetch.ts";
import { sampleSize } from "../support/samples/sample-size.ts";
import { sentTwice } from "../support/service/sent-twice.ts";
import { judgeCommand, judgeEnd, judgeIntent, type Violation } from "./checks/invariants.ts";
import { liveTokens } from "./checks/inventory.ts";
import type { Injection, SentRequest } from "./injection/connection.ts";
import { faults } from "./injection/fault.ts";
import { pick, randomFrom, sample } from "./stage/random.ts";
import { type CommandResult, KILLED, SINK, Stage } from "./stage/stage.ts";

const CAMPAIGN = process.env.CAMPAIGN_FAULTS !== undefined;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);
const UNTIL_THE_NEXT = 150_000;
const ADDRESSES = ["agents/triage_bot", "api_keys/deploy bot"];
const ROTATE = ["rotate", ...ADDRESSES, "--yes", "--allow-delete", "--secrets-out", SINK];
const GOING_ON = [...ROTATE, "--keep-going"];
/** Keeps the old tokens. */
const OVERLAPPING = [...ROTATE, "--overlap", "24h"];

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
  /** An intermediary answers this write of the run itself. */
  readonly meddling?: { readonly request: number; readonly name: string };
}

/** What an intermediary does with a write, given the answer to an earlier one of the same path. */
type Meddler = (send: () => Promise<HttpResponse>, earlier: string) => Promise<HttpResponse>;

const refused = (status: number): Meddler => {
  const error = { error: { type: status === 429 ? "rate_limited" : "injected", message: "an injected fault" } };
  return async (send) => {
    await send();
    return Response.json(error, { status, headers: status === 429 ? { "retry-after": "3" } : {} });
  };
};

const MEDDLERS: Readonly<Record<string, Meddler>> = {
  ...sentTwice<HttpResponse>(),
  oldNotDone: async (_send, earlier) => new Response(earlier, { status: 201 }),
  oldDone: async (send, earlier) => {
    await send();
    return new Response(earlier, { status: 201 });
  },
  foreign: async (_send, earlier) =>
    new Response(
      earlier
        .replaceAll(/"(slug|name)":"[^"]*"/g, '"$1":"other"')
        .replaceAll(/ff_\w+/g, (token) => [...token].reverse().join("")),
      { status: 201 },
    ),
  ...Object.fromEntries([401, 403, 404, 409, 422, 429].map((status) => [`${status}, done`, refused(status)])),
};

/** The command that ends a token that nobody holds, as the output names it. */
function endingsIn({ stdout }: CommandResult): readonly (readonly string[])[] {
  return [...stdout.matchAll(/incidentctl rotate '?([^'\n]+?)'? --revoke --token (\S+) --allow-delete$/gm)].map(
    ([, address = "", prefix = ""]) => ["rotate", address, "--revoke", "--token", prefix, "--allow-delete", "--yes"],
  );
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

/** Has an intermediary answer a write of the next run. */
function meddleAt({ request, name }: NonNullable<Trouble["meddling"]>, earlier: ReadonlyMap<string, string>): void {
  let sent = 0;
  stage.send = async (connection, url, init) => {
    sent += 1;
    const send = (): Promise<HttpResponse> => connection.fetch(url, init);
    if (sent !== request) return send();
    const answer = earlier.get(`${init.method} ${new URL(url).pathname}`) ?? "{}";
    return MEDDLERS[name]?.(send, answer) ?? send();
  };
}

async function play(
  { injections = [], death, meddling }: Trouble,
  command: readonly string[],
): Promise<readonly Violation[]> {
  const found: Violation[] = [];
  const killed = killAt(death ?? { request: 0, carriedOut: true });
  if (meddling !== undefined) meddleAt(meddling, answers);
  const playing = stage.play(SEED, {
    leaving: (request) => {
      if (stage.disk !== undefined) found.push(...judgeIntent(stage.disk, request));
    },
    done: () => void found.push(...heldTokens()),
  });
  if (death !== undefined) playing.killed = killed;
  const exits: number[] = [];
  let endings: readonly (readonly string[])[] = [];
  const isKept = command === OVERLAPPING;
  const run = async (faulty: readonly Injection[], typed: readonly string[] = command): Promise<void> => {
    const ran = await playing.run([...typed], faulty);
    exits.push(ran.exit);
    if (ran.exit === 64) found.push({ invariant: "I13", what: `${typed.join(" ")}: ${ran.stderr}` });
    endings = endingsIn(ran);
    // Between the two, the workspace is not as the undisturbed run leaves it. With old tokens, it never is.
    if (ran.exit !== KILLED && typed === command && !isKept) found.push(...judgeCommand(stage, playing, ran));
    if (typed === command) found.push(...unnamed(ran));
    await playing.timeline.sleep(UNTIL_THE_NEXT);
  };
  await run(injections);
  playing.killed = undefined;
  stage.disk?.forgetClaims();
  for (let more = 0; more < 3 && exits.at(-1) !== 0; more++) {
    for (const ending of endings) await run([], ending);
    await run([]);
  }
  if (exits.at(-1) !== 0) return [...found, { invariant: "I5", what: `exit codes ${exits.join(", ")}` }];
  const old = stage.liveTokens().filter((prefix) => stage.knownTokens.has(prefix));
  if (isKept) {
    const lost = stage.liveTokens().length < 2 * ADDRESSES.length ? ["an old token is gone"] : [];
    return [...found, ...lost.map((what) => ({ invariant: "I1", what }))];
  }
  const several = [...tokensByKind()].filter(([, all]) => all.length !== 1);
  return [
    ...found,
    ...judgeEnd(stage, ""),
    ...old.map((prefix) => ({ invariant: "I1", what: `the old token ${prefix} lives` })),
    ...several.map(([kind, all]) => ({ invariant: "I2", what: `the ${kind} has ${all.length} tokens` })),
  ];
}

/** Tokens that nobody holds after a run that says that it is done. */
function unnamed({ exit, stdout }: CommandResult): readonly Violation[] {
  const sink = stored();
  const unknown = stage.liveTokens().filter((prefix) => !stage.knownTokens.has(prefix) && !sink.has(prefix));
  const isOpen = exit === KILLED || /unknown {2}op-|could not be|skipped|failed/.test(stdout);
  return unknown.flatMap((prefix) =>
    exit !== 0 && (isOpen || stdout.includes(prefix))
      ? []
      : [{ invariant: "I8", what: `exit code ${exit}, and nothing names the token ${prefix}` }],
  );
}

const named = ({ injections = [], death, meddling }: Trouble): string =>
  meddling !== undefined
    ? `${meddling.name}@${meddling.request}`
    : death === undefined
      ? injections.map(({ fault, request }) => `${fault.name}@${request}`).join("+")
      : `death at request ${death.request}, ${death.carriedOut ? "done" : "not done"}`;

async function failuresOf(troubles: readonly Trouble[], command = ROTATE): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const trouble of troubles) {
    const lines = (await play(trouble, command)).map(
      ({ invariant, what }) => `${named(trouble)}: ${invariant}: ${what}`,
    );
    failures.push(...new Set(lines));
  }
  return failures;
}

/** The answers to the writes of an earlier rotation, by method and path. */
const answers = new Map<string, string>();

describe("a rotation ends with one token of each resource, which the sink holds", () => {
  let requests: readonly SentRequest[];
  beforeAll(async () => {
    stage.send = async (connection, url, init) => {
      const response = (await connection.fetch(url, init)) as Response;
      const text = await response.text();
      if (init.method !== "GET") answers.set(`${init.method} ${new URL(url).pathname}`, text);
      return new Response(response.status === 204 ? null : text, {
        status: response.status,
        headers: response.headers,
      });
    };
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

  describe.each([
    ["--allow-delete", ROTATE],
    ["--keep-going", GOING_ON],
    ["--overlap", OVERLAPPING],
  ])("with %s", (_flag, command) => {
    const chosen = (all: readonly Trouble[]): readonly Trouble[] =>
      command === ROTATE ? all : sample(randomFrom(SEED), all, sampleSize(400));

    test("when the process is killed at each request, before and after the service has carried it out", async () => {
      const all = requests.flatMap(({ number }) =>
        [false, true].map((carriedOut): Trouble => ({ death: { request: number, carriedOut } })),
      );
      expect(await failuresOf(chosen(all), command)).toEqual([]);
    }, 600_000);

    test("behind an intermediary that repeats, refuses and mixes up, at each write", async () => {
      const all = requests
        .filter(({ method }) => method !== "GET")
        .flatMap(({ number }) =>
          Object.keys(MEDDLERS).map((name): Trouble => ({ meddling: { request: number, name } })),
        );
      expect(await failuresOf(chosen(all), command)).toEqual([]);
    }, 600_000);
  });

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

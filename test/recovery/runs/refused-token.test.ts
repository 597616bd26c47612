import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { resume } from "../../../src/app/apply/resume-command.ts";
import { type Command, type Ended, openWorld, type World } from "../../commands/world.ts";
import {
  AGENT,
  APPLYING,
  broken,
  CONTINUATIONS,
  type Fetch,
  journalsOf,
  KEY,
  liveTokens,
  runWithin,
  SETTINGS,
  storedTokens,
} from "./interrupted.ts";

const options = { paths: [], secretsOut: "tokens.jsonl" };

let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": SETTINGS });
});
afterEach(() => world.close());

interface Refusal {
  /** How the request begins that is refused. */
  readonly line: string;
  readonly status: number;
  /** Everything after it is refused too. */
  readonly onwards: boolean;
}

/** The answer to the first creation is lost, and what is to heal that is refused. */
function refusing({ line, status, onwards }: Refusal): Fetch {
  let [isLost, refused] = [false, 0];
  return async (input, init) => {
    const asked = `${init.method} ${new URL(input).pathname.replace("/api/v1", "")}`;
    if ((asked.startsWith(line) && refused === 0) || (onwards && refused > 0)) {
      refused += 1;
      const type = status === 401 ? "authentication_error" : "forbidden";
      return Response.json({ error: { type, message: "not you", request_id: "6f1c" } }, { status });
    }
    const answer = await world.io.fetch(input, init);
    if (init.method !== "POST" || isLost) return answer;
    isLost = true;
    throw broken();
  };
}

function within<Options extends object>(fetch: Fetch, command: Command<Options>, given: Options): Promise<Ended> {
  return runWithin(world, command, given, { fetch });
}

describe.each([
  ["a new token for an agent", AGENT, "POST /agents/triage_bot/rotate"],
  ["the end of an agent's lost token", AGENT, "DELETE /agents/triage_bot/tokens"],
  ["the revocation of a service key", KEY, "DELETE /api_keys/"],
])("if %s is refused", (_what, file, line) => {
  describe.each([
    ["once", 403, false],
    ["with everything after it", 401, true],
  ])("%s", (_often, status, onwards) => {
    test.each(CONTINUATIONS)(
      "the resource is reported as created and uncertain, and %s repairs it",
      async (_name, command, given) => {
        await world.write({ "file.yaml": file });
        const first = await within(refusing({ line, status, onwards }), apply, APPLYING);
        expect(first.exit, first.stdout + first.stderr).toBe(4);
        expect(first.stdout).toMatch(/^ +unknown +op-\d+ /m);
        expect(first.stdout).not.toMatch(/^ +failed /m);
        expect(first.stdout).toMatch(
          /was lost; it was created, and removing it failed|it was created, the response with the token was lost/,
        );
        expect(first.stdout).toContain(`failed with status ${status}: not you (request 6f1c)`);
        expect(first.stdout).toMatch(/curl -X DELETE .*'http:\/\/localhost:4010\/api\/v1\/(agents|api_keys)\/[^/']+'/);
        expect(await journalsOf(world)).toEqual(["0001.unfinished"]);

        const still = await within(refusing({ line, status, onwards: true }), command, given);
        expect(still.exit, still.stdout + still.stderr).toBeGreaterThan(0);
        expect(await journalsOf(world)).toEqual(["0001.unfinished"]);

        const healed = await within(world.io.fetch, command, given);
        expect(healed.exit, healed.stdout + healed.stderr).toBe(0);
        expect(await liveTokens(world)).toEqual((await storedTokens(world)).slice(-1));
        expect((await journalsOf(world)).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
        expect((await within(world.io.fetch, apply, APPLYING)).stdout).toContain("No changes");
      },
    );
  });
});

test.each([
  ["apply", apply as Command<object>, { ...options, yes: true }],
  ["resume", resume as Command<object>, options],
])("%s ends no token that only a journal says is lost, without --allow-delete", async (_name, command, given) => {
  await world.write({ "file.yaml": AGENT });
  const line = "POST /agents/triage_bot/rotate";
  await within(refusing({ line, status: 403, onwards: false }), apply, { ...options, yes: true });
  const before = await liveTokens(world);
  expect(before).toHaveLength(1);
  world.requests.length = 0;
  const { exit, stderr } = await within(world.io.fetch, command, given);
  expect(exit, stderr).toBe(3);
  expect(stderr).toContain("not applied, nothing was written: an earlier run was interrupted");
  expect(stderr).toContain("requires --allow-delete");
  expect(stderr).toMatch(/^ +Journal: .*\n +Next: .*incidentctl apply with --allow-delete; .* --resolve keep$/m);
  expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await liveTokens(world)).toEqual(before);
  expect(await journalsOf(world)).toEqual(["0001.unfinished"]);
  expect((await within(world.io.fetch, command, { ...given, allowDelete: true })).exit).toBe(0);
  expect(await liveTokens(world)).toEqual(await storedTokens(world));
});

test("a token in the sink is not replaced again", async () => {
  await world.write({ "file.yaml": AGENT });
  const line = "DELETE /agents/triage_bot/tokens";
  await within(refusing({ line, status: 403, onwards: false }), apply, APPLYING);
  const kept = await storedTokens(world);
  expect(kept).toHaveLength(1);
  expect(await liveTokens(world)).toHaveLength(2);
  const { exit, stdout } = await within(world.io.fetch, apply, APPLYING);
  expect(exit, stdout).toBe(0);
  expect(await storedTokens(world)).toEqual(kept);
  expect(await liveTokens(world)).toEqual(kept);
});

test("the replacement of a lost token counts, although the plan failed then", async () => {
  await world.write({ "file.yaml": AGENT });
  const refused = () =>
    Response.json({ error: { type: "conflict", message: "not now", request_id: "6f1c" } }, { status: 409 });
  let isLost = false;
  const first = await within(
    async (input, init) => {
      if (isLost) return refused();
      const answer = await world.io.fetch(input, init);
      if (init.method !== "POST") return answer;
      isLost = true;
      throw broken("EPIPE");
    },
    apply,
    APPLYING,
  );
  expect(first.exit, first.stdout + first.stderr).toBe(4);
  let isEnded = false;
  const then = await within(
    async (input, init) => {
      if (isEnded) return refused();
      isEnded = init.method === "DELETE";
      return world.io.fetch(input, init);
    },
    apply,
    APPLYING,
  );
  expect(then.exit, then.stdout + then.stderr).toBe(4);
  expect(then.stderr).toContain("the interrupted run was recovered, and nothing else was written");
  expect(await liveTokens(world)).toEqual(await storedTokens(world));
  const { exit, stdout } = await within(world.io.fetch, apply, APPLYING);
  expect(exit, stdout).toBe(0);
});

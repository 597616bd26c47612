import { describe, expect, test } from "vitest";
import { type Fields, isFields } from "../../../src/core/json.ts";
import { recoverToken } from "../../../src/run/apply/recover-token.ts";
import { CreatedResources } from "../../../src/run/exchange/created-resources.ts";
import { TokenNotStored } from "../../../src/run/exchange/failure.ts";
import type { Intent, Journal } from "../../../src/run/journal/intent.ts";
import { resolveWrite } from "../../../src/run/recover/resolve.ts";
import { type IssuedToken, type TokenSink, UnusableSink } from "../../../src/run/tokens/sink.ts";
import { TransportError } from "../../../src/service/http/transport-error.ts";
import type { ApiResponse, Writer } from "../../../src/service/requests/connection.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";
import { carryOut, liveTokens, sinkTo } from "./sending.ts";

const key = { api_keys: [{ name: "deploy bot", permissions: { incidents: ["read"] } }] };
const agent = { agents: [{ slug: "helper", name: "Helper", grants: [{ ability: "runbooks.update" }] }] };

interface World {
  readonly service: TestService;
  readonly kept: IssuedToken[];
  readonly intents: Intent[];
  /** Writes, from 1, whose answer is lost after somebody has seen it. */
  readonly lost: Map<number, (answer: ApiResponse) => void | Promise<void>>;
  run(document: Fields, sink?: Partial<TokenSink>): ReturnType<TestService["apply"]>;
  lose(method: string, path?: string, times?: number): void;
  /** The response to the next POST of this path is lost at once, and the service carries it out ten seconds later. */
  delay(path: RegExp): void;
}

async function within(work: (world: World) => Promise<void>): Promise<void> {
  const service = serviceFor({ control: true });
  const kept: IssuedToken[] = [];
  const intents: Intent[] = [];
  const lost: World["lost"] = new Map();
  let writes = 0;
  const clock = new VirtualClock();
  let delayed: RegExp | undefined;
  const late: { readonly due: number; readonly request: Parameters<Writer["send"]> }[] = [];
  const carryOutLate = async (): Promise<void> => {
    while (late[0] !== undefined && late[0].due <= clock.now()) {
      const next = late.shift();
      if (next !== undefined) await service.writer.send(...next.request);
    }
  };
  const writer: Writer = {
    ...service.writer,
    get: async (asked) => {
      await carryOutLate();
      return service.writer.get(asked);
    },
    send: async (...asked) => {
      await carryOutLate();
      if (asked[0] === "POST" && delayed?.test(asked[1].path) === true) {
        delayed = undefined;
        const [method, { path }] = asked;
        late.push({ due: clock.now() + 10_000, request: asked });
        throw new TransportError({ method, path }, { message: "lost", applied: "unknown", timedOut: false });
      }
      writes += 1;
      const see = lost.get(writes);
      const answer = await service.writer.send(...asked);
      if (see === undefined) return answer;
      await see(answer);
      const [method, { path }] = asked;
      throw new TransportError({ method, path }, { message: "lost", applied: "unknown", timedOut: false });
    },
  };
  const journal: Journal = { intend: async (intent) => void intents.push(intent), settle: async () => {} };
  try {
    await work({
      service,
      kept,
      intents,
      lost,
      lose: (method, path = "*", times = 1) => {
        const fault = { method, path: `/api/v1/${path}`, phase: "after-commit", action: { type: "reset" } } as const;
        service.emulator.control?.faults.add({ ...fault, times });
      },
      delay: (path) => {
        delayed = path;
      },
      run: async (document, given = {}) => {
        const sink = { ...sinkTo(kept), ...given };
        const result = await carryOut(await service.plan(document), writer, { sink, journal, clock });
        // Whatever is still under way arrives after the run.
        await clock.sleep(60_000);
        await carryOutLate();
        return result;
      },
    });
  } finally {
    await service.emulator.close();
  }
}

const full: Partial<TokenSink> = {
  store: async () => {
    throw new UnusableSink("the disk is full");
  },
};

test("an agent's token that another lost request issues late is revoked as well", () =>
  within(async ({ service, kept, lose, delay, run }) => {
    lose("POST");
    delay(/\/agents\/[^/]+\/rotate$/);
    const { outcomes } = await run(agent);
    expect(outcomes.filter(({ status }) => status !== "done")).toEqual([]);
    expect(await liveTokens(service)).toEqual(kept.slice(-1).map(({ prefix }) => prefix));
  }));

describe.each([
  ["a service key", key, "api_keys"],
  ["an agent", agent, "agents"],
] as const)("the token of %s", (_title, document, list) => {
  test("lost with the response is revoked, and a new one is saved", () =>
    within(async ({ service, kept, lose, run, intents }) => {
      lose("POST");
      const { counts, outcomes } = await run(document);
      expect(outcomes.filter(({ status }) => status !== "done")).toEqual([]);
      expect(counts.done).toBe(outcomes.length);
      expect(kept).toHaveLength(1);
      expect(await liveTokens(service)).toEqual(kept.map(({ prefix }) => prefix));
      expect(intents.filter(({ aside }) => aside === true).length).toBeGreaterThan(0);
      expect((await service.plan(document)).operations).toEqual([]);
    }));

  test("is revoked also if every response on the way is lost once", () =>
    within(async ({ service, kept, lose, run }) => {
      lose("POST");
      lose("POST", "agents/*/rotate");
      lose("DELETE", "*", 2);
      await run(document);
      expect(await liveTokens(service)).toEqual(kept.slice(-1).map(({ prefix }) => prefix));
    }));

  test("that cannot be saved is revoked at once: the resource is removed, and only the error has its name", () =>
    within(async ({ service, run }) => {
      const { outcomes } = await run(document, full);
      expect(outcomes[0]).toMatchObject({ status: "failed", error: expect.any(TokenNotStored) });
      expect(outcomes[0]).toMatchObject({ error: { message: expect.stringContaining("the disk is full") } });
      expect(outcomes[0]).toMatchObject({ error: { message: expect.stringContaining("was removed again") } });
      expect(await liveTokens(service)).toEqual([]);
    }));

  test("that can be neither saved nor revoked is reported with a command for the user", () =>
    within(async ({ service, run }) => {
      const refusing = { method: "DELETE", phase: "before-read", times: 0 } as const;
      service.emulator.control?.faults.add({ ...refusing, action: { type: "status", status: 403, body: "{}" } });
      const { outcomes } = await run(document, full);
      expect(outcomes[0]).toMatchObject({ error: { message: expect.stringMatching(/curl -X DELETE .*\/api\/v1\//) } });
    }));

  test("is not revoked if it is in use, and the user must decide", () =>
    within(async ({ service, run, lost, kept }) => {
      lost.set(1, async (answer) => {
        const authorization = `Bearer ${isFields(answer.body) ? answer.body.token : ""}`;
        await service.emulator.fetch(new Request("http://x/api/v1/severities", { headers: { authorization } }));
      });
      const { outcomes } = await run(document);
      expect(outcomes[0]).toMatchObject({ status: "unknown", error: expect.any(TokenNotStored) });
      expect(outcomes[0]).toMatchObject({ error: { message: expect.stringContaining("somebody uses it") } });
      expect([kept.length, (await liveTokens(service)).length]).toEqual([0, 1]);
    }));

  test("is recovered by the run after the killed one", () =>
    within(async ({ service, run, lost, intents, kept }) => {
      const killed = new Error("killed");
      lost.set(1, () => {
        throw killed;
      });
      await expect(run(document)).rejects.toBe(killed);
      const [intent] = intents;
      if (intent === undefined) throw new Error("nothing was written down");
      const leftOut = { created: new CreatedResources(), secret: () => undefined };
      const clock = new VirtualClock();
      const found = await resolveWrite(intent, service.writer, { ...leftOut, clock });
      if (found.status !== "applied" || found.row === undefined) throw new Error(found.status);
      const sink = sinkTo(kept);
      const late = await recoverToken(intent, found.row, service.writer, { ...leftOut, clock, sink });
      expect(late.status).toBe(list === "agents" ? "done" : "failed");
      await run(document);
      expect(await liveTokens(service)).toEqual(kept.map(({ prefix }) => prefix));
    }));
});

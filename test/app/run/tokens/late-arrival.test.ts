import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../../../src/app/apply/apply-command.ts";
import type { ApplyFlags } from "../../../../src/app/apply/apply-definition.ts";
import { resume } from "../../../../src/app/apply/resume-command.ts";
import type { ResumeOptions } from "../../../../src/app/apply/resume-definition.ts";
import { isFields, isList, type Json } from "../../../../src/core/json.ts";
import { type Command, type Ended, openWorld, type World, type WorldIo } from "../../../commands/world.ts";
import { Timeline } from "../../../faults/injection/timeline.ts";

/** A run is killed while the service has not yet carried out a request that creates a token, and the next run follows at once. */

const agent = "agents:\n  - { slug: triage_bot, name: Triage bot }\n";
const key = "api_keys:\n  - { name: deploy bot, permissions: { incidents: [read] } }\n";
const START = new Date("2026-11-21T08:00:00Z");
const options = { paths: [], secretsOut: "tokens.jsonl", allowDelete: true };
const applying: ApplyFlags = { ...options, yes: true };
const resuming: ResumeOptions = options;

type Fetch = WorldIo["fetch"];
type Send = () => Promise<unknown>;

/** A world with one clock for the service and the runs. */
class LateWorld {
  readonly world: World;
  readonly clock: Timeline;
  #pending: Send | undefined;

  private constructor(world: World, clock: Timeline) {
    this.world = world;
    this.clock = clock;
  }

  static async within(file: string, work: (late: LateWorld) => Promise<void>): Promise<void> {
    const clock = new Timeline(START);
    const files = { "incidentctl.yaml": "version: 1\nbase_url: http://localhost:4010\n", "file.yaml": file };
    const world = await openWorld(files, { now: () => clock.date() });
    try {
      await work(new LateWorld(world, clock));
    } finally {
      await world.close();
    }
  }

  run<Options extends object>(
    command: Command<Options>,
    given: Options,
    fetch: Fetch = this.fetch,
    clock: Timeline = this.clock,
  ): Promise<Ended> {
    const differing = { fetch, clock, now: () => this.clock.date() };
    return this.world.run<Options>((one, io, console) => command(one, { ...io, ...differing }, console), given);
  }

  /** The service carries a request out a minute later, or before that if it gets another creation. */
  delay(send: Send): void {
    this.#pending = send;
    this.clock.later(60_000, () => this.#arrive());
  }

  async #arrive(): Promise<void> {
    const send = this.#pending;
    this.#pending = undefined;
    await send?.();
  }

  /** The service. */
  readonly fetch: Fetch = async (input, init) => {
    if (init.method === "POST" && !input.endsWith("/rotate")) await this.#arrive();
    return this.world.io.fetch(input, init);
  };

  /** Applies, and leaves the machine as it is when the program is killed during a POST of this path. */
  async kill(path: RegExp, given: { readonly isLost?: RegExp; readonly arrives: boolean }): Promise<void> {
    const [journals, saved] = [".incidentctl", ".saved"].map((name) => join(this.world.folder, name)) as [
      string,
      string,
    ];
    let isDead = false;
    const dying: Fetch = async (input, init) => {
      if (isDead) throw reset();
      if (init.method !== "POST") return this.world.io.fetch(input, init);
      if (path.test(input)) {
        isDead = true;
        await cp(journals, saved, { recursive: true, filter: (file) => !file.endsWith(".running") });
        if (given.arrives) this.delay(() => this.world.io.fetch(input, init));
        throw reset();
      }
      const answer = await this.world.io.fetch(input, init);
      if (given.isLost?.test(input) === true) throw reset();
      return answer;
    };
    // What it waits after that takes no time.
    await this.run(apply, applying, dying, new Timeline(START));
    await rm(journals, { recursive: true });
    await cp(saved, journals, { recursive: true });
  }

  async liveTokens(): Promise<readonly Json[]> {
    const rows = async (list: string): Promise<readonly Json[]> => {
      const body = (await this.world.send("GET", `/api/v1/${list}?include_disabled=true`)) as Json;
      return isFields(body) && isList(body[list]) ? body[list] : [];
    };
    const agents = (await rows("agents")).filter(isFields).flatMap(({ tokens }) => (isList(tokens) ? tokens : []));
    const keys = (await rows("api_keys")).filter((row) => isFields(row) && row.name === "deploy bot");
    return [...agents, ...keys].filter(isFields).map(({ prefix = null }) => prefix);
  }

  /** The prefix of the last token in the sink. */
  async storedToken(): Promise<string> {
    const lines = (await readFile(join(this.world.folder, "tokens.jsonl"), "utf8")).trim().split("\n");
    return JSON.parse(lines.at(-1) ?? "{}").prefix;
  }
}

function reset(): TypeError {
  const cause = Object.assign(new Error("reset"), { code: "ECONNRESET" });
  return Object.assign(new TypeError("fetch failed"), { cause });
}

const next = [
  ["apply", apply as Command<object>, applying],
  ["resume", resume as Command<object>, resuming],
] as const;

describe.each(next)("%s after a killed run", (_name, command, given) => {
  test.each([
    ["an agent", agent, /\/agents$/],
    ["a service key", key, /\/api_keys$/],
  ])("waits for the creation of %s that may still arrive", (_what, file, path) =>
    LateWorld.within(file, async (late) => {
      await late.kill(path, { arrives: true });
      const { exit, stdout, stderr } = await late.run(command, given);
      expect(exit, stdout + stderr).toBe(0);
      expect(stderr).toMatch(/waiting \d+ seconds longer, in case it still takes effect/);
      expect(await late.liveTokens()).toEqual([await late.storedToken()]);
    }),
  );

  test.each([
    ["the creation of an agent", agent, /\/agents$/, {}],
    ["the creation of a service key", key, /\/api_keys$/, {}],
    ["another token of an agent", agent, /\/rotate$/, { isLost: /\/agents$/ }],
  ])("waits for %s also where --resolve resend permits a duplicate", (_what, file, path, lost) =>
    LateWorld.within(file, async (late) => {
      await late.kill(path, { ...lost, arrives: true });
      const { exit, stdout, stderr } = await late.run(command, { ...given, resolve: "resend" });
      expect(exit, stdout + stderr).toBe(0);
      await late.clock.sleep(300_000);
      expect(await late.liveTokens()).toEqual([await late.storedToken()]);
    }),
  );

  test.each([
    ["an agent", agent, /\/agents$/],
    ["a service key", key, /\/api_keys$/],
  ])("creates %s two minutes after the creation that never arrived", (_what, file, path) =>
    LateWorld.within(file, async (late) => {
      await late.kill(path, { arrives: false });
      const { exit, stdout, stderr } = await late.run(command, given);
      expect(exit, stdout + stderr).toBe(0);
      expect(late.clock.now()).toBeGreaterThanOrEqual(120_000);
      expect(await late.liveTokens()).toEqual([await late.storedToken()]);
    }),
  );

  test("waits for another token of an agent that may still be issued, and revokes it", () =>
    LateWorld.within(agent, async (late) => {
      await late.kill(/\/rotate$/, { isLost: /\/agents$/, arrives: true });
      const { exit, stdout, stderr } = await late.run(command, given);
      expect(exit, stdout + stderr).toBe(0);
      await late.clock.sleep(300_000);
      expect(await late.liveTokens()).toEqual([await late.storedToken()]);
    }));

  test("does not wait once two minutes have passed by the service's clock", () =>
    LateWorld.within(agent, async (late) => {
      await late.kill(/\/rotate$/, { isLost: /\/agents$/, arrives: true });
      await late.clock.sleep(300_000);
      const began = late.clock.now();
      const { exit, stdout, stderr } = await late.run(command, given);
      expect(exit, stdout + stderr).toBe(0);
      expect(late.clock.now() - began).toBeLessThan(5_000);
      expect(await late.liveTokens()).toEqual([await late.storedToken()]);
    }));

  test("recovers an agent that arrives after the run that sent it twice could not reach the service", () =>
    LateWorld.within(agent, async (late) => {
      let posts = 0;
      const first = await late.run(apply, applying, async (input, init) => {
        if (init.method !== "POST") return late.world.io.fetch(input, init);
        posts += 1;
        if (posts > 1) {
          const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
          throw Object.assign(new TypeError("fetch failed"), { cause });
        }
        late.delay(() => late.world.io.fetch(input, init));
        throw reset();
      });
      expect(first.exit, first.stdout + first.stderr).toBe(4);
      expect(first.stdout).toContain("an earlier attempt may still take effect");
      const { exit, stdout, stderr } = await late.run(command, given);
      expect(exit, stdout + stderr).toBe(0);
      expect(await late.liveTokens()).toEqual([await late.storedToken()]);
    }));
});

test("a run with --resolve resend sends a lost creation of a token again only after it can no longer arrive", () =>
  LateWorld.within(key, async (late) => {
    let posts = 0;
    const { exit, stdout, stderr } = await late.run(apply, { ...applying, resolve: "resend" }, async (input, init) => {
      if (init.method === "POST" && ++posts === 1) {
        late.delay(() => late.world.io.fetch(input, init));
        throw reset();
      }
      return late.fetch(input, init);
    });
    expect(exit, stdout + stderr).toBe(0);
    await late.clock.sleep(300_000);
    expect(await late.liveTokens()).toEqual([await late.storedToken()]);
  }));

import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { type Command, type Ended, openWorld, type World } from "../../commands/world.ts";
import { Timeline } from "../../faults/injection/timeline.ts";
import {
  APPLYING,
  broken,
  CONTINUATIONS,
  type Fetch,
  KEY,
  liveTokens,
  runWithin,
  SETTINGS,
  storedTokens,
} from "./interrupted.ts";

/** A run is killed while the service has not yet carried out a request that creates a token, and the next run follows at once. */

const agent = "agents:\n  - { slug: triage_bot, name: Triage bot }\n";
const START = new Date("2026-11-21T08:00:00Z");
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
    const files = { "incidentctl.yaml": SETTINGS, "file.yaml": file };
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
    return runWithin(this.world, command, given, { fetch, clock, now: () => this.clock.date() });
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
      if (isDead) throw broken();
      if (init.method !== "POST") return this.world.io.fetch(input, init);
      if (path.test(input)) {
        isDead = true;
        await cp(journals, saved, { recursive: true, filter: (file) => !file.endsWith(".running") });
        if (given.arrives) this.delay(() => this.world.io.fetch(input, init));
        throw broken();
      }
      const answer = await this.world.io.fetch(input, init);
      if (given.isLost?.test(input) === true) throw broken();
      return answer;
    };
    // What it waits after that takes no time.
    await this.run(apply, APPLYING, dying, new Timeline(START));
    await rm(journals, { recursive: true });
    await cp(saved, journals, { recursive: true });
  }

  /** Expects that one token works, and that it is the last one in the sink. */
  async expectStored(): Promise<void> {
    expect(await liveTokens(this.world)).toEqual((await storedTokens(this.world)).slice(-1));
  }
}

describe.each(CONTINUATIONS)("%s after a killed run", (_name, command, given) => {
  describe.each([
    ["the creation of an agent", agent, /\/agents$/, {}],
    ["the creation of a service key", KEY, /\/api_keys$/, {}],
    ["another token of an agent", agent, /\/rotate$/, { isLost: /\/agents$/ }],
  ])("waits for %s that may still arrive", (_what, file, path, lost) => {
    test.each([
      ["", {}],
      [", also where --resolve resend permits a duplicate", { resolve: "resend" }],
    ])("and one token works in the end%s", (_how, flags) =>
      LateWorld.within(file, async (late) => {
        await late.kill(path, { ...lost, arrives: true });
        const { exit, stdout, stderr } = await late.run(command, { ...given, ...flags });
        expect(exit, stdout + stderr).toBe(0);
        expect(stderr).toMatch(/waiting \d+ seconds longer, in case it still takes effect/);
        await late.clock.sleep(300_000);
        await late.expectStored();
      }),
    );
  });

  test.each([
    ["an agent", agent, /\/agents$/],
    ["a service key", KEY, /\/api_keys$/],
  ])("creates %s two minutes after the creation that never arrived", (_what, file, path) =>
    LateWorld.within(file, async (late) => {
      await late.kill(path, { arrives: false });
      const { exit, stdout, stderr } = await late.run(command, given);
      expect(exit, stdout + stderr).toBe(0);
      expect(late.clock.now()).toBeGreaterThanOrEqual(120_000);
      await late.expectStored();
    }),
  );

  test("does not wait once two minutes have passed by the service's clock", () =>
    LateWorld.within(agent, async (late) => {
      await late.kill(/\/rotate$/, { isLost: /\/agents$/, arrives: true });
      await late.clock.sleep(300_000);
      const began = late.clock.now();
      const { exit, stdout, stderr } = await late.run(command, given);
      expect(exit, stdout + stderr).toBe(0);
      expect(late.clock.now() - began).toBeLessThan(5_000);
      await late.expectStored();
    }));

  test("recovers an agent that arrives after the run that sent it twice could not reach the service", () =>
    LateWorld.within(agent, async (late) => {
      let posts = 0;
      const first = await late.run(apply, APPLYING, async (input, init) => {
        if (init.method !== "POST") return late.world.io.fetch(input, init);
        posts += 1;
        if (posts > 1) {
          throw broken("ECONNREFUSED");
        }
        late.delay(() => late.world.io.fetch(input, init));
        throw broken();
      });
      expect(first.exit, first.stdout + first.stderr).toBe(4);
      expect(first.stdout).toContain("an earlier attempt may still take effect");
      const { exit, stdout, stderr } = await late.run(command, given);
      expect(exit, stdout + stderr).toBe(0);
      await late.expectStored();
    }));
});

test("a run with --resolve resend sends a lost creation of a token again only after it can no longer arrive", () =>
  LateWorld.within(KEY, async (late) => {
    let posts = 0;
    const { exit, stdout, stderr } = await late.run(apply, { ...APPLYING, resolve: "resend" }, async (input, init) => {
      if (init.method === "POST" && ++posts === 1) {
        late.delay(() => late.world.io.fetch(input, init));
        throw broken();
      }
      return late.fetch(input, init);
    });
    expect(exit, stdout + stderr).toBe(0);
    await late.clock.sleep(300_000);
    await late.expectStored();
  }));

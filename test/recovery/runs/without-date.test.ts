import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import { openWorld, type World } from "../../commands/world.ts";
import { Timeline } from "../../faults/injection/timeline.ts";
import {
  APPLYING,
  broken,
  CONTINUATIONS,
  type Fetch,
  KEY,
  liveTokens,
  rowsOf,
  runWithin,
  SETTINGS,
  storedTokens,
} from "./interrupted.ts";

/** A service, or something before it, that sends no `Date`: nobody tells how long ago a creation was sent. */

const hook =
  "webhooks:\n  - { name: deploy bot, url: 'https://hooks.example.com/', subscribed_events: [incident.escalated] }\n";
const START = new Date("2026-11-21T08:00:00Z");
let world: World;
beforeEach(async () => {
  world = await openWorld({ "incidentctl.yaml": SETTINGS });
});
afterEach(() => world.close());

/** The service without its clock; the first creation is lost, and carried out where a test says when. */
function dateless(carryOut: (send: () => Promise<Response>) => Promise<void>): Fetch {
  let isLost = false;
  return async (input, init) => {
    if (init.method === "POST" && !isLost) {
      isLost = true;
      await carryOut(() => world.io.fetch(input, init));
      throw broken();
    }
    const answer = await world.io.fetch(input, init);
    answer.headers.delete("date");
    return answer;
  };
}

/** Rows of a list with the name of what was created. */
async function rowsNamed(list: string) {
  return (await rowsOf(world, list)).filter(({ name }) => name === "deploy bot");
}

describe.each([
  ["webhooks", hook],
  ["api_keys", KEY],
])("an uncertain creation of %s", (list, file) => {
  describe.each(CONTINUATIONS)("is resolved by %s", (_name, command, given) => {
    test("if it was not executed: after two minutes in which it does not appear", async () => {
      await world.write({ "file.yaml": file });
      const fetch = dateless(async () => {});
      const clock = new Timeline(START);
      const first = await runWithin(world, apply, APPLYING, { fetch, clock });
      expect(first.exit, first.stdout + first.stderr).toBe(4);
      const began = clock.now();
      const then = await runWithin(world, command, given, { fetch, clock });
      expect(then.exit, then.stdout + then.stderr).toBe(0);
      expect(then.stderr).toContain("the service's responses have no date");
      expect(clock.now() - began).toBeGreaterThanOrEqual(120_000);
      expect(await rowsNamed(list)).toHaveLength(1);
    });

    test("if it arrives in the meantime: there is one, and its token is in the sink", async () => {
      await world.write({ "file.yaml": file });
      const clock = new Timeline(START);
      const fetch = dateless(async (send) => {
        clock.later(100_000, async () => void (await send()));
      });
      const first = await runWithin(world, apply, APPLYING, { fetch, clock });
      expect(first.exit, first.stdout + first.stderr).toBe(4);
      const then = await runWithin(world, command, given, { fetch, clock });
      expect(then.exit, then.stdout + then.stderr).toBe(0);
      expect(await rowsNamed(list)).toHaveLength(1);
    });
  });
});

test.each([
  ["ahead", 30],
  ["behind", -30],
])("a lost token is replaced although the local clock is half an hour %s", async (_how, minutes) => {
  await world.write({ "file.yaml": KEY });
  const now = () => new Date(Date.now() + minutes * 60_000);
  const fetch = dateless(async (send) => void (await send()));
  const { exit, stdout, stderr } = await runWithin(world, apply, APPLYING, { fetch, clock: new Timeline(START), now });
  expect(exit, stdout + stderr).toBe(0);
  expect(await liveTokens(world)).toEqual((await storedTokens(world)).slice(-1));
});

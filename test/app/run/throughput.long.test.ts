import { expect, test } from "vitest";
import { apply } from "../../../src/app/apply/apply-command.ts";
import type { Fields } from "../../../src/core/json.ts";
import { createEmulator } from "../../../src/emulator/emulator.ts";
import { apply as applyPlan } from "../../../src/run/apply/apply.ts";
import { reader as asReader, connect } from "../../../src/service/http/client.ts";
import { RequestCounter } from "../../../src/service/requests/purpose.ts";
import { openWorld } from "../../commands/world.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { configured } from "../../support/plans/configuration.ts";
import { planOf } from "../../support/service/test-service.ts";

/** The interface's limit, and requests under way at a time. */
const LIMIT = 1_000;
const LANES = 8;
const MINUTE = 60_000;
/** How long a request takes, in milliseconds. */
const ROUND_TRIP = 40;

const racks = (count: number): Fields => ({
  catalog_types: [
    {
      slug: "rack",
      name: "Rack",
      entries: Array.from({ length: count }, (_, at) => ({ slug: `r${at}`, name: `R${at}` })),
    },
  ],
});

/** Plans and applies on a clock of its own; the service counts as the interface says, and is a round trip away. */
async function applied(
  count: number,
): Promise<{ requests: number; milliseconds: number; refused: number; done: number }> {
  const clock = new VirtualClock();
  const emulator = createEmulator({
    now: () => new Date(Date.UTC(2026, 10, 21, 8, 0, 17) + clock.now()),
    requestsPerMinute: LIMIT,
  });
  let refused = 0;
  const account = new RequestCounter();
  const writer = connect({
    ...{ baseUrl: "http://127.0.0.1:1", token: emulator.adminToken, clock },
    ...{ requestsPerMinute: LIMIT, timeoutSeconds: 30, onSend: (purpose) => account.count(purpose) },
    fetch: async (url, init) => {
      await clock.sleep(ROUND_TRIP / 2);
      const answer = await emulator.fetch(new Request(url, init));
      if (answer.status === 429) refused += 1;
      await clock.sleep(ROUND_TRIP / 2);
      return answer;
    },
  });
  try {
    const plan = await planOf(configured(racks(count)), asReader(writer), {
      ...{
        version: "0.0.0",
        filter: { kinds: [], targets: [], excludes: [] },
        parallelism: LANES,
        now: () => new Date(0),
      },
      ...{ approvals: { allowDelete: false, acceptRoutingWindow: false }, ownPrefixes: [], identify: false },
      lastApplied: { hashes: {}, resend: false },
    });
    const run = applyPlan(plan, writer, { keepGoing: false, clock, parallelism: LANES });
    for (let step = await run.next(); ; step = await run.next()) {
      if (step.done !== true) continue;
      const requests = account.counts.reduce((sum, spent) => sum + spent.requests, 0);
      return { requests, milliseconds: clock.now(), refused, done: step.value.counts.done };
    }
  } finally {
    await emulator.close();
  }
}

/** The least that the limit allows for: all windows but the last one, and the round trips of what is left for that. */
function dictated(requests: number): number {
  const windows = Math.floor((requests - 1) / LIMIT);
  return windows * MINUTE + ((requests - windows * LIMIT) * ROUND_TRIP) / LANES;
}

const WRITES = Number(process.env.CAMPAIGN_WRITES ?? 1_100);

test(
  "an apply of more writes than a minute allows takes the time of the limit, and is never refused",
  async () => {
    const { requests, milliseconds, refused, done } = await applied(WRITES);
    expect({ done, refused }).toEqual({ done: WRITES + 1, refused: 0 });
    expect(requests).toBeLessThan(WRITES + 10);
    expect(milliseconds / dictated(requests)).toBeLessThan(1.05);
  },
  30_000 + WRITES * 60,
);

test("an apply within the limit takes its round trips divided by the parallelism", async () => {
  const { requests, milliseconds } = await applied(400);
  expect(milliseconds / ((requests * ROUND_TRIP) / LANES)).toBeLessThan(1.2);
});

/** Takes as long as the limit dictates, five minutes for 5,000 writes: only in the campaign. */
async function expectCommandInTime(): Promise<void> {
  const world = await openWorld({ "main.yaml": JSON.stringify(racks(WRITES)) });
  try {
    const begun = performance.now();
    const options = { paths: [], yes: true, rate: LIMIT, quiet: true, format: "json" } as const;
    const { exit, stdout, stderr } = await world.run(apply, options);
    const milliseconds = performance.now() - begun;
    expect(exit, stdout + stderr).toBe(0);
    const { total, by_purpose } = JSON.parse(stdout).requests;
    expect(by_purpose.retry).toBeUndefined();
    const seconds = [milliseconds, dictated(total)].map((time) => (time / 1000).toFixed(1));
    console.log(`${WRITES} writes, ${total} requests: ${seconds[0]} s, dictated ${seconds[1]} s`);
    expect(milliseconds / dictated(total)).toBeLessThan(1.05);
  } finally {
    await world.close();
  }
}

if (process.env.CAMPAIGN_WRITES !== undefined) {
  test(
    "the command, with its journal on the disk and the real clock, takes the time of the limit",
    expectCommandInTime,
    1_200_000,
  );
}

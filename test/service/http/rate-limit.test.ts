import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rateLimit } from "../../../src/service/http/rate-limit.ts";
import { VirtualClock } from "../virtual-clock.ts";

/** When each of the requests was let through, when they ask at these distances from each other. */
async function admissions(
  perMinute: number,
  distances: readonly number[],
  pauses: ReadonlyMap<number, number> = new Map(),
  earlier: readonly number[] = [],
) {
  const clock = new VirtualClock();
  const limit = rateLimit(perMinute, clock, earlier);
  const times: number[] = [];
  for (const [index, distance] of distances.entries()) {
    if (distance > 0) await clock.sleep(distance);
    const pause = pauses.get(index);
    if (pause !== undefined) limit.pause(pause);
    const admission = await limit.admit();
    times.push(clock.now());
    admission.end();
  }
  return times;
}

describe("the rate limit", () => {
  it("never allows more than the limit in any sixty seconds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 70_000 })), { maxLength: 40 }),
        async (perMinute, distances) => {
          const times = await admissions(perMinute, distances);
          for (const [index, time] of times.entries()) {
            const within = times.filter((other) => other >= time && other <= time + 60_000).length;
            expect(within, `from request ${index}`).toBeLessThanOrEqual(perMinute);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("allows a burst of the whole limit", async () => {
    expect(new Set(await admissions(900, Array(900).fill(0)))).toEqual(new Set([0]));
  });

  it("allows the next request as soon as the window does", async () => {
    expect(await admissions(2, [0, 10_000, 0, 0])).toEqual([0, 10_000, 60_001, 70_001]);
  });

  it("gives the place of a withdrawn request to the next one", async () => {
    const clock = new VirtualClock();
    const limit = rateLimit(1, clock);
    const first = await limit.admit();
    const waiting = limit.admit();
    first.withdraw();
    first.end();
    (await waiting).end();
    expect(clock.now()).toBe(0);
    await limit.admit();
    expect(clock.now()).toBe(60_001);
  });

  it("counts requests of others in the same minute", async () => {
    const times = await admissions(3, [0, 0, 0, 0], new Map(), [20_000, 50_000]);
    expect(times).toEqual([0, 10_001, 40_001, 60_001]);
  });

  it("keeps the order of waiting requests", async () => {
    const clock = new VirtualClock();
    const limit = rateLimit(2, clock);
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        limit.admit().then(({ end }) => {
          order.push(index);
          end();
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("frees a place a minute after the end of its request, since the service may have counted it at any time", async () => {
    const clock = new VirtualClock();
    const limit = rateLimit(1, clock);
    const first = await limit.admit();
    const second = limit.admit();
    await clock.sleep(5_000);
    first.end();
    first.end();
    expect((await second).at).toBe(65_001);
  });

  it("waits for the next allowance if running requests use up the current one", async () => {
    const clock = new VirtualClock();
    const limit = rateLimit(10, clock);
    const first = await limit.admit();
    const second = await limit.admit();
    limit.useAllowance({ remaining: 2, milliseconds: 9_000 });
    expect((await limit.admit()).at).toBe(0);
    limit.useAllowance({ remaining: 2, milliseconds: 9_000 });
    expect((await limit.admit()).at).toBe(9_001);
    limit.useAllowance({ remaining: 0, milliseconds: 3_600_000 });
    expect((await limit.admit()).at).toBe(9_001);
    first.end();
    second.end();
  });

  it("allows nothing while it is paused", async () => {
    expect(await admissions(10, [0, 0, 0], new Map([[1, 7_000]]))).toEqual([0, 7_001, 7_001]);
  });
});

import { afterAll, describe, expect, test } from "vitest";
import { Killer, somePoints, tellPoint } from "./killer.ts";
import { randomFrom } from "./random.ts";
import { scenarioOf } from "./sweep.ts";

const CAMPAIGN = process.env.CAMPAIGN_KILLS;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);

/** Kills in every run of the tests, by scenario. */
interface Kills {
  readonly scenario: number;
  readonly count: number;
  /** Only the part of the program that writes is run and killed: it starts in a third of the time. */
  readonly writing: boolean;
}

const KILLS: readonly Kills[] = [
  ...[1, 16, 17].map((scenario) => ({ scenario, count: 10, writing: false })),
  ...[4, 7, 8, 9, 11, 12, 13, 14, 18, 20, 24].map((scenario) => ({ scenario, count: 15, writing: true })),
  ...[15, 16, 17].map((scenario) => ({ scenario, count: 35, writing: true })),
];

let kills = 0;
let violations = 0;
const began = performance.now();

describe("killed without warning, a run leaves nothing behind that the next run does not mend", () => {
  afterAll(() => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`FIGURES ${kills} processes killed, ${violations} violations, ${seconds} s\n`);
  });

  test.each(KILLS)(
    "in scenario $scenario, $count times (only what writes: $writing)",
    async ({ scenario: number, count, writing }) => {
      const killer = await Killer.open(scenarioOf(number, SEED), writing);
      const failures: string[] = [];
      try {
        const points = somePoints(randomFrom(SEED + number), await killer.points(), Number(CAMPAIGN ?? count));
        for (const point of points) {
          for (const { invariant, what } of await killer.kill(point)) {
            failures.push(`REPLAY seed=${SEED} scenario=${number} fault=${tellPoint(point)} ${invariant}: ${what}`);
          }
        }
      } finally {
        kills += killer.kills;
        await killer.close();
      }
      violations += failures.length;
      expect(failures).toEqual([]);
    },
    CAMPAIGN === undefined ? 120_000 : 7_200_000,
  );
});

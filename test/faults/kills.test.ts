import { afterAll, describe, expect, test } from "vitest";
import { Killer, somePoints, tellPoint } from "./killer.ts";
import { randomFrom } from "./random.ts";
import { scenarioOf } from "./sweep.ts";

const CAMPAIGN = process.env.CAMPAIGN_KILLS;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);
/** Kills of the built program in every run of the tests, by scenario. */
const KILLS: ReadonlyMap<number, number> = new Map([
  [1, 14],
  [16, 14],
  [17, 14],
  [12, 8],
  [18, 5],
  [7, 5],
]);

let kills = 0;
let violations = 0;
const began = performance.now();

describe("killed without warning, the built program leaves nothing behind that the next run does not mend", () => {
  afterAll(() => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`FIGURES ${kills} kills of the built program, ${violations} violations, ${seconds} s\n`);
  });

  test.each([...KILLS])(
    "in scenario %d, %d times",
    async (number, count) => {
      const killer = await Killer.open(scenarioOf(number, SEED));
      const failures: string[] = [];
      try {
        const points = somePoints(randomFrom(SEED + number), await killer.points(), Number(CAMPAIGN ?? count));
        for (const point of points) {
          kills += 1;
          for (const { invariant, what } of await killer.kill(point)) {
            failures.push(`REPLAY seed=${SEED} scenario=${number} fault=${tellPoint(point)} ${invariant}: ${what}`);
          }
        }
      } finally {
        await killer.close();
      }
      violations += failures.length;
      expect(failures).toEqual([]);
    },
    CAMPAIGN === undefined ? 120_000 : 7_200_000,
  );
});

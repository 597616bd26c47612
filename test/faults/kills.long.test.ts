import { afterAll, describe, expect, test } from "vitest";
import { sampleSize, someOf } from "../support/samples/sample-size.ts";
import { reportFigures } from "./figures/figures.ts";
import { formatPoint, Killer, type Point, parsePoint } from "./injection/killer.ts";
import { pick, type Random, randomFrom, sample } from "./stage/random.ts";
import { scenarioOf } from "./stage/sweep.ts";

const CAMPAIGN = process.env.CAMPAIGN_KILLS;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);

/** Numbers of kills in a larger sample, by scenario. */
interface Kills {
  readonly scenario: number;
  readonly count: number;
  /** Runs and kills only the part of the program that writes, because it starts faster. */
  readonly writing: boolean;
}

/** Scenarios of which `npm test` takes some. */
const WHOLE = [1, 16, 17];
const OFTEN = [15, 16, 17];
const MANY = [4, 7, 8, 9, 11, 12, 13, 14, 18, 20, 24];

const some = (scenarios: readonly number[], least: number): readonly number[] =>
  CAMPAIGN === undefined ? someOf(scenarios, 7, least) : scenarios;

const KILLS: readonly Kills[] = [
  ...some(WHOLE, 1).map((scenario) => ({ scenario, count: 3, writing: false })),
  ...some(MANY, 3).map((scenario) => ({ scenario, count: 18, writing: true })),
  ...some(OFTEN, 2).map((scenario) => ({ scenario, count: 28, writing: true })),
];

/** One kill at each point, up to the count. Then recovering runs are killed as well, twice and three times. */
function rounds(points: readonly Point[], count: number, random: Random): readonly (readonly Point[])[] {
  const nested = count < 20 ? 1 : Math.floor(count / 10);
  const single = sample(random, points, count - nested).map((point) => [point]);
  const several = Array.from({ length: count - single.length }, () => {
    return Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(random, points));
  });
  return [...single, ...several];
}

let kills = 0;
let violations = 0;
const began = performance.now();

const REPLAY = /scenario=(\d+) part=(\w+) fault=(kill .*)$/.exec(process.env.FAULTS_REPLAY ?? "");

if (REPLAY !== null)
  test("the kill that FAULTS_REPLAY names", async () => {
    const [, scenario = "", writing = "", text = ""] = REPLAY ?? [];
    const killer = await Killer.open(scenarioOf(Number(scenario), SEED), writing === "true");
    try {
      expect(await killer.kill(text.split("/").map(parsePoint))).toEqual([]);
    } finally {
      await killer.close();
    }
  });

describe.skipIf(process.env.FAULTS_REPLAY !== undefined)("the next run recovers after a kill", () => {
  afterAll(() => reportFigures({ part: "kills", runs: kills, violations }, began));

  test.concurrent.each(KILLS)(
    "in scenario $scenario (only the writing part: $writing)",
    async ({ scenario: number, count, writing }) => {
      const killer = await Killer.open(scenarioOf(number, SEED), writing);
      const failures: string[] = [];
      try {
        for (const points of rounds(await killer.points(), sampleSize(count, CAMPAIGN), randomFrom(SEED + number))) {
          const text = points.map(formatPoint).join("/");
          for (const { invariant, what } of await killer.kill(points)) {
            failures.push(`REPLAY seed=${SEED} scenario=${number} part=${writing} fault=${text} ${invariant}: ${what}`);
          }
        }
      } finally {
        kills += killer.kills;
        await killer.close();
      }
      violations += failures.length;
      expect(failures).toEqual([]);
    },
    CAMPAIGN === undefined ? 240_000 : 7_200_000,
  );
});

import { afterAll, describe, expect, test } from "vitest";
import { isLarger, sampleSize } from "../support/samples/sample-size.ts";
import { type Random, sample } from "./stage/random.ts";
import { exampleWorkspace, scenarios } from "./stage/scenarios.ts";
import type { Stage } from "./stage/stage.ts";
import {
  type Case,
  everySingle,
  newTally,
  parseReplay,
  reportTally,
  scenarioOf,
  severalAtOnce,
  sweep,
} from "./stage/sweep.ts";

const CAMPAIGN = process.env.CAMPAIGN_FAULTS;
const SEED = Number(process.env.CAMPAIGN_SEED ?? 1);
const REPLAY = process.env.FAULTS_REPLAY;

/** Numbers of single faults and of combinations in a larger sample of each scenario; smaller if a run takes long. */
const PULL_REQUEST = { single: 160, several: 8 };
const OTHERS: ReadonlyMap<number, typeof PULL_REQUEST> = new Map([
  [1, { single: 18, several: 2 }],
  [2, { single: 30, several: 2 }],
  [3, { single: 30, several: 2 }],
  [5, { single: 201, several: 10 }],
  [9, { single: 90, several: 6 }],
  [11, { single: 190, several: 10 }],
  [13, { single: 190, several: 10 }],
  [14, { single: 190, several: 10 }],
  [15, { single: 110, several: 6 }],
  [19, { single: 100, several: 0 }],
  [20, { single: 36, several: 4 }],
  [22, { single: 1, several: 0 }],
  [23, { single: 190, several: 10 }],
  [24, { single: 24, several: 2 }],
  [25, { single: 1, several: 0 }],
]);

/** The scenario of 5,000 entries, which takes as long as ten others: only in a larger sample. */
const LONGEST = 22;
const isSample = CAMPAIGN === undefined && !isLarger;

const tally = newTally();
const began = performance.now();

function chosen(stage: Stage, random: Random): readonly Case[] {
  const { number, sampled } = stage.scenario;
  const all = everySingle(stage, SEED);
  if (CAMPAIGN !== undefined) {
    const several = sampled === true ? 10 : Number(CAMPAIGN);
    return [...(sampled === true ? sample(random, all, 200) : all), ...severalAtOnce(stage, SEED, random, several)];
  }
  const { single, several } = OTHERS.get(number) ?? PULL_REQUEST;
  return [...sample(random, all, sampleSize(single)), ...severalAtOnce(stage, SEED, random, sampleSize(several))];
}

describe.skipIf(REPLAY !== undefined)(
  "with faults at its requests, every scenario reaches the same final state as without",
  () => {
    afterAll(() => reportTally("fault runs", tally, began));

    test.each([...scenarios(SEED), exampleWorkspace].filter(({ number }) => !isSample || number !== LONGEST))(
      "$number $name",
      async (scenario) => {
        const before = tally.failures.length;
        await sweep(scenario, chosen, SEED, tally);
        expect(tally.failures.slice(before)).toEqual([]);
      },
      CAMPAIGN === undefined ? 120_000 : 7_200_000,
    );
  },
);

if (/^REPLAY seed=.* fault=(?!kill )/.test(REPLAY ?? ""))
  test("the run that FAULTS_REPLAY names", async () => {
    const one = parseReplay(REPLAY ?? "");
    const replayed = newTally();
    await sweep(scenarioOf(one.scenario, one.seed), () => [one], one.seed, replayed);
    expect(replayed.failures).toEqual([]);
  });

/** Simulated months: two directories for two environments in one repository, with our workflows, under random events and attacks. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { openCompany } from "./company.ts";
import { anyEvent, beginMonth, type Event } from "./events.ts";
import { createJudge } from "./judge.ts";

const MONTHS = sampleSize(1, process.env.CAMPAIGN_MONTHS);
/** Events of a month. Each starts the program a dozen times. */
const EVENTS = process.env.CAMPAIGN_MONTHS === undefined ? 10 : 40;
/** The seed and the path that a failure printed. */
const [SEED, PATH] = (process.env.CAMPAIGN_MONTHS_REPLAY ?? "").split(" ");

async function liveMonth(events: readonly Event[]): Promise<void> {
  const company = await openCompany();
  try {
    const month = beginMonth(company, createJudge(company));
    for (const event of events) await month.live(event);
    await month.end();
    const tip = company.world.github.repository.tip("main");
    for (const unit of company.units)
      expect(await company.live(unit), `${unit.name} at the end`).toEqual(company.declared(unit.team, tip));
    expect(company.world.github.complaints).toEqual([]);
  } finally {
    await company.close();
  }
}

test(
  "whatever happens in a month, a workspace changes only by a plan that was reviewed for this commit and unit, or by a proposal that somebody named",
  async () => {
    const property = fc.asyncProperty(
      fc.array(anyEvent, { minLength: EVENTS, maxLength: EVENTS, size: "max" }),
      liveMonth,
    );
    const replay = SEED && PATH ? { seed: Number(SEED), path: PATH } : {};
    const details = await fc.check(property, { numRuns: MONTHS, endOnFailure: true, ...replay });
    if (!details.failed) return;
    const again = `CAMPAIGN_MONTHS_REPLAY='${details.seed} ${details.counterexamplePath}' CAMPAIGN_MONTHS=${MONTHS}`;
    throw new Error(
      `${fc.defaultReportMessage(details)}\n\nTo live this month again: ${again} npx vitest run test/pipelines/months/months.long.test.ts`,
      { cause: details.errorInstance },
    );
  },
  24 * 3_600_000,
);

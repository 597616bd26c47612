/** Lives random months, and says how to live one again that breaks a law. */

import fc from "fast-check";
import { expect } from "vitest";
import type { Machine } from "../simulator/runner.ts";
import { openCompany } from "./company.ts";
import { anyEvent, beginMonth, type Event } from "./events.ts";
import { createJudge } from "./judge.ts";

/** Events of a month. Each starts the program a dozen times. */
const EVENTS = process.env.CAMPAIGN_MONTHS === undefined ? 10 : 40;
/** The seed and the path that a failure printed. */
const [SEED, PATH] = (process.env.CAMPAIGN_MONTHS_REPLAY ?? "").split(" ");

/** Lives so many months on a machine that runs scripts so; outside campaigns those of the seed, if there is one. */
export async function liveMonths(months: number, script?: Machine["script"], seed?: number): Promise<void> {
  const property = fc.asyncProperty(
    fc.array(anyEvent, { minLength: EVENTS, maxLength: EVENTS, size: "max" }),
    (events) => liveMonth(events, script),
  );
  const fixed = seed === undefined || process.env.CAMPAIGN_MONTHS !== undefined ? {} : { seed };
  const replay = SEED && PATH ? { seed: Number(SEED), path: PATH } : fixed;
  const details = await fc.check(property, { numRuns: months, endOnFailure: true, ...replay });
  if (!details.failed) return;
  const again = `CAMPAIGN_MONTHS_REPLAY='${details.seed} ${details.counterexamplePath}'`;
  const campaign = process.env.CAMPAIGN_MONTHS === undefined ? "" : " CAMPAIGN_MONTHS=1";
  throw new Error(
    `${fc.defaultReportMessage(details)}\n\nTo live this month again: ${again}${campaign} npx vitest run ${expect.getState().testPath}`,
    { cause: details.errorInstance },
  );
}

async function liveMonth(events: readonly Event[], script?: Machine["script"]): Promise<void> {
  const company = await openCompany();
  if (script !== undefined) company.world.machine.script = script;
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

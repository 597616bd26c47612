/** Simulated months: two directories for two environments in one repository, with our workflows, under random events and attacks. */

import { test } from "vitest";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { liveMonths } from "./live.ts";

test(
  "whatever happens in a month, a workspace changes only by a plan that was reviewed for this commit and unit, or by a proposal that somebody named",
  () => liveMonths(sampleSize(1, process.env.CAMPAIGN_MONTHS)),
  24 * 3_600_000,
);

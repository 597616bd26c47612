/**
 * Runs before every test file: where nobody is there to look into a counterexample, properties are tried with the same examples each time,
 * so that whether a change passes depends on the change. People and the campaign try others with every run.
 */

import fc from "fast-check";

const SEED = 20_261_122;

const isCampaign = Object.keys(process.env).some((name) => name.startsWith("CAMPAIGN_"));

if (process.env.CI === "true" && !isCampaign) fc.configureGlobal({ seed: SEED });

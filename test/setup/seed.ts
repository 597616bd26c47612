/**
 * Runs before every test file. In continuous integration, property tests use the same examples in every run,
 * so that only a change can break them. Local runs and the campaign use new examples each time.
 */

import fc from "fast-check";

const SEED = 20_261_122;

const isCampaign = Object.keys(process.env).some((name) => name.startsWith("CAMPAIGN_"));

if (process.env.CI === "true" && !isCampaign) fc.configureGlobal({ seed: SEED });

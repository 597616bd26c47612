/**
 * Runs before every test file. In continuous integration, property tests use the same examples in every run,
 * so that only a change can break them. Local runs and the campaign use new examples each time.
 */

import fc from "fast-check";
import { FIXED_SEED } from "../support/samples/sample-size.ts";

const isCampaign = Object.keys(process.env).some((name) => name.startsWith("CAMPAIGN_"));

if (process.env.CI === "true" && !isCampaign) fc.configureGlobal({ seed: FIXED_SEED });

/** Random workspaces on a service that stores, and answers, other forms of what it is sent. */

import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { FIXED_SEED } from "../../support/samples/sample-size.ts";
import { AlteringService } from "./altered.ts";
import { broken, cases } from "./laws.ts";

const CAMPAIGN = process.env.CAMPAIGN_STORED;
const service = new AlteringService();
afterAll(() => service.close());

test("after one apply, no second plan writes anything: it has no change, or names the live name to write", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      expect(await broken(one, service)).toEqual([]);
    }),
    CAMPAIGN === undefined ? { numRuns: 300, seed: FIXED_SEED } : { numRuns: Number(CAMPAIGN) },
  );
}, 1_800_000);

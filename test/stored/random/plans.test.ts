/** Random workspaces on a service that stores, and answers, other forms of what it is sent. */

import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { AlteringService } from "./altered.ts";
import { broken, cases } from "./laws.ts";
import { drawn } from "./sample.ts";

const service = new AlteringService();
afterAll(() => service.close());

test("after one apply, no second plan writes anything: it has no change, or names the live name to write", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      expect(await broken(one, service)).toEqual([]);
    }),
    drawn(280),
  );
}, 1_800_000);

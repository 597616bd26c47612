/** The commands on random workspaces, on a service that stores, and answers, other forms of what it is sent. */

import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { isLarger } from "../../support/samples/sample-size.ts";
import { AlteringService } from "./altered.ts";
import { brokenByCommands, brokenByHistory } from "./command-laws.ts";
import { cases } from "./laws.ts";
import { drawn } from "./sample.ts";

const service = new AlteringService();
afterAll(() => service.close());

test("after one apply, plan has nothing to do, undo blames nobody, and pull writes what is stored", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      expect(await brokenByCommands(one, service)).toBeUndefined();
    }),
    drawn(isLarger ? 90 : 20),
  );
}, 1_800_000);

test("a second apply of other files, its undo, and the former files again each end where the next plan has nothing to do", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      expect(await brokenByHistory(one, service)).toBeUndefined();
    }),
    drawn(isLarger ? 90 : 20),
  );
}, 1_800_000);

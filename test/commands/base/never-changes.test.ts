/** Whatever the base is, it changes what a plan says and nothing else in it. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { sampleSize } from "../../support/samples/sample-size.ts";
import { openWorld } from "../world.ts";
import { planOf } from "./repository.ts";

const SETTINGS = "version: 1\nbase_url: http://localhost:4010\nconfig: [config]\n";

test("a plan without what explains it is the plan without a base", async () => {
  let withOrigins = 0;
  await fc.assert(
    fc.asyncProperty(configuration, configuration, async (before, after) => {
      const world = await openWorld({
        "incidentctl.yaml": SETTINGS,
        "config/all.yaml": JSON.stringify(after),
        "before/incidentctl.yaml": SETTINGS,
        "before/config/all.yaml": JSON.stringify(before),
      });
      try {
        const { plan: explained } = await planOf(world, { base: "./before" });
        const { plan: bare } = await planOf(world, { base: "none" });
        const { base, released: _released, ...rest } = explained;
        if (explained.changes.some(({ origin }) => origin === "workspace")) withOrigins += 1;
        expect(base).toEqual({ revision: "./before" });
        expect(explained.changes.every(({ origin }) => origin !== undefined)).toBe(true);
        const changes = explained.changes.map(({ origin: _origin, ...change }) => change);
        // The seal's hash is over the whole text; the fingerprint is not.
        const { hash: _hash, ...seal } = explained.seal;
        const { hash: _other, ...bareSeal } = bare.seal;
        expect(JSON.stringify({ ...rest, changes, seal })).toBe(JSON.stringify({ ...bare, seal: bareSeal }));
      } finally {
        await world.close();
      }
    }),
    { numRuns: sampleSize(240) },
  );
  expect(withOrigins).toBeGreaterThan(0);
}, 300_000);

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dialects } from "../../src/emulator/dialects.ts";
import { expectRun, snapshotOf } from "../differential/judge/expect-run.ts";
import { configuration } from "../support/samples/arbitrary-configuration.ts";
import { sampleSize } from "../support/samples/sample-size.ts";
import { serviceFor } from "../support/service/test-service.ts";

const ROWS: readonly Partial<Dialects>[] = [
  {},
  { options: "replace", condition_values: "id" },
  { envelope: "wrapped", fallback: "sticky", delete_guard: "incidents" },
  { readable: "partial", condition_values: "id", locked_fields: "ignore" },
  { slug: "accept", options: "replace", delete_guard: "incidents" },
];

/** Chains to try. */
const RUNS = sampleSize(30, process.env.CAMPAIGN_RUNS);

describe("laws of plan and apply, over chains of configurations of every kind", () => {
  test(
    "a chain of configurations converges: the state is as declared, the next plan is empty, the next apply writes nothing, unmanaged resources are unchanged, and the order of lists does not matter",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(configuration, { minLength: 1, maxLength: 3 }),
          fc.constantFrom(...ROWS),
          async (chain, dialects) => {
            const service = serviceFor({ dialects, control: true });
            try {
              for (const document of chain) {
                const before = await snapshotOf(service.emulator);
                const planned = await service.plan(document);
                service.turn(true);
                expect(await service.plan(document), "the order of listings").toEqual(planned);
                service.turn(false);
                const plan = await service.converge(document);
                expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
                await expectRun(service.emulator, document, before);
                service.forget();
                const again = await service.plan(document);
                expect({ changes: again.changes, operations: again.operations }).toEqual({
                  changes: [],
                  operations: [],
                });
                await service.apply(again);
                expect(service.seen.filter(({ method }) => method !== "GET")).toEqual([]);
              }
            } finally {
              service.emulator.close();
            }
          },
        ),
        { numRuns: RUNS, endOnFailure: false },
      );
    },
    240_000 + RUNS * 2_000,
  );
});

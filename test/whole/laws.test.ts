import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields, Json } from "../../src/core/json.ts";
import type { Dialects } from "../../src/emulator/dialects.ts";
import { configuration } from "../support/samples/arbitrary-configuration.ts";
import { sampleSize } from "../support/samples/sample-size.ts";
import { expectState } from "../support/service/expected-state.ts";
import { serviceFor, type TestService } from "../support/service/test-service.ts";

const ROWS: readonly Partial<Dialects>[] = [
  {},
  { options: "replace", condition_values: "id" },
  { envelope: "wrapped", fallback: "sticky", delete_guard: "incidents" },
  { readable: "partial", condition_values: "id", locked_fields: "ignore" },
  { slug: "accept", options: "replace", delete_guard: "incidents" },
];

const LISTS = ["incident_types", "incident_roles", "runbooks", "webhooks", "api_keys", "agents", "catalog/types"];

/** Every list of a kind that the configuration does not mention, as the service tells it. */
async function unmanaged(service: TestService, document: Fields): Promise<readonly Json[]> {
  const free = LISTS.filter((path) => document[path.replace("catalog/types", "catalog_types")] === undefined);
  return Promise.all(free.map((path) => service.hand("GET", `/${path}?include_disabled=true`)));
}

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
            const service = serviceFor({ dialects });
            try {
              for (const document of chain) {
                const before = await unmanaged(service, document);
                const planned = await service.plan(document);
                service.turn(true);
                expect(await service.plan(document), "the order of listings").toEqual(planned);
                service.turn(false);
                const plan = await service.converge(document);
                expect(await unmanaged(service, document), "what nobody manages").toEqual(before);
                expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
                await expectState(service, document);
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

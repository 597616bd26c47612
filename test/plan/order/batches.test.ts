import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { Operation, Plan } from "../../../src/plan/model/plan.ts";
import { expectRun, snapshotOf } from "../../differential/judge/expect-run.ts";
import { type PlanInput, planned } from "../../support/plans/make-plan.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const named = (slug: string, more: Fields = {}): Fields => ({ slug, name: slug, ...more });

/** Each request of a plan, and the number of its batch where it has one. */
function batches(document: Fields, input: PlanInput = {}): readonly string[] {
  return planned(document, input).operations.map(({ address, batch }) => `${address} ${batch ?? "alone"}`);
}

function entries(document: Fields, input: PlanInput = {}): readonly string[] {
  return batches(document, input).filter((line) => line.includes("/entries/"));
}

const racks = (...rows: readonly Fields[]): Fields => ({
  catalog_types: [
    named("rack", {
      attributes: [{ name: "Beside", attribute_type: "reference", reference_type: "rack" }],
      entries: rows,
    }),
  ],
});

describe("requests of one batch", () => {
  test("are for resources that do not affect each other", () => {
    expect(entries(racks(named("a"), named("b"), named("c")))).toEqual([
      "catalog_types/rack/entries/a 1",
      "catalog_types/rack/entries/b 1",
      "catalog_types/rack/entries/c 1",
    ]);
  });

  test("are not for a resource and its referrer, live or declared", () => {
    const document = racks(named("a"), named("b", { attributes: { beside: "a" } }), named("c"));
    expect(entries(document)).toEqual([
      "catalog_types/rack/entries/a alone",
      "catalog_types/rack/entries/b 1",
      "catalog_types/rack/entries/c 1",
    ]);
  });

  test("are not for two changed resources of which one references the other: the service may return the reference differently", () => {
    const row = (slug: string, more: Fields = {}): Fields => ({ slug, name: `Old ${slug}`, ...more });
    const type = {
      attributes: [{ slug: "beside", name: "Beside", attribute_type: "reference", reference_type: "rack" }],
    };
    const live = {
      catalog_types: [named("rack", type)],
      "catalog_entries rack": [row("a"), row("b", { attributes: { beside: "a" } }), row("c")],
    };
    const changed = (slug: string): Fields => ({ slug, name: `New ${slug}` });
    expect(entries(racks(changed("a"), changed("b"), changed("c")), { live })).toEqual([
      "catalog_types/rack/entries/a alone",
      "catalog_types/rack/entries/b 1",
      "catalog_types/rack/entries/c 1",
    ]);
    expect(entries(racks(changed("b"), changed("a"), changed("c")), { live })).toEqual([
      "catalog_types/rack/entries/b alone",
      "catalog_types/rack/entries/a 1",
      "catalog_types/rack/entries/c 1",
    ]);
  });

  test("are not of a kind with an order, an exclusive field, a switch, a secret or repeated names", () => {
    const document = {
      severities: [named("a"), named("b")],
      webhooks: [
        { name: "a", url: "https://a.example.com" },
        { name: "b", url: "https://b.example.com" },
      ],
      api_keys: [
        { name: "a", permissions: [] },
        { name: "b", permissions: [] },
      ],
      routing_rules: { workspace: [{ outcome: { action: "drop" } }] },
    };
    expect(batches(document).every((line) => line.endsWith("alone"))).toBe(true);
  });

  test("are not for the same resource", () => {
    const renamed = { slug: "region", name: "Region", field_type: "single_select", options: ["b", "c"] };
    const row = {
      ...named("region"),
      field_type: "single_select",
      options: [
        { id: "1", label: "a" },
        { id: "2", label: "b" },
      ],
    };
    const lines = batches({ custom_fields: [renamed] }, { live: { custom_fields: [row] } });
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.every((line) => line.endsWith("alone"))).toBe(true);
  });
});

/** The same plan, each batch in another order. */
function shuffled(plan: Plan, pick: (count: number) => number): Plan {
  const operations: Operation[] = [];
  const remaining = [...plan.operations];
  while (remaining.length > 0) {
    const { batch } = remaining[0] ?? {};
    const end = batch === undefined ? 1 : remaining.findIndex((one) => one.batch !== batch);
    const batchOperations = remaining.splice(0, end < 0 ? remaining.length : end);
    while (batchOperations.length > 0) operations.push(...batchOperations.splice(pick(batchOperations.length), 1));
  }
  return { ...plan, operations };
}

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 4);

test(
  "in whatever order the requests of a batch arrive, the state is the declared one and nothing is left to do",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(configuration, { minLength: 1, maxLength: 2 }),
        fc.infiniteStream(fc.nat(1_000)),
        async (chain, numbers) => {
          const service = serviceFor({ control: true });
          try {
            for (const document of chain) {
              const before = await snapshotOf(service.emulator);
              const plan = await service.plan(document);
              await service.carryOut(shuffled(plan, (count) => Number(numbers.next().value) % count));
              await expectRun(service.emulator, document, before);
              expect((await service.plan(document)).operations).toEqual([]);
            }
          } finally {
            await service.emulator.close();
          }
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 2_000,
);

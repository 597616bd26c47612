import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import type { ApplyResult, Outcome } from "../../../src/run/journal/outcome.ts";
import type { IssuedToken } from "../../../src/run/tokens/sink.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";
import { carryOut, liveTokens, sinkTo } from "./sending.ts";

const ROWS: readonly Partial<Dialects>[] = [
  {},
  { options: "replace", condition_values: "id" },
  { envelope: "wrapped", fallback: "sticky", delete_guard: "incidents" },
  { slug: "accept", options: "replace", delete_guard: "incidents" },
  { readable: "partial", condition_values: "id", locked_fields: "ignore" },
];

interface Disturbance {
  readonly phase: "before-commit" | "after-commit";
  readonly action: Parameters<NonNullable<TestService["emulator"]["control"]>["faults"]["add"]>[0]["action"];
}

const DISTURBANCES: readonly Disturbance[] = [
  { phase: "before-commit", action: { type: "reset" } },
  { phase: "before-commit", action: { type: "status", status: 503 } },
  { phase: "after-commit", action: { type: "reset" } },
  { phase: "after-commit", action: { type: "status", status: 500 } },
  { phase: "after-commit", action: { type: "html" } },
  { phase: "after-commit", action: { type: "truncate" } },
  { phase: "after-commit", action: { type: "content_type" } },
];

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 8);

/** Applies with a fault at one write, counted from 1, and clears what is left of it. */
async function disturbed(
  service: TestService,
  plan: Plan,
  nth: number,
  { phase, action }: Disturbance,
  kept: IssuedToken[],
): Promise<ApplyResult> {
  const faults = service.emulator.control?.faults;
  let writes = 0;
  const writer: Writer = {
    ...service.writer,
    send: (method, ...rest) => {
      writes += 1;
      if (writes === nth) faults?.add({ method, phase, action });
      return service.writer.send(method, ...rest);
    },
  };
  const result = await carryOut(plan, writer, { sink: sinkTo(kept) });
  faults?.clear();
  return result;
}

const isWhole = ({ status }: Outcome) => ["done", "fell_back", "retained"].includes(status);

describe("a write with a lost response", () => {
  test(
    "is resolved at once; only an invisible creation that could be a duplicate stops the run",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          configuration,
          configuration,
          fc.constantFrom(...ROWS),
          fc.constantFrom(...DISTURBANCES),
          fc.nat(),
          async (first, second, dialects, disturbance, place) => {
            const service = serviceFor({ dialects, control: true });
            const kept: IssuedToken[] = [];
            try {
              await service.converge(first);
              const before = await liveTokens(service);
              const plan = await service.plan(second);
              fc.pre(plan.operations.length > 0);
              const nth = (place % plan.operations.length) + 1;
              const { outcomes } = await disturbed(service, plan, nth, disturbance, kept);
              const bad = outcomes.find((outcome) => !isWhole(outcome));
              if (bad !== undefined) {
                expect(bad, JSON.stringify(bad)).toMatchObject({
                  status: "unknown",
                  operation: { method: "POST", guard: { repeatable: true } },
                });
                expect(disturbance.phase).toBe("before-commit");
              }
              const rest = await service.plan(second);
              const stays = outcomes
                .filter(({ status }) => status === "retained")
                .map(({ operation }) => operation.address);
              const open = rest.operations.filter(({ address }) => !stays.includes(address));
              // What cannot be read is remembered by the commands, and sent again without them.
              if (bad === undefined && dialects.readable === undefined) expect(open).toEqual([]);
              const ours = (await liveTokens(service)).filter((prefix) => !before.includes(prefix));
              const prefixes = kept.map(({ prefix }) => prefix);
              expect(
                ours.filter((prefix) => !prefixes.includes(prefix)),
                "tokens that nobody has",
              ).toEqual([]);
            } finally {
              await service.emulator.close();
            }
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    240_000 + RUNS * 2_000,
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import type { Dialects } from "../../../src/emulator/dialects.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import { apply } from "../../../src/run/apply/apply.ts";
import type { ApplyResult, Outcome } from "../../../src/run/journal/outcome.ts";
import type { IssuedToken } from "../../../src/run/tokens/sink.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";

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
  const sink = { probe: async () => {}, store: async (issued: IssuedToken) => void kept.push(issued) };
  const running = apply(plan, writer, { keepGoing: false, sink, clock: new VirtualClock() });
  for (;;) {
    const step = await running.next();
    if (step.done !== true) continue;
    faults?.clear();
    return step.value;
  }
}

async function rows(service: TestService, path: string, list: string): Promise<readonly Fields[]> {
  const body = await service.hand("GET", `${path}?include_disabled=true`);
  const found: Json | undefined = isFields(body) ? body[list] : undefined;
  return isList(found) ? found.filter(isFields) : [];
}

/** Prefixes of every token that works. */
async function tokens(service: TestService): Promise<readonly string[]> {
  const keys = await rows(service, "/api_keys", "api_keys");
  const agents = await rows(service, "/agents", "agents");
  const issued = agents.flatMap(({ tokens: list }) => (isList(list) ? list.filter(isFields) : []));
  return [...keys, ...issued].map(({ prefix }) => String(prefix));
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
              const before = await tokens(service);
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
              const ours = (await tokens(service)).filter((prefix) => !before.includes(prefix));
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

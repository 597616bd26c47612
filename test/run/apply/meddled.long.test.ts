import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import type { Operation, Plan } from "../../../src/plan/model/plan.ts";
import { apply } from "../../../src/run/apply/apply.ts";
import { NotAsPlanned } from "../../../src/run/exchange/failure.ts";
import type { Outcome } from "../../../src/run/journal/outcome.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { configuration } from "../../support/samples/arbitrary-configuration.ts";
import { serviceFor, type TestService } from "../../support/service/test-service.ts";

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 8);

type Meddling = "rename" | "delete" | "create";

/** What a person may do to the entry of an operation at the last moment. */
function meddlings({ method, guard, inserts, path }: Operation): readonly Meddling[] {
  if (guard === undefined || guard.unchecked === true || inserts !== undefined) return [];
  if (guard.row === undefined) return method === "POST" && guard.names !== undefined ? ["create"] : [];
  if (path.includes("/forms/") || path.includes("/routing_rules/")) return [];
  return guard.held?.name === undefined ? ["delete"] : ["rename", "delete"];
}

const below = (path: string) => path.replace("/api/v1", "");

async function meddle(service: TestService, operation: Operation, meddling: Meddling): Promise<boolean> {
  const { path, body } = operation;
  try {
    if (meddling === "create") await service.hand("POST", below(path), body);
    else if (meddling === "delete") await service.hand("DELETE", below(path));
    else await service.hand("PATCH", below(path), { name: "Somebody's" });
    return true;
  } catch {
    // The service refuses it to people as well.
    return false;
  }
}

/** Applies, with somebody at work right before one operation. Gives its outcome, and how many writes were sent for it. */
async function apart(
  service: TestService,
  plan: Plan,
  target: Operation,
  meddling: Meddling,
): Promise<{ readonly outcome: Outcome; readonly writes: number; readonly done: boolean }> {
  const sink = { probe: async () => {}, store: async () => {} };
  const running = apply(plan, service.writer, { keepGoing: false, sink, clock: new VirtualClock() });
  let done = false;
  for (;;) {
    const step = await running.next();
    if (step.done === true) throw new Error("it was never started");
    const { status, operation } = step.value;
    if (operation.id !== target.id) continue;
    if (status === "started") {
      done = await meddle(service, operation, meddling);
      service.forget();
    } else {
      return { outcome: step.value, writes: service.seen.filter(({ method }) => method !== "GET").length, done };
    }
  }
}

async function listed(service: TestService, { guard }: Operation): Promise<readonly Fields[]> {
  const query = new URLSearchParams(guard?.query).toString();
  const body: Json = await service.hand("GET", `${below(guard?.path ?? "")}?${query}`);
  const rows = isFields(body) ? body[guard?.list ?? ""] : undefined;
  return isList(rows) ? rows.filter(isFields) : [];
}

describe("a change by another user between the plan and a write", () => {
  test(
    "is never overwritten: renamed, removed or created resources are unchanged and reported",
    async () => {
      await fc.assert(
        fc.asyncProperty(configuration, configuration, fc.nat(), async (first, second, pick) => {
          const service = serviceFor();
          try {
            await service.converge(first);
            const plan = await service.plan(second);
            const chances = plan.operations.flatMap((one) => meddlings(one).map((how) => [one, how] as const));
            fc.pre(chances.length > 0);
            const [target, meddling] = chances[pick % chances.length] ?? [];
            if (target === undefined || meddling === undefined) throw new Error("unreachable");
            const { outcome, writes, done } = await apart(service, plan, target, meddling);
            fc.pre(done);
            expect(writes, `${meddling} ${target.method} ${target.path}`).toBe(0);
            if (meddling === "delete" && target.method === "DELETE") {
              expect(outcome).toMatchObject({ status: "done", gone: true });
              return;
            }
            expect(outcome).toMatchObject({ status: "failed", error: expect.any(NotAsPlanned) });
            if (meddling !== "create") return;
            const named = (await listed(service, target)).filter((row) =>
              target.guard?.names?.some((name) => Object.entries(name).every(([field, value]) => row[field] === value)),
            );
            expect(named).toHaveLength(1);
          } finally {
            await service.emulator.close();
          }
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
    120_000 + RUNS * 2_000,
  );
});

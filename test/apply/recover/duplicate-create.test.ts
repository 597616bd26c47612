import { describe, expect, test } from "vitest";
import type { Writer } from "../../../src/api/http/connection.ts";
import { apply } from "../../../src/apply/execute/apply.ts";
import type { ApplyResult } from "../../../src/apply/execute/outcome.ts";
import type { Fields } from "../../../src/core/json.ts";
import type { Plan } from "../../../src/plan/plan.ts";
import { VirtualClock } from "../../api/virtual-clock.ts";
import { serviceFor } from "../../support/service/test-service.ts";

const webhook = { webhooks: [{ name: "pager", url: "https://a.example.com/x" }] };
const key = { api_keys: [{ name: "deploy bot", permissions: { incidents: ["read"] } }] };

/** A run that stops at each of its requests until it is let go on. */
function stepwise(plan: Plan, writer: Writer): { readonly ended: Promise<ApplyResult>; step(): Promise<void> } {
  const waiting: (() => void)[] = [];
  const turn = () => new Promise<void>((go) => waiting.push(go));
  const gated: Writer = {
    ...writer,
    get: async (ask) => {
      await turn();
      return writer.get(ask);
    },
    send: async (...asked) => {
      await turn();
      return writer.send(...asked);
    },
  };
  const sink = { probe: async () => {}, store: async () => {} };
  const clock = new VirtualClock();
  const running = apply(plan, gated, { keepGoing: false, sink, clock });
  let over = false;
  const ended = (async () => {
    for (;;) {
      const event = await running.next();
      if (event.done === true) {
        over = true;
        return event.value;
      }
    }
  })();
  const idle = () => new Promise<void>((done) => setImmediate(done));
  return {
    ended,
    step: async () => {
      for (let turns = 0; waiting.length === 0 && !over && turns < 50; turns++) await idle();
      waiting.shift()?.();
      for (let turns = 0; waiting.length === 0 && !over && turns < 50; turns++) await idle();
    },
  };
}

/** Every order in which two runs of so many requests each can take turns. */
function orders(left: number, right: number): readonly string[] {
  if (left === 0 || right === 0) return ["a".repeat(left) + "b".repeat(right)];
  return [...orders(left - 1, right).map((rest) => `a${rest}`), ...orders(left, right - 1).map((rest) => `b${rest}`)];
}

describe.each([
  ["a webhook", webhook, "webhooks"],
  ["a service key", key, "api_keys"],
] as const)("two runs that create %s at the same time", (_title, document, list) => {
  test("leave one resource, in any order of their requests", async () => {
    for (const order of orders(3, 3)) {
      const service = serviceFor();
      try {
        const plan = await service.plan(document);
        const runs = { a: stepwise(plan, service.writer), b: stepwise(plan, service.writer) };
        for (const name of order) await runs[name === "a" ? "a" : "b"].step();
        let over = false;
        const both = Promise.all([runs.a.ended, runs.b.ended]).finally(() => {
          over = true;
        });
        for (let turns = 0; !over && turns < 60; turns++) {
          await runs.a.step();
          await runs.b.step();
        }
        await both;
        const rows = (await service.hand("GET", `/${list}?include_disabled=true`)) as Fields;
        expect(rows[list], order).toHaveLength(1);
      } finally {
        await service.emulator.close();
      }
    }
  }, 60_000);
});

import { describe, expect, test } from "vitest";
import type { Fields } from "../../../src/core/json.ts";
import type { Plan } from "../../../src/plan/model/plan.ts";
import type { ApplyResult } from "../../../src/run/journal/outcome.ts";
import type { Writer } from "../../../src/service/requests/connection.ts";
import { serviceFor } from "../../support/service/test-service.ts";
import { carryOut } from "./sending.ts";

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
  let over = false;
  const ended = carryOut(plan, gated).finally(() => {
    over = true;
  });
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

/** Makes two runs of one plan send their requests in this order, then in turns until both have ended. */
async function race(plan: Plan, writer: Writer, order: string): Promise<readonly [ApplyResult, ApplyResult]> {
  const runs = { a: stepwise(plan, writer), b: stepwise(plan, writer) };
  for (const name of order) await runs[name === "a" ? "a" : "b"].step();
  let over = false;
  const both = Promise.all([runs.a.ended, runs.b.ended]).finally(() => {
    over = true;
  });
  for (let turns = 0; !over && turns < 60; turns++) {
    await runs.a.step();
    await runs.b.step();
  }
  return both;
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
        await race(plan, service.writer, order);
        const rows = (await service.hand("GET", `/${list}?include_disabled=true`)) as Fields;
        expect(rows[list], order).toHaveLength(1);
      } finally {
        await service.emulator.close();
      }
    }
  }, 60_000);
});

const rule = (title: string) => ({
  conditions: [{ field: "title", operator: "contains", value: title }],
  outcome: { action: "drop" },
});

describe("two runs that append the same rules at the same time", () => {
  test.each([
    ["one rule", ["a"], orders(3, 3)],
    ["two rules", ["a", "b"], orders(3, 3)],
  ] as const)(
    "leave each rule once, in any order of their requests for %s",
    async (_title, titles, all) => {
      for (const order of all) {
        const service = serviceFor();
        try {
          const plan = await service.plan({ routing_rules: { workspace: titles.map(rule) } });
          const results = await race(plan, service.writer, order);
          const { routing_rules: rows } = (await service.hand("GET", "/routing_rules")) as {
            readonly routing_rules: readonly Fields[];
          };
          expect(
            rows.map(({ conditions }) => conditions),
            order,
          ).toEqual(titles.map((title) => rule(title).conditions));
          expect(results.map(({ counts }) => counts.done).toSorted(), order).toEqual([0, titles.length]);
        } finally {
          await service.emulator.close();
        }
      }
    },
    60_000,
  );

  test("say who stays: the run that appended second fails and names its rule", async () => {
    const service = serviceFor();
    try {
      const plan = await service.plan({ routing_rules: { workspace: [rule("a")] } });
      const [first, second] = await race(plan, service.writer, "abab");
      expect(first.counts.done).toBe(1);
      expect(second.outcomes).toMatchObject([
        {
          status: "failed",
          error: {
            message:
              "somebody else added to the list of routing_rules/workspace/1 at the same time: theirs stays, and this run removed its own again; plan again",
          },
        },
      ]);
    } finally {
      await service.emulator.close();
    }
  });

  test("never remove a rule of another list of the same rank", async () => {
    const service = serviceFor();
    try {
      await service.converge({
        alert_sources: [{ name: "grafana", provider: "grafana" }],
        routing_rules: { workspace: [rule("x"), rule("y")], sources: { grafana: [rule("z")] } },
      });
      const plan = await service.plan({
        alert_sources: [{ name: "grafana", provider: "grafana" }],
        routing_rules: { workspace: [rule("x"), rule("y")], sources: { grafana: [rule("z"), rule("a")] } },
      });
      await race(plan, service.writer, "abab");
      const count = async (query: string) => {
        const { routing_rules: rows } = (await service.hand("GET", `/routing_rules${query}`)) as {
          readonly routing_rules: readonly Fields[];
        };
        return rows.length;
      };
      expect(await count("")).toBe(2);
      expect(await count("?source=grafana")).toBe(2);
    } finally {
      await service.emulator.close();
    }
  });
});

import { expect, test } from "vitest";
import type { Operation, Plan } from "../../../src/plan/model/plan.ts";
import { apply } from "../../../src/run/apply/apply.ts";
import { connect } from "../../../src/service/http/client.ts";
import { VirtualClock } from "../../service/virtual-clock.ts";
import { error, operation } from "./run.ts";

/** How a run went: what was said in order, and the most that was under way at a time. */
interface Went {
  readonly told: readonly string[];
  readonly outcomes: readonly string[];
  readonly most: number;
  readonly milliseconds: number;
}

/** Applies with answers that take as long as said, 100 ms where nothing is said; a number is the status of a refusal. */
async function run(
  operations: readonly Operation[],
  {
    parallelism,
    keepGoing = false,
    takes = {},
    refuses = {},
    stopAfter = Number.POSITIVE_INFINITY,
  }: {
    readonly parallelism?: number;
    readonly keepGoing?: boolean;
    readonly takes?: Readonly<Record<string, number>>;
    readonly refuses?: Readonly<Record<string, number>>;
    readonly stopAfter?: number;
  },
): Promise<Went> {
  const clock = new VirtualClock();
  const interrupted = new AbortController();
  let underWay = 0;
  let most = 0;
  const writer = connect({
    ...{ baseUrl: "https://incidents.example.com", token: "ff_ordinary", clock },
    ...{ requestsPerMinute: 900, timeoutSeconds: 5 },
    fetch: async (input) => {
      const name = new URL(input).pathname.split("/").at(-1) ?? "";
      underWay += 1;
      most = Math.max(most, underWay);
      await clock.sleep(takes[name] ?? 100);
      underWay -= 1;
      const status = refuses[name];
      return status === undefined ? Response.json({ name }) : Response.json(error("no"), { status });
    },
  });
  const plan = { operations } as unknown as Plan;
  const options = {
    keepGoing,
    clock,
    interrupted: interrupted.signal,
    ...(parallelism === undefined ? {} : { parallelism }),
  };
  const running = apply(plan, writer, options);
  const told: string[] = [];
  let step = await running.next();
  for (; step.done !== true; step = await running.next()) {
    const { status } = step.value;
    told.push(`${step.value.operation.id} ${status}`);
    if (told.length === stopAfter) interrupted.abort();
  }
  const outcomes = step.value.outcomes.map((outcome) => `${outcome.operation.id} ${outcome.status}`);
  return { told, outcomes, most, milliseconds: clock.now() };
}

const batch = (count: number, number = 1, from = 1): readonly Operation[] =>
  Array.from({ length: count }, (_, at) => operation(`op-${at + from}`, { batch: number }));

test("operations of one batch run in parallel, up to the limit, and save time accordingly", async () => {
  const { most, milliseconds, outcomes } = await run(batch(40), { parallelism: 8 });
  expect(most).toBe(8);
  expect(milliseconds).toBe(500);
  expect(outcomes).toEqual(batch(40).map(({ id }) => `${id} done`));
});

test("without a parallelism they run one after another", async () => {
  const { most, milliseconds } = await run(batch(5), {});
  expect({ most, milliseconds }).toEqual({ most: 1, milliseconds: 500 });
});

test("operations without a batch, and those of another one, wait until everything before them has ended", async () => {
  const operations = [...batch(2), operation("op-3"), operation("op-4"), ...batch(2, 2, 5), ...batch(2, 3, 7)];
  const { told, most } = await run(operations, { parallelism: 8 });
  expect(most).toBe(2);
  expect(told).toEqual([
    ...["op-1 started", "op-2 started", "op-1 done", "op-2 done"],
    ...["op-3 started", "op-3 done", "op-4 started", "op-4 done"],
    ...["op-5 started", "op-6 started", "op-5 done", "op-6 done"],
    ...["op-7 started", "op-8 started", "op-7 done", "op-8 done"],
  ]);
});

test("each is reported when it ends, and the result is in the order of the plan", async () => {
  const { told, outcomes } = await run(batch(3), { parallelism: 3, takes: { "op-1": 300, "op-2": 200 } });
  expect(told.slice(3)).toEqual(["op-3 done", "op-2 done", "op-1 done"]);
  expect(outcomes).toEqual(["op-1 done", "op-2 done", "op-3 done"]);
});

test("after a refusal no operation starts, and running ones finish", async () => {
  const operations = [...batch(5), operation("op-6")];
  const given = { parallelism: 3, takes: { "op-1": 50 }, refuses: { "op-1": 422 } };
  const { outcomes } = await run(operations, given);
  expect(outcomes).toEqual(["op-1 failed", "op-2 done", "op-3 done", "op-4 skipped", "op-5 skipped", "op-6 skipped"]);
  const going = await run(operations, { ...given, keepGoing: true });
  expect(going.outcomes.filter((line) => !line.endsWith("done"))).toEqual(["op-1 failed"]);
});

test("after an interrupt no operation starts, and running ones finish", async () => {
  const { outcomes } = await run(batch(4), { parallelism: 2, stopAfter: 2 });
  expect(outcomes).toEqual(["op-1 done", "op-2 done", "op-3 skipped", "op-4 skipped"]);
});

test("an internal error is thrown after running operations have finished", async () => {
  const settled: string[] = [];
  const clock = new VirtualClock();
  const writer = connect({
    ...{ baseUrl: "https://incidents.example.com", token: "ff_ordinary", clock },
    ...{ requestsPerMinute: 900, timeoutSeconds: 5 },
    fetch: async (input) => {
      await clock.sleep(100);
      settled.push(new URL(input).pathname.split("/").at(-1) ?? "");
      return Response.json({});
    },
  });
  const wrong = operation("op-2", { batch: 1, path: "/api/v1/a?b" });
  const plan = { operations: [...batch(1), wrong, ...batch(1, 1, 3)] } as unknown as Plan;
  const running = apply(plan, writer, { keepGoing: false, clock, parallelism: 3 });
  const all = async () => {
    for await (const _event of running);
  };
  await expect(all()).rejects.toThrow("is not a path of the interface");
  expect(settled).toEqual(["op-1", "op-3"]);
});

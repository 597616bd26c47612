import { createContext, runInContext } from "node:vm";
import { expect, it } from "vitest";
import { processorTime, runWithin, systemClock, timeLimit } from "../../src/core/clock.ts";

it("the system clock advances during a sleep", async () => {
  const before = systemClock.now();
  await systemClock.sleep(15);
  expect(systemClock.now() - before).toBeGreaterThan(13);
});

const wait = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
const context = createContext({ wait });

it("a script that only waits is run again with more time", () => {
  const timeouts: number[] = [];
  const run = (timeout: number) => {
    timeouts.push(timeout);
    return runInContext("wait(), 'done'", context, { timeout });
  };
  expect(runWithin(10, run)).toEqual({ result: "done" });
  // A busy machine may need more of them.
  expect(timeouts.slice(0, 3)).toEqual([10, 20, 40]);
});

it("a script that works is stopped", () => {
  const before = processorTime();
  expect(runWithin(20, (timeout) => runInContext("for (;;) {}", context, { timeout }))).toBeUndefined();
  expect(processorTime() - before).toBeGreaterThanOrEqual(16);
});

it("an error of the script is thrown", () => {
  expect(() => runWithin(20, (timeout) => runInContext("throw new TypeError('no')", context, { timeout }))).toThrow(
    "no",
  );
});

it("a limit is not reached by waiting", () => {
  const isOver = timeLimit(100);
  wait();
  expect(isOver()).toBe(false);
  for (const end = processorTime() + 200; processorTime() < end; );
  expect(isOver()).toBe(true);
});

import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withTimeout } from "../../src/emulator/timeout.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const NEVER = 1_000_000;

test("a signal times out even if garbage is collected meanwhile", async () => {
  const signal = withTimeout(new AbortController().signal, 50);
  collectGarbage();
  await setTimeout(10);
  collectGarbage();
  await expect.poll(() => signal.aborted, { interval: 10 }).toBe(true);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("a signal aborts with its source, before or after it was made", async () => {
  const source = new AbortController();
  const early = withTimeout(source.signal, NEVER);
  expect(early.aborted).toBe(false);
  source.abort("stop");
  expect(early).toMatchObject({ aborted: true, reason: "stop" });
  expect(withTimeout(source.signal, NEVER)).toMatchObject({ aborted: true, reason: "stop" });
});

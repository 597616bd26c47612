import { expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";

it("the system clock advances during a sleep", async () => {
  const before = systemClock.now();
  await systemClock.sleep(15);
  expect(systemClock.now() - before).toBeGreaterThan(13);
});

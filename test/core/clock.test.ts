import { expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";

it("the machine's clock goes forward while one sleeps by it", async () => {
  const before = systemClock.now();
  await systemClock.sleep(15);
  expect(systemClock.now() - before).toBeGreaterThan(13);
});

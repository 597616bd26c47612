import { expect, test } from "vitest";
import { ServiceClock } from "../../../src/emulator/service/clock.ts";

test("a clock runs with its base, shifted, stopped and released", () => {
  let base = 1000;
  const clock = new ServiceClock(() => new Date(base));
  const now = (): number => clock.now().getTime();
  expect(now()).toBe(1000);
  clock.advance(500);
  base += 1;
  expect(now()).toBe(1501);
  clock.set(new Date(9000));
  base += 1;
  expect(now()).toBe(9001);
  clock.stop();
  base += 100;
  expect([now(), clock.isStopped]).toEqual([9001, true]);
  clock.advance(10);
  clock.run();
  base += 1;
  expect([now(), clock.isStopped]).toEqual([9012, false]);
  clock.set(new Date(5));
  clock.stop();
  clock.set(new Date(7));
  expect(now()).toBe(7);
  clock.reset();
  expect(now()).toBe(base);
});

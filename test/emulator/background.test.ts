import { expect, test } from "vitest";
import { Background } from "../../src/emulator/background.ts";
import { leastTime } from "../support/least.ts";

test("what is under way is waited for, with what it starts itself", async () => {
  const done: string[] = [];
  const background = new Background(() => {});
  background.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    background.run(() => void done.push("inner"));
    done.push("outer");
  });
  expect(background.idle).toBe(false);
  await background.close();
  expect(done).toEqual(["outer", "inner"]);
  expect(background.idle).toBe(true);
});

test("a task that fails is reported and ends nothing", async () => {
  const errors: unknown[] = [];
  const background = new Background((error) => errors.push(error));
  background.run(() => {
    throw new Error("broken");
  });
  await background.settled();
  expect(errors).toEqual([new Error("broken")]);
});

test("closing gives up what takes longer than half a second, without a report", async () => {
  const errors: unknown[] = [];
  const least = await leastTime(async () => {
    const background = new Background((error) => errors.push(error));
    background.run(
      () =>
        new Promise((_resolve, reject) => background.signal.addEventListener("abort", () => reject(new Error("cut")))),
    );
    await background.close();
  });
  expect(least).toBeGreaterThan(450);
  expect(least).toBeLessThan(1000);
  expect(errors).toEqual([]);
});

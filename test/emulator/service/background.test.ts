import { expect, test } from "vitest";
import { Background } from "../../../src/emulator/service/background.ts";
import { leastTime } from "../../support/times.ts";

test("waiting covers running tasks and the tasks that they start", async () => {
  const done: string[] = [];
  const background = new Background(() => {});
  background.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    background.run(() => void done.push("inner"));
    done.push("outer");
  });
  expect(background.isIdle).toBe(false);
  await background.close();
  expect(done).toEqual(["outer", "inner"]);
  expect(background.isIdle).toBe(true);
});

test("a failing task is reported and stops nothing else", async () => {
  const errors: unknown[] = [];
  const background = new Background((error) => errors.push(error));
  background.run(() => {
    throw new Error("broken");
  });
  await background.settled();
  expect(errors).toEqual([new Error("broken")]);
});

test("closing aborts a task after half a second, without a report", async () => {
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

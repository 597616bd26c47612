import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const program = new URL("../../dist/cli.cjs", import.meta.url).pathname;

test("the program asks V8 for nothing that it does not know", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "version"], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^incidentctl \d+\.\d+\.\d+/);
});

test("V8 11 knows of the budget for which a function waits to be optimised, and of the growth of memory", () => {
  const { stdout } = spawnSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  if (process.versions.v8.startsWith("11.")) expect(stdout).toMatch(/--interrupt-budget \(/);
  if (process.versions.v8.startsWith("11.")) expect(stdout).toMatch(/--heap-growing-percent \(/);
});

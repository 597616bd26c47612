import { spawnSync } from "node:child_process";
import v8 from "node:v8";
import { afterEach, describe, expect, test, vi } from "vitest";
import { compileWebAssemblyFast, optimiseLater } from "../../../src/app/session/v8-flags.ts";

const isVersion11 = process.versions.v8.startsWith("11.");
const { stdout: known } = spawnSync(process.execPath, ["--v8-options"], { encoding: "utf8" });

/** The flags that a function sets, none of which takes effect here. */
function flagsSetBy(work: () => void): readonly string[] {
  const set = vi.spyOn(v8, "setFlagsFromString").mockImplementation(() => {});
  work();
  return set.mock.calls.flatMap(([flags]) => flags.split(" "));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("flags of V8", () => {
  test("exist in this version", () => {
    const flags = flagsSetBy(() => {
      optimiseLater(1_000_000);
      compileWebAssemblyFast();
    });
    expect(flags.length).toBe(isVersion11 ? 3 : 2);
    const names = flags.map((flag) => flag.replace(/^--(?:no-)?|=.*$/g, ""));
    expect(names.filter((name) => !known.includes(`--${name} (`))).toEqual([]);
  });

  test("for a large configuration are not set for a small one, or if V8 needs none", () => {
    expect(flagsSetBy(() => optimiseLater(10_000))).toEqual([]);
    expect(flagsSetBy(() => optimiseLater(100_000)).length).toBe(isVersion11 ? 1 : 0);
  });
});

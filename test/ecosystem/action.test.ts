/** The action as workflows use it: from the tree of its release branch, where it builds nothing. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { newFolder, root, run, succeed } from "./support.ts";

let folder: string;
beforeAll(() => {
  folder = newFolder();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

test("the tree of the release branch runs without npm", async () => {
  const tree = join(folder, "tree");
  await succeed(root, "sh", ["scripts/action-tree.sh", tree]);
  expect(readdirSync(tree)).toEqual(expect.arrayContaining(["action.yml", "dist", "node_modules", "templates"]));
  expect(existsSync(join(tree, "src"))).toBe(false);

  const user = join(folder, "user");
  const bin = join(folder, "bin");
  for (const each of [user, bin]) mkdirSync(each);
  writeFileSync(join(user, "severities.yaml"), "severities:\n  - { slug: major, name: Outage, default: true }\n");
  writeFileSync(join(bin, "npm"), "#!/bin/sh\necho npm was started >&2\nexit 1\n", { mode: 0o755 });
  const env = {
    PATH: `${bin}:${process.env.PATH ?? ""}`,
    GITHUB_ACTION_PATH: tree,
    RUN: "review",
    GITHUB_ACTIONS: "",
    INCIDENTCTL_FLAGS: "--emulator",
  };
  const { runs } = parse(readFileSync(join(tree, "action.yml"), "utf8")) as {
    readonly runs: { readonly steps: readonly { readonly run: string }[] };
  };
  for (const step of runs.steps) {
    const { exit, stderr } = await run(user, "sh", ["-e", "-c", step.run], env);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.not.stringContaining("npm was started") });
  }
  expect(readFileSync(join(user, "reports/outputs"), "utf8")).toContain("changes=true\n");
});

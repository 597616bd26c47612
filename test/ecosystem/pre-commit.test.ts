/** The hooks, installed and run by pre-commit itself. */

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canRun, commitAll, commitSources, type Ended, newFolder, run, succeed } from "./support.ts";

const FILES = "severities:\n  - { slug: minor, name: Minor }\n  - { slug: major, name: Major, default: true }\n";
const hasPreCommit = await canRun("pre-commit", ["--version"]);

describe.runIf(hasPreCommit)("pre-commit", () => {
  let folder: string;
  let hooks: () => Promise<Ended>;

  beforeAll(async () => {
    folder = newFolder();
    const source = join(folder, "source");
    const user = join(folder, "user");
    for (const each of [source, user]) mkdirSync(each);
    const rev = await commitSources(source);
    writeFileSync(join(user, "severities.yaml"), FILES);
    const ids = ["incidentctl-validate", "incidentctl-fmt"].map((id) => `      - id: ${id}\n`).join("");
    writeFileSync(
      join(user, ".pre-commit-config.yaml"),
      `repos:\n  - repo: ${source}\n    rev: ${rev}\n    hooks:\n${ids}`,
    );
    await commitAll(user);
    const env = { PRE_COMMIT_HOME: join(folder, "home") };
    await succeed(user, "pre-commit", ["install-hooks"], env);
    hooks = () => run(user, "pre-commit", ["run", "--all-files"], env);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test("installs the hooks from the sources, and passes a valid configuration", async () => {
    const { exit, stdout } = await hooks();
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: expect.stringMatching(/validate\.+Passed\n.*fmt\.+Passed\n$/),
    });
  });

  test("fails with the message of the program for a file that is not valid or has another layout", async () => {
    appendFileSync(join(folder, "user/severities.yaml"), "  - {slug: major, name: Again}\n");
    const { exit, stdout } = await hooks();
    expect(exit).toBe(1);
    expect(stdout).toMatch(/validate\.+Failed[\s\S]*severities\.yaml:4[\s\S]*fmt\.+Failed/);
  });
});

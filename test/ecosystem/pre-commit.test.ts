/** The hooks, installed and run by pre-commit itself. */

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canRun, commitAll, commitSources, type Ended, newFolder, root, run, succeed } from "./support.ts";

const HOOKS = ["incidentctl-validate", "incidentctl-fmt", "incidentctl-test"];
const hasPreCommit = await canRun("pre-commit", ["--version"]);

/** Where the hooks come from: the sources, which pre-commit builds, or the release branch of the action. */
const ORIGINS: readonly (readonly [string, (folder: string) => Promise<string>])[] = [
  ["the sources", commitSources],
  [
    "the release branch",
    async (folder) => {
      await succeed(root, "sh", ["scripts/action-tree.sh", folder]);
      return commitAll(folder);
    },
  ],
];

describe.runIf(hasPreCommit).each(ORIGINS)("pre-commit, with hooks from %s,", (_, commitHooks) => {
  let folder: string;
  let hooks: () => Promise<Ended>;

  beforeAll(async () => {
    folder = newFolder();
    const source = join(folder, "source");
    const user = join(folder, "user");
    for (const each of [source, user]) mkdirSync(each);
    const rev = await commitHooks(source);
    await succeed(user, process.execPath, [join(root, "dist/cli.cjs"), "init"]);
    // Other tools have YAML files of their own in a repository.
    mkdirSync(join(user, "chart/templates"), { recursive: true });
    writeFileSync(join(user, "chart/templates/pod.yaml"), "{{- if .Values.pod }}\nkind: Pod\n{{ end }}\n");
    writeFileSync(join(user, "compose.yaml"), "services:\n  web: { image: nginx }\n");
    const ids = HOOKS.map((id) => `      - id: ${id}\n`).join("");
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

  test("every hook passes what init writes, beside the files of other tools", async () => {
    const { exit, stdout } = await hooks();
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: expect.stringMatching(/validate\.+Passed\n.*fmt\.+Passed\n.*test\.+Passed\n$/),
    });
  });

  test("they fail with the message of the program for a file that is not valid or has another layout", async () => {
    appendFileSync(join(folder, "user/config/severities.yaml"), "  - {slug: minor, name: Again}\n");
    const { exit, stdout } = await hooks();
    expect(exit).toBe(1);
    expect(stdout).toMatch(/validate\.+Failed[\s\S]*severities\.yaml:\d+[\s\S]*fmt\.+Failed/);
  });
});

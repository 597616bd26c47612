import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import { PLANS } from "../../../src/app/console/formats.ts";
import type { Io } from "../../../src/core/io.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { withFiles } from "../../support/files.ts";

async function typed(...args: readonly string[]): Promise<{ exit: number; stdout: string; stderr: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    stdout: { write: (text) => void out.push(text), terminal: false },
    stderr: { write: (text) => void err.push(text), terminal: false },
    env: {},
    cwd: "/",
    now: () => new Date(0),
    fetch: () => Promise.reject(new Error("nothing is asked")),
    interruption: () => new AbortController().signal,
  };
  const exit = await runCommandLine(args, io);
  return { exit, stdout: out.join(""), stderr: err.join("") };
}

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

const shells = ["bash", "zsh", "fish"] as const;

/** The completions that bash offers for words, of which the last is being typed. */
async function offered(words: readonly string[], before = ""): Promise<readonly string[]> {
  const { stdout: script } = await typed("completion", "bash");
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const { stdout, stderr } = spawnSync(
    "bash",
    [
      "--norc",
      "-c",
      `${before}
${script}
COMP_WORDS=(incidentctl ${quoted}); COMP_CWORD=${words.length}; _incidentctl; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    {
      encoding: "utf8",
      timeout: 10_000,
    },
  );
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("completion", () => {
  test.each(shells)("for %s has every command and flag, with descriptions", async (shell) => {
    const { exit, stdout, stderr } = await typed("completion", shell);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    const { stdout: help } = await typed("apply", "--help");
    const flags = [...help.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, name = ""]) => name);
    expect(flags.length).toBeGreaterThan(20);
    expect(flags.filter((name) => !stdout.includes(shell === "fish" ? `-l ${name} ` : `--${name}`))).toEqual([]);
    for (const command of ["validate", "undo", "rehearse", "completion", "accept"]) expect(stdout).toContain(command);
    if (shell !== "bash") expect(stdout).toContain("approve deletions");
    // Quotes that do not close are what goes wrong first.
    const bare = stdout.replace(/#.*/g, "").replaceAll("'\\''", "").replaceAll("\\'", "");
    expect((bare.match(/'/g) ?? []).length % 2).toBe(0);
  });

  test.each(shells)("for %s is a valid script, if that shell is installed", async (shell) => {
    const { stdout: script } = await typed("completion", shell);
    // From a file: fish reads no script from the socket that a process of Node has for its input.
    const { error, status, stderr } = await withFiles({ script }, async (folder) =>
      spawnSync(shell, ["-n", join(folder, "script")], { encoding: "utf8", timeout: 10_000 }),
    );
    // Where the shell is missing, what a script must hold is tested above; bash is where the tests run.
    if (shell === "bash") expect(error).toBeUndefined();
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("offers commands, flags, values and kinds where they are allowed", async () => {
    expect(await offered(["va"])).toEqual(["validate"]);
    expect(await offered(["validate", "--fail"])).toEqual(["--fail-on"]);
    expect(await offered(["validate", "--fail-on", "w"])).toEqual(["warning"]);
    expect(await offered(["--quiet", "plan", "--format", ""])).toEqual(PLANS.names);
    expect(await offered(["schema", "sev"])).toEqual(["severities"]);
    expect(await offered(["schema", "dr"])).toEqual(["drift"]);
    expect(await offered(["schema", ""])).toEqual(expect.arrayContaining(["severities", "routing_tests", "plan"]));
    expect(await offered(["plan", "--kinds", ""])).toEqual(kinds.map(({ name }) => name));
    expect(await offered(["plan", "--kinds", "severities,statuse"])).toEqual(["severities,statuses"]);
    expect(await offered(["explain", "webhooks.s"])).toEqual(["webhooks.subscribed_events"]);
    expect(await offered(["drift", "acc"])).toEqual(["accept"]);
    expect(await offered(["drift", "accept", "--un"])).toEqual(["--until"]);
    expect(await offered(["emulator", "--workspace", ""])).toEqual(["default", "bare"]);
  });

  test("offers no flag of drift accept that it refuses, and all that its help lists", async () => {
    const flags = (await offered(["drift", "accept", "--"])).filter((flag) => flag !== "--help");
    const { stdout: help } = await typed("drift", "accept", "--help");
    const known = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = ""]) => name);
    expect(flags.toSorted()).toEqual(known.filter((name) => name !== "--help").toSorted());
    const required = ["drift", "accept", "severities/a", "--until", "2026-12-31", "--because", "x"];
    const { exit, stderr } = await typed(...required, "--target", "severities/a");
    expect({ exit, stderr }).toEqual({ exit: 64, stderr: "error: drift accept has no --target\n" });
    expect(flags).not.toContain("--target");
  });

  test("offers values after an equals sign, which is a separate word in bash", async () => {
    expect(await offered(["plan", "--format", "="])).toEqual(PLANS.names);
    expect(await offered(["plan", "--format", "=", "m"])).toEqual(["markdown"]);
  });

  test("offers files only where one is allowed", async () => {
    const { stdout: script } = await typed("completion", "fish");
    const without = [...script.matchAll(/^complete -c incidentctl -n '__incidentctl_at (\S+)' -f$/gm)].map(
      ([, at]) => at,
    );
    expect(without).toEqual(["/", "/emulator", "/conformance", "/schema", "/version", "/completion"]);
  });

  test("offers nothing where any file or text is allowed", async () => {
    expect(await offered(["plan", "--out", ""])).toEqual([]);
    expect(await offered(["plan", "apply", "x"])).toEqual([]);
  });

  test.each([[["completion", "tcsh"]], [["completion"]], [["completion", "bash", "zsh"]]])(
    "is a usage error for %j",
    async (args) => {
      const { exit, stdout, stderr } = await typed(...args);
      expect({ exit, stdout }).toEqual({ exit: 64, stdout: "" });
      expect(stderr).not.toBe("");
    },
  );
});

describe("completion of what is in the files", () => {
  const files = {
    "incidentctl.yaml":
      "version: 1\nconfig: [config]\nenvironments:\n  staging: { base_url: http://127.0.0.1:4010 }\n  production: {}\n",
    "config/a.yaml":
      'severities:\n  - { slug: critical, name: Critical, default: true }\nwebhooks:\n  - { name: "$(touch made)", url: "https://a.example.com" }\n',
  };

  /** The completions in a directory with the files, where the script finds the program. */
  const offeredThere = (words: readonly string[]) =>
    withFiles(files, async (folder) => offered(words, `cd '${folder}'; incidentctl() { node '${program}' "$@"; }`));

  test.each<readonly [words: readonly string[], completions: readonly string[]]>([
    [["plan", "--target", ""], ["severities/critical"]],
    [["refs", ""], ["severities/critical"]],
    [["drift", "accept", "sev"], ["severities/critical"]],
    [
      ["plan", "--env", ""],
      ["staging", "production"],
    ],
    [["plan", "-e", "st"], ["staging"]],
    [["explain", "--origin", "x"], []],
  ])("%j, and a name that a shell would expand is left out", async (words, completions) => {
    expect(await offeredThere(words)).toEqual(completions);
  });
});

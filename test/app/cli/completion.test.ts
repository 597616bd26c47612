import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/app/cli/command-line.ts";
import { COMMANDS } from "../../../src/app/cli/commands.ts";
import { PLANS } from "../../../src/app/console/formats.ts";
import type { Io } from "../../../src/core/io.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { withFiles } from "../../support/files.ts";

interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

const typed = (...args: readonly string[]): Promise<Ended> => typedIn(import.meta.dirname, ...args);

async function typedIn(cwd: string, ...args: readonly string[]): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    stdout: { write: (text) => void out.push(text), terminal: false },
    stderr: { write: (text) => void err.push(text), terminal: false },
    env: {},
    cwd,
    now: () => new Date(0),
    fetch: () => Promise.reject(new Error("nothing is asked")),
    interruption: () => new AbortController().signal,
  };
  const exit = await runCommandLine(args, io);
  return { exit, stdout: out.join(""), stderr: err.join("") };
}

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));

const shells = ["bash", "zsh", "fish"] as const;

/** The words that the program offers in place of the last one. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { exit, stdout, stderr } = await typed("__complete", ...words);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : (line.split("\t")[0] ?? [])));
}

/** The completions of bash in a folder. */
async function offeredInBash(folder: string, words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await typed("completion", "bash");
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const line = `COMP_WORDS=(incidentctl ${quoted}); COMP_CWORD=${words.length}; _incidentctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const start = `cd '${folder}'; incidentctl() { '${process.execPath}' '${program}' "$@"; }`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", [start, script, line].join("\n")], {
    encoding: "utf8",
    timeout: 10_000,
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

describe("completion", () => {
  test.each(shells)("for %s is a valid script that asks the program, if that shell is installed", async (shell) => {
    const { exit, stdout: script, stderr } = await typed("completion", shell);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(script).toContain("incidentctl __complete ");
    // From a file: fish reads no script from the socket that a process of Node has for its input.
    const checked = await withFiles({ script }, async (folder) =>
      spawnSync(shell, ["-n", join(folder, "script")], { encoding: "utf8", timeout: 10_000 }),
    );
    // Where the tests run there is bash; test/ecosystem/shells.test.ts types in the others.
    if (shell === "bash") expect(checked.error).toBeUndefined();
    if (checked.error === undefined) expect({ ...checked }).toMatchObject({ status: 0, stderr: "" });
  });

  test("offers every command and every flag of a command, with descriptions", async () => {
    const { stdout: commands } = await typed("__complete", "");
    expect(commands).toBe(COMMANDS.map(({ name, summary }) => `${name}\t${summary}\n`).join(""));
    const { stdout: flags } = await typed("__complete", "apply", "--");
    const { stdout: help } = await typed("apply", "--help");
    const names = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !flags.includes(`${name}\t`))).toEqual([]);
    expect(flags).toContain("--allow-delete\tapprove deletions, and cutting off other systems\n");
  });

  test("offers commands, flags, values and kinds where they are allowed", async () => {
    expect(await offered("va")).toEqual(["validate"]);
    expect(await offered("validate", "--fail")).toEqual(["--fail-on"]);
    expect(await offered("validate", "--fail-on", "w")).toEqual(["warning"]);
    expect(await offered("--quiet", "plan", "--format", "")).toEqual(PLANS.names);
    expect(await offered("schema", "sev")).toEqual(["severities"]);
    expect(await offered("schema", "dr")).toEqual(["drift"]);
    expect(await offered("schema", "")).toEqual(expect.arrayContaining(["severities", "routing_tests", "plan"]));
    expect(await offered("plan", "--kinds", "")).toEqual(kinds.map(({ name }) => name));
    expect(await offered("plan", "--kinds", "severities,statuse")).toEqual(["severities,statuses"]);
    expect(await offered("explain", "webhooks.s")).toEqual(["webhooks.subscribed_events", ":files"]);
    expect(await offered("drift", "acc")).toEqual(["accept", ":files"]);
    expect(await offered("drift", "accept", "--un")).toEqual(["--until"]);
    expect(await offered("emulator", "--workspace", "")).toEqual(["default", "bare"]);
    expect(await offered("completion", "")).toEqual([...shells]);
  });

  test("offers no flag of drift accept that it refuses, and all that its help lists", async () => {
    const flags = (await offered("drift", "accept", "--")).filter((flag) => flag !== "--help");
    const { stdout: help } = await typed("drift", "accept", "--help");
    const known = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = ""]) => name);
    expect(flags.toSorted()).toEqual(known.filter((name) => name !== "--help").toSorted());
    const required = ["drift", "accept", "severities/a", "--until", "2026-12-31", "--because", "x"];
    const { exit, stderr } = await typed(...required, "--target", "severities/a");
    expect({ exit, stderr }).toEqual({ exit: 64, stderr: "error: drift accept has no --target\n" });
    expect(flags).not.toContain("--target");
  });

  test("offers values after an equals sign, which is a separate word in bash", async () => {
    expect(await offered("plan", "--format=m")).toEqual(["--format=markdown"]);
    expect(await offered("plan", "--format", "=")).toEqual(PLANS.names);
    expect(await offered("plan", "--format", "=", "m")).toEqual(["markdown"]);
    expect(await offered("plan", "--kinds=severities,statuse")).toEqual(["--kinds=severities,statuses"]);
    expect(await offered("emulator", "--seed=")).toEqual([":files"]);
  });

  test("offers files only where one is allowed", async () => {
    const withFile = await Promise.all(
      COMMANDS.map(async ({ name }) => ((await offered(name, "")).includes(":files") ? [name] : [])),
    );
    const names = COMMANDS.map(({ name }) => name);
    const without = names.filter((name) => !withFile.flat().includes(name));
    const advice = "a command without arguments that are files stands in this list";
    expect(without, advice).toEqual([
      ...["get", "rotate", "lsp", "schema", "emulator", "ci", "conformance", "completion", "version"],
    ]);
    expect(await offered("")).not.toContain(":files");
    expect(await offered("plan", "--out", "")).toEqual([":files"]);
    expect(await offered("plan", "apply", "x")).toEqual([":files"]);
    expect(await offered("plan", "--emulator", "x")).toEqual([":files"]);
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
    [["plan", "--format", "=", "m"], ["markdown"]],
  ])("%j in bash, and a name that a shell would expand is left out", async (words, completions) => {
    expect(await withFiles(files, (folder) => offeredInBash(folder, words))).toEqual(completions);
  });

  test.each<readonly [listing: string, text: string]>([
    ["addresses", "severities/critical\n"],
    ["environments", "staging\nproduction\n"],
  ])("is listed by completion %s", async (listing, text) => {
    expect(await withFiles(files, (folder) => typedIn(folder, "completion", listing))).toMatchObject({ stdout: text });
  });
});

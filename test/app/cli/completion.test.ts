import { spawnSync } from "node:child_process";
import { join } from "node:path";
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

const shells = ["bash", "zsh", "fish"] as const;

/** The words that the program offers in place of the last one. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { exit, stdout, stderr } = await typed("__complete", ...words);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : (line.split("\t")[0] ?? [])));
}

/** A line that is typed in bash: its words as bash splits them, with their quotes, and the part of the last one that bash replaces. */
interface Line {
  readonly words: readonly string[];
  /** Default: the words with spaces between them. */
  readonly text?: string;
  /** Default: the last word. */
  readonly replaced?: string;
  /** The last word as the program receives it. Default: the last word. */
  readonly asked?: string;
}

/** What bash writes in place of the last word, in a folder. The program answers in this process, which is quicker. */
async function offeredInBash(folder: string, line: Line): Promise<readonly string[]> {
  const { words, text = words.join(" "), replaced = words.at(-1) ?? "", asked = words.at(-1) ?? "" } = line;
  const whole = [
    ...text
      .slice(0, text.length - asked.length)
      .split(" ")
      .filter(Boolean),
    asked,
  ];
  const { stdout: script } = await typed("completion", "bash");
  const { stdout: answer } = await typedIn(folder, "__complete", ...whole);
  const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const commands = [
    `incidentctl() { if [ "$*" = ${quoted(["__complete", ...whole].join(" "))} ]; then printf '%s' ${quoted(answer)}; fi; }`,
    script,
    `COMP_LINE=${quoted(`incidentctl ${text}`)}; COMP_POINT=\${#COMP_LINE}`,
    `COMP_WORDS=(incidentctl ${words.map(quoted).join(" ")}); COMP_CWORD=${words.length}`,
    `_incidentctl incidentctl ${quoted(replaced)}; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", commands.join("\n")], { encoding: "utf8" });
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
    expect({ exit, stderr }).toEqual({
      exit: 64,
      stderr: expect.stringMatching(/^error: drift accept has no --target\n +for example: incidentctl drift accept /),
    });
    expect(flags).not.toContain("--target");
  });

  test("offers values after an equals sign", async () => {
    expect(await offered("plan", "--format=m")).toEqual(["--format=markdown"]);
    expect(await offered("plan", "--format=")).toEqual(PLANS.names.map((name) => `--format=${name}`));
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
    "config/a.yaml": `severities:
  - { slug: critical, name: Critical, default: true }
webhooks:
  - { name: deploy bot, url: "https://a.example.com/1" }
  - { name: "Pay: EU", url: "https://a.example.com/2" }
  - { name: "it's $(touch made)", url: "https://a.example.com/3" }
`,
  };

  test.each<readonly [line: Line, completions: readonly string[]]>([
    [{ words: ["plan", "--target", "sev"] }, ["severities/critical"]],
    [
      { words: ["refs", ""] },
      [
        "severities/critical",
        String.raw`webhooks/deploy\ bot`,
        String.raw`webhooks/Pay:\ EU`,
        String.raw`webhooks/it\'s\ \$\(touch\ made\)`,
      ],
    ],
    [{ words: ["drift", "accept", "sev"] }, ["severities/critical"]],
    [{ words: ["plan", "--env", ""] }, ["staging", "production"]],
    [{ words: ["plan", "-e", "st"] }, ["staging"]],
    [{ words: ["explain", "--origin", "x"] }, []],
    // bash splits words at an equals sign and at a colon outside quotes.
    [{ words: ["plan", "--format", "=", "m"], text: "plan --format=m", asked: "--format=m" }, ["markdown"]],
    [{ words: ["plan", "--format", "="], text: "plan --format=", replaced: "", asked: "--format=" }, PLANS.names],
    [{ words: ["get", String.raw`webhooks/deploy\ b`] }, [String.raw`webhooks/deploy\ bot`]],
    [{ words: ["get", '"webhooks/deploy b'], replaced: "webhooks/deploy b" }, ["webhooks/deploy bot"]],
    [{ words: ["get", "'webhooks/deploy b"], replaced: "webhooks/deploy b" }, ["webhooks/deploy bot"]],
    [
      {
        words: ["get", "webhooks/Pay", ":", String.raw`\ E`],
        text: String.raw`get webhooks/Pay:\ E`,
        asked: String.raw`webhooks/Pay:\ E`,
      },
      [String.raw`\ EU`],
    ],
    [{ words: ["get", '"webhooks/it'], replaced: "webhooks/it" }, [String.raw`webhooks/it's \$(touch made)`]],
    [{ words: ["get", "'webhooks/it"], replaced: "webhooks/it" }, [String.raw`webhooks/it'\''s $(touch made)`]],
    [
      {
        words: ["plan", "--target", "=", '"webhooks/dep'],
        text: 'plan --target="webhooks/dep',
        replaced: "webhooks/dep",
        asked: '--target="webhooks/dep',
      },
      ["webhooks/deploy bot"],
    ],
  ])("%j in bash, quoted so that the shell reads the name again", async (line, completions) => {
    expect(await withFiles(files, (folder) => offeredInBash(folder, line))).toEqual(completions);
  });

  test.each<readonly [listing: string, text: string]>([
    ["addresses", "severities/critical\nwebhooks/deploy bot\nwebhooks/Pay: EU\nwebhooks/it's $(touch made)\n"],
    ["environments", "staging\nproduction\n"],
  ])("is listed by completion %s", async (listing, text) => {
    expect(await withFiles(files, (folder) => typedIn(folder, "completion", listing))).toMatchObject({ stdout: text });
  });
});

import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { starterFiles } from "../../../src/app/init/starter-files.ts";
import { openSink, type SinkOptions } from "../../../src/app/saved-plan/secret-values.ts";
import { Secret } from "../../../src/run/exchange/secret.ts";
import { UnusableSink } from "../../../src/run/tokens/sink.ts";

const token = "ff_0123456789abc%def";
const issued = { address: "agents/responder", prefix: "ff_012345678", token: new Secret(token) };
const base64 = Buffer.from(token).toString("base64");

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("without an option there is no sink, and two exclude each other", () => {
  expect(openSink({}, world({}), deaf)).toBeUndefined();
  expect(() => openSink({ secretsOut: "a", secretsExec: "b" }, world({}), deaf)).toThrow("exclude each other");
});

test("a token is masked before it is stored, and nothing is printed about it", async () => {
  const { said, concealed } = await keep({ secretsOut: "tokens" }, {});
  expect(JSON.parse(await readFile(join(folder, "tokens"), "utf8"))).toEqual({ ...issued, token });
  expect(concealed).toEqual([token]);
  expect(said).toBe("");
});

test("a GitHub runner gets commands to mask it and its base64, at the start of lines", async () => {
  const { said } = await keep({ secretsOut: "tokens" }, { GITHUB_ACTIONS: "true" });
  const masked = said.split("\n").map((line) => /^::add-mask::(.+)$/.exec(line)?.[1] ?? line);
  expect(masked.map(decodeURIComponent)).toEqual([token, base64, ""]);
  const onTerminal = await keep({ secretsOut: "tokens" }, { GITHUB_ACTIONS: "true" }, true);
  expect(onTerminal.said).toBe(`\n${said}`);
});

test("a check prints nothing", async () => {
  const io = world({ GITHUB_ACTIONS: "true" });
  await openSink({ secretsOut: "tokens" }, io, deaf)?.probe();
  expect(io.said()).toBe("");
});

describe("a check of a file in a git repository", () => {
  const warningsOf = async (file: string): Promise<readonly string[]> => {
    const lines: string[] = [];
    const sink = openSink({ secretsOut: file }, world({}), { ...deaf, alert: (line) => lines.push(line) });
    // A run checks twice: before it asks, and before it writes.
    await sink?.probe();
    await sink?.probe();
    return lines;
  };
  const git = (...args: string[]) => expect(spawnSync("git", args, { cwd: folder }).status).toBe(0);

  test("warns once, with the line to add, which git then understands", async () => {
    git("init");
    await mkdir(join(folder, "out"));
    for (const file of ["tokens", "out/new [1] *?.jsonl"]) {
      const [warning = "", ...more] = await warningsOf(file);
      expect([warning, more]).toEqual([expect.stringContaining("git does not ignore it"), []]);
      const line = warning.split(".gitignore: ")[1] ?? "";
      await writeFile(join(folder, ".gitignore"), `${line}\n`);
      expect(await warningsOf(file), line).toEqual([]);
    }
  });

  test("warns of a file that was committed, although it is ignored now", async () => {
    git("init");
    await writeFile(join(folder, "tokens"), "", { mode: 0o600 });
    git("add", "tokens");
    await writeFile(join(folder, ".gitignore"), "tokens\n");
    expect(await warningsOf("tokens")).toHaveLength(1);
  });

  test("is silent outside a repository", async () => {
    expect(await warningsOf("tokens")).toEqual([]);
  });

  test("is silent about the file that the pages name, in a new repository", async () => {
    git("init");
    for (const { file, text } of starterFiles(undefined)) await writeFile(join(folder, file), text);
    expect(await warningsOf("tokens.jsonl")).toEqual([]);
  });
});

test("the error output of a command is printed without the token, in any form", async () => {
  const program = join(folder, "store");
  await writeFile(program, "#!/bin/sh\ncat | base64 -w0 >&2\nexit 1\n");
  await chmod(program, 0o755);
  const error: unknown = await keep({ secretsExec: program }, {}).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnusableSink);
  expect(String(error)).toContain("(secret)");
  expect(String(error)).not.toContain(base64.slice(4, -4));
});

const deaf = { conceal: () => {}, alert: () => {} };

function world(env: Record<string, string>, terminal = false) {
  let text = "";
  const output = {
    terminal,
    write: (piece: string) => {
      text += piece;
    },
  };
  return {
    stdout: output,
    stderr: output,
    env: { PATH: process.env.PATH, ...env },
    cwd: folder,
    now: () => new Date(0),
    fetch: () => Promise.reject(new Error("nothing is sent")),
    interruption: () => new AbortController().signal,
    said: () => text,
  };
}

async function keep(options: SinkOptions, env: Record<string, string>, terminal = false) {
  const io = world(env, terminal);
  const concealed: (string | undefined)[] = [];
  await openSink(options, io, { ...deaf, conceal: (values) => concealed.push(...values) })?.store(issued);
  return { said: io.said(), concealed };
}

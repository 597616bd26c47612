import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Io } from "../../../src/core/io.ts";
import { command } from "../../bad-input/run.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
const strong = {
  INCIDENTCTL_EMULATOR_TOKEN: "service-0123456789abcdefghijklmnopqrstuv",
  INCIDENTCTL_EMULATOR_ADMIN_TOKEN: "admin-0123456789abcdefghijklmnopqrstuv",
  INCIDENTCTL_EMULATOR_CONTROL_KEY: "control-0123456789abcdefghijklmnopqrstuv",
};

let folder: string;
let children: ChildProcessByStdio<null, Readable, Readable>[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-serve-"));
  children = [];
});
afterEach(async () => {
  for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): (typeof children)[number] {
  const child = spawn(process.execPath, [program, "emulator", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

/** Runs an emulator that ends by itself. */
async function end(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<[number, string]> {
  const child = start(args, env);
  const [stderr, [exit]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return [exit, stderr];
}

/** Runs a command line that is refused before anything is served, in this process. */
async function refused(args: readonly string[], env: Io["env"] = {}): Promise<[number, string]> {
  const none = { INCIDENTCTL_URL: undefined, INCIDENTCTL_TOKEN: undefined };
  const { exit, stderr } = await command(["emulator", ...args], folder, undefined, { ...none, ...env });
  return [exit, stderr];
}

/** The content of a ready file, once it is there. */
async function ready(): Promise<Record<string, string>> {
  while (!existsSync(join(folder, "ready.json"))) await setTimeout(10);
  return JSON.parse(await readFile(join(folder, "ready.json"), "utf8"));
}

/** Starts an emulator, runs the function with its ready file, and stops it. Returns its standard error. */
async function serving(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  run: (state: Record<string, string>) => Promise<void>,
): Promise<string> {
  const child = start([...args, "--ready-file", "ready.json"], env);
  const stderr = text(child.stderr);
  await run(await ready());
  child.kill("SIGTERM");
  await once(child, "exit");
  return stderr;
}

async function status(url: string | undefined, token: string | undefined, path = "/api/v1/api_keys"): Promise<number> {
  return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe("--ready-file", () => {
  test("holds address and tokens while the emulator listens, for its owner alone, and is removed at the end", async () => {
    await serving(["--control"], {}, async (state) => {
      expect((await stat(join(folder, "ready.json"))).mode & 0o777).toBe(0o600);
      expect(await readdir(folder)).toEqual(["ready.json"]);
      expect(state.pid).toBe(children[0]?.pid);
      expect(await status(state.url, state.admin_token)).toBe(200);
      expect(await status(state.url, state.token, "/api/v1/severities")).toBe(200);
      expect(await status(state.url, state.control_key, "/control/clock")).toBe(200);
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("stays if another emulator has written it since", async () => {
    const other = { url: "http://127.0.0.1:1" };
    await serving([], {}, async () => writeFile(join(folder, "ready.json"), JSON.stringify(other)));
    expect(await ready()).toEqual(other);
  });

  test("in a folder that does not exist is an error before anything listens", async () => {
    const [exit, stderr] = await refused(["--ready-file", "nowhere/ready.json"]);
    expect(exit).toBe(1);
    expect(stderr).toContain('cannot create the ready file "nowhere/ready.json": the folder');
  });

  test("that cannot be written ends the emulator", async () => {
    const [exit, stderr] = await end(["--ready-file", "."]);
    expect(exit).toBe(1);
    expect(stderr).toContain("cannot write .");
  });
});

describe("fixed tokens", () => {
  test("from the environment work at every start, and those of a start without them end", async () => {
    for (const _ of [1, 2]) {
      await serving(["--control", "--file", "kept.db"], strong, async ({ url, admin_token, token, control_key }) => {
        expect([token, admin_token, control_key]).toEqual(Object.values(strong));
        expect(await status(url, strong.INCIDENTCTL_EMULATOR_ADMIN_TOKEN)).toBe(200);
        expect(await status(url, strong.INCIDENTCTL_EMULATOR_CONTROL_KEY, "/control/clock")).toBe(200);
      });
    }
    await serving(["--file", "kept.db"], {}, async ({ url, admin_token }) => {
      expect(await status(url, strong.INCIDENTCTL_EMULATOR_ADMIN_TOKEN)).toBe(401);
      expect(await status(url, admin_token)).toBe(200);
    });
  });

  test("from a file are created once, for its owner alone, and a shell can read them", async () => {
    const states: Record<string, string>[] = [];
    for (const _ of [1, 2]) {
      await serving(["--control", "--file", "kept.db", "--tokens-file", "tokens.env"], {}, async (state) => {
        states.push(state);
        expect(await status(state.url, state.admin_token)).toBe(200);
      });
    }
    const [first, second] = states.map(({ token, admin_token, control_key }) => [token, admin_token, control_key]);
    expect(second).toEqual(first);
    expect((await stat(join(folder, "tokens.env"))).mode & 0o777).toBe(0o600);
    const shell = spawn("sh", ["-c", '. ./tokens.env; env | grep "^INCIDENTCTL_"'], { cwd: folder });
    const lines = (await text(shell.stdout)).trim().split("\n");
    expect(lines.map((line) => line.replace(/^\w+=/, "")).sort()).toEqual([...(first ?? [])].sort());
  });

  test("of a variable take precedence over those of a file, which may have only some", async () => {
    await writeFile(join(folder, "tokens.env"), `# ours\n\nINCIDENTCTL_TOKEN=one\nINCIDENTCTL_ADMIN_TOKEN=two\n`);
    const env = { INCIDENTCTL_EMULATOR_TOKEN: "three" };
    await serving(["--control", "--tokens-file", "tokens.env"], env, async ({ token, admin_token, control_key }) => {
      expect([token, admin_token]).toEqual(["three", "two"]);
      expect(control_key).toMatch(/^ctl_/);
    });
  });

  test.each([
    ["export INCIDENTCTL_TOKEN=one\nINCIDENTCTL_URL=http://x\n", "tokens.env:2: expected INCIDENTCTL_TOKEN=…"],
    ["INCIDENTCTL_TOKEN=\n", "tokens.env:1 must be one word"],
    ["INCIDENTCTL_TOKEN='one two'\n", "tokens.env:1 must be one word"],
    ["INCIDENTCTL_TOKEN=same\nINCIDENTCTL_ADMIN_TOKEN=same\n", "tokens.env:1 and tokens.env:2 hold the same token"],
  ])("of the file %j are refused, with the line", async (content, message) => {
    await writeFile(join(folder, "tokens.env"), content);
    const [exit, stderr] = await refused(["--tokens-file", "tokens.env"]);
    expect(exit).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/one two|same\b(?! token)/);
  });

  test.each(["short", "a".repeat(64), "0123456789abcdef0123456789abcde"])(
    "that somebody could guess, such as %s, are refused off loopback only",
    async (token) => {
      const env = { ...strong, INCIDENTCTL_EMULATOR_ADMIN_TOKEN: token };
      const [exit, stderr] = await refused(["--host", "0.0.0.0"], env);
      expect(exit).toBe(1);
      expect(stderr).toContain("INCIDENTCTL_EMULATOR_ADMIN_TOKEN is too weak for an address that others can reach");
      expect(stderr).not.toContain(token);
      await serving([], env, async ({ url }) => expect(await status(url, token)).toBe(200));
    },
  );

  test("that are strong are served off loopback", async () => {
    const stderr = await serving(["--host", "0.0.0.0"], strong, async ({ url, admin_token }) => {
      expect(await status(url, admin_token)).toBe(200);
    });
    expect(stderr).toContain("warning: every machine that can reach this address reaches the service");
  });
});

describe("--allow-origin and --allow-host", () => {
  test("warn what they open", async () => {
    const flags = ["--allow-origin", "http://localhost:5173", "--allow-host", "emulator", "--allow-host", "other:80"];
    const stderr = await serving(flags, {}, async ({ url, admin_token }) => {
      const headers = { authorization: `Bearer ${admin_token}`, origin: "http://localhost:5173" };
      expect((await fetch(`${url}/api/v1/severities`, { headers })).status).toBe(200);
    });
    expect(stderr.split("\n").filter((line) => line.startsWith("warning: "))).toEqual([
      "warning: requests for the host emulator are accepted: whoever controls the name can let web pages reach the service",
      "warning: requests for the host other:80 are accepted: whoever controls the name can let web pages reach the service",
      "warning: web pages of http://localhost:5173 can use the service with a token that they have",
    ]);
  });

  test.each([
    ["--allow-origin", "*"],
    ["--allow-origin", "http://localhost:5173/"],
    ["--allow-host", "http://emulator"],
    ["--allow-host", "*"],
  ])("%s %s is a usage error", async (flag, value) => {
    const [exit, stderr] = await refused([flag, value]);
    expect(exit).toBe(64);
    expect(stderr).toContain(`${flag} takes `);
  });
});

test("a seed for a file that has a workspace is reported, and changes nothing", async () => {
  await writeFile(
    join(folder, "two.yaml"),
    "version: 1\nincidents: [{ name: A, severity: minor }, { name: B, severity: minor }]\n",
  );
  for (const [flags, total, warning] of [
    [["--seed"], 6, ""],
    [["--seed=two.yaml"], 6, 'warning: "kept.db" has a workspace already, which --seed did not change'],
    [[], 6, ""],
  ] as const) {
    const stderr = await serving([...flags, "--file", "kept.db"], {}, async ({ url, token }) => {
      const response = await fetch(`${url}/api/v1/incidents`, { headers: { authorization: `Bearer ${token}` } });
      expect(await response.json()).toMatchObject({ pagination: { total } });
    });
    expect(stderr.includes("has a workspace already")).toBe(warning !== "");
    expect(stderr).toContain(warning);
  }
});

describe("emulator export", () => {
  test("of a running emulator and of its database writes a seed that another one starts with", async () => {
    await serving(["--control", "--seed", "--file", "workspace.db"], {}, async (state) => {
      const env = {
        INCIDENTCTL_URL: state.url ?? "",
        INCIDENTCTL_TOKEN: state.token ?? "",
        INCIDENTCTL_ADMIN_TOKEN: state.admin_token ?? "",
        INCIDENTCTL_CONTROL_KEY: state.control_key ?? "",
      };
      expect(await end(["export", "--out", "running.yaml"], env)).toEqual([0, ""]);
      expect(await end(["export", "workspace.db"])).toEqual([1, expect.stringContaining("is in use by process")]);
      const { INCIDENTCTL_CONTROL_KEY: _key, ...without } = env;
      expect(await end(["export"], without)).toEqual([6, expect.stringContaining("set INCIDENTCTL_CONTROL_KEY")]);
      const wrong = { ...env, INCIDENTCTL_CONTROL_KEY: "ctl_wrong" };
      expect(await end(["export"], wrong)).toEqual([
        6,
        expect.stringContaining("does not accept INCIDENTCTL_CONTROL_KEY"),
      ]);
    });
    expect(await end(["export", "workspace.db", "-o", "stored.yaml"])).toEqual([0, ""]);
    const seed = await readFile(join(folder, "running.yaml"), "utf8");
    expect(await readFile(join(folder, "stored.yaml"), "utf8")).toBe(seed);
    expect(seed).toContain("name: Checkout fails for European customers");
    await serving(["--seed=running.yaml", "--file", "copy.db"], {}, async ({ url, token }) => {
      const headers = { authorization: `Bearer ${token}` };
      const response: unknown = await (await fetch(`${url}/api/v1/incidents`, { headers })).json();
      expect(response).toMatchObject({ pagination: { total: 6 } });
    });
  });

  test.each([
    [["export", "none.db"], 1, 'there is no database "none.db"'],
    [["export"], 1, "name a database, or set INCIDENTCTL_URL"],
    [["export", "--port", "1"], 64, "emulator export has no --port"],
    [["--seed=none.yaml"], 1, "none.yaml:1:1"],
    [["--seed", "none.yaml"], 1, "none.yaml:1:1"],
    [["--seed=none.yaml", "--workspace", "bare"], 64, "--workspace has no effect with --seed=FILE"],
  ])("%j ends with an error", async (args, exit, message) => {
    expect(await refused(args)).toEqual([exit, expect.stringContaining(message)]);
  });
});

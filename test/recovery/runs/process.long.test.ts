/** The built program against a served emulator: interrupted, locked out, and with nobody who reads what it says. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";
import { SEVERITIES } from "./interrupted.ts";

const program = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
const files = {
  "severities.yaml": SEVERITIES,
  "webhooks.yaml": `webhooks:
  - { name: pager, url: https://pager.example.com/hook, subscribed_events: [incident.created] }
  - { name: board, url: https://board.example.com/hook, subscribed_events: [incident.created] }
`,
};

// Each test starts the program several times, and the machine may have other things to do.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let emulator: Emulator;
let served: EmulatorServer;
/** What happens to the nth write; the others get through. */
let trouble: ((request: Request, carryOut: () => Promise<Response>) => Promise<Response>) | undefined;
let troubleAt: number;
let writes: number;
/** Called with the first read after a write, which gets no response. */
let held: (() => void) | undefined;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "incidentctl-interruption-"));
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  emulator = createEmulator();
  [trouble, troubleAt, writes, held] = [undefined, 0, 0, undefined];
  const fetch = (request: Request): Promise<Response> => {
    if (request.method === "GET" && writes > 0 && held !== undefined) {
      held();
      return new Promise(() => {});
    }
    const isTrouble = request.method !== "GET" && ++writes === troubleAt && trouble !== undefined;
    return isTrouble && trouble !== undefined
      ? trouble(request, () => emulator.fetch(request))
      : emulator.fetch(request);
  };
  served = await serve({ ...emulator, fetch });
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  await served.close();
  await emulator.close();
  await rm(folder, { recursive: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly exit: number | null; readonly stdout: string; readonly stderr: string }>;
}

function run(...args: readonly string[]): Running {
  return start([program, ...args]);
}

function start(args: readonly string[]): Running {
  const env = {
    PATH: process.env.PATH ?? "",
    INCIDENTCTL_URL: served.url,
    INCIDENTCTL_TOKEN: emulator.serviceToken,
    INCIDENTCTL_ADMIN_TOKEN: emulator.adminToken,
  };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const told = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    told.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    told.stderr += text;
  });
  const ended = once(child, "close").then(([exit]) => ({ exit: typeof exit === "number" ? exit : null, ...told }));
  return { child, ended };
}

/** Resolves with what lets the nth write go on, once it has come; `commit` carries it out before. */
function arrival(nth: number, commit: boolean): Promise<() => void> {
  troubleAt = nth;
  return new Promise((arrived) => {
    trouble = async (_request, carryOut) => {
      const answer = commit ? await carryOut() : undefined;
      await new Promise<void>((goOn) => arrived(goOn));
      return answer ?? carryOut();
    };
  });
}

/** Resolves when the program has said something on standard error. */
function told(child: ChildProcess, what: string): Promise<void> {
  let text = "";
  return new Promise((resolve) => {
    child.stderr?.on("data", (piece: string) => {
      text += piece;
      if (text.includes(what)) resolve();
    });
  });
}

async function names(kind: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${emulator.adminToken}` };
  const answer = await emulator.fetch(new Request(`${served.url}/api/v1/${kind}`, { headers }));
  const body: Record<string, { name: string }[]> = JSON.parse(await answer.text());
  return (body[kind] ?? []).map(({ name }) => name).sort();
}

async function expectWhole(): Promise<void> {
  expect(await names("severities")).toEqual(["Bad", "Small", "Worst"]);
  expect(await names("webhooks")).toEqual(["board", "pager"]);
}

async function journals(): Promise<readonly string[]> {
  const found = await readdir(join(folder, ".incidentctl", "journals"));
  return found.map((name) => name.replace(/^(\d+)\.[0-9a-f]{8}/, "$1").replace(/^.*\.running$/, "claim"));
}

describe("an interrupted run", () => {
  test("finishes its requests, starts no others, and can be resumed", async () => {
    const arrived = arrival(2, true);
    const { child, ended } = run("apply", "--yes");
    const goOn = await arrived;
    const noticed = told(child, "interrupted: ");
    child.kill("SIGINT");
    await noticed;
    goOn();
    const { exit, stdout, stderr } = await ended;
    expect(exit).toBe(130);
    expect(writes).toBe(2);
    expect(stdout.slice(stdout.indexOf("Applied: "))).toMatch(
      /^Applied: 2 of 5 operations done, 3 skipped\.\n {2}skipped {2}3 operations: the run was interrupted\nJournal: \S+\nNext: to finish the run, run incidentctl resume\b.*\n$/,
    );
    expect(stderr.match(/^\[\d/gm)).toHaveLength(2);
    expect(await journals()).toEqual(["0001.journal"]);
    expect((await run("resume").ended).exit).toBe(0);
    await expectWhole();
  });

  test("ends at once after a second interrupt, with a readable journal", async () => {
    const arrived = arrival(4, true);
    const { child, ended } = run("apply", "--yes");
    await arrived;
    child.kill("SIGTERM");
    child.kill("SIGHUP");
    const { exit, stderr } = await ended;
    expect(exit).toBe(130);
    expect(stderr.slice(stderr.indexOf("Applied: "))).toMatch(
      /^Applied: 3 of 5 operations done, 1 unknown, 1 skipped\.\n {2}unknown .*\n {6}the run was interrupted before the response\n {2}skipped {2}1 operation: the run was interrupted\nJournal: \S+\nNext: to find out .* run incidentctl resume\b.*\n$/,
    );
    const again = await run("apply", "--yes").ended;
    expect(again.exit, again.stderr).toBe(0);
    await expectWhole();
  });

  test("knows that a write whose resource it was still checking was not carried out", async () => {
    const checking = new Promise<void>((resolve) => {
      held = resolve;
    });
    const { child, ended } = run("apply", "--yes");
    await checking;
    child.kill("SIGTERM");
    child.kill("SIGHUP");
    const { exit, stderr } = await ended;
    expect(exit).toBe(130);
    expect(stderr.slice(stderr.indexOf("Applied: "))).toMatch(
      /^Applied: 1 of 5 operations done, 4 skipped\.\n {2}skipped {2}4 operations: the run was interrupted\nJournal: \S+\nNext: to finish the run, run incidentctl resume\b.*\n$/,
    );
    held = undefined;
    expect((await run("resume").ended).exit).toBe(0);
    await expectWhole();
  });
});

test("a write that the login page of a proxy answers is reported within ten seconds, before it is sent again", async () => {
  // The first creation; a change is resolved by one read.
  troubleAt = 4;
  const answered = new Promise<void>((resolve) => {
    trouble = async () => {
      resolve();
      return new Response(null, { status: 302, headers: { location: "https://login.example.com/" } });
    };
  });
  const { child, ended } = run("apply", "--yes");
  const reported = told(child, "returned 302: a redirect, which is never followed; reading the workspace for up to");
  await answered;
  const begun = Date.now();
  await reported;
  expect(Date.now() - begun).toBeLessThan(10_000);
  expect(writes).toBe(4);
  child.kill("SIGINT");
  expect((await ended).exit).toBe(130);
  expect(writes).toBe(4);
});

test("blocks a second run, whose error names the first", async () => {
  const arrived = arrival(1, false);
  const first = run("apply", "--yes");
  const goOn = await arrived;
  const second = await run("apply", "--yes").ended;
  expect(second.exit).toBe(1);
  expect(second.stderr).toContain(`another run is in progress: process ${first.child.pid} on `);
  expect(writes).toBe(1);
  for (const command of ["plan", "drift"]) {
    expect((await run(command).ended).stderr).toContain(`an apply is in progress (process ${first.child.pid} on `);
  }
  goOn();
  expect((await first.ended).exit).toBe(0);
  await expectWhole();
});

test("an internal error ends a run with one line without values, and the run can be resumed", async () => {
  const fault = 'process.on("SIGUSR2", () => { throw new RangeError("canary") })';
  const arrived = arrival(4, true);
  const { child, ended } = start(["--import", `data:text/javascript,${fault}`, program, "apply", "--yes"]);
  await arrived;
  child.kill("SIGUSR2");
  const { exit, stderr } = await ended;
  expect(exit).toBe(1);
  expect(stderr).toMatch(
    /^error: unexpected RangeError in incidentctl. If it was applying a plan, run resume with the same flags$/m,
  );
  expect(stderr).not.toMatch(/canary| at /);
  expect((await run("resume").ended).exit).toBe(0);
  await expectWhole();
});

test("a run continues to its end after its output is closed", async () => {
  const { child, ended } = run("apply", "--yes");
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect((await ended).exit).toBe(0);
  await expectWhole();
  expect(await journals()).toEqual(["0001.journal"]);
});

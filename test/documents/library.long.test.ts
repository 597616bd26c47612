/** The program of docs/library.md, as somebody who has installed the package: compiled against its types, run, and its output compared. */

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  apply,
  BlockedPlan,
  connect,
  createEmulator,
  type Emulator,
  load,
  plan,
  serve,
  type TokenSink,
} from "../../src/index.ts";
import { withFiles } from "../support/files.ts";
import { isBlock, partsOf } from "./page.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const blocks = partsOf(readFileSync(join(root, "docs/library.md"), "utf8")).filter(isBlock);
const shown = (language: string) => blocks.find((block) => block.language === language)?.text ?? "";
const run = promisify(execFile);

const OPTIONS = {
  target: "es2023",
  module: "nodenext",
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
};

let emulator: Emulator;
let served: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  emulator = createEmulator();
  served = await serve(emulator);
});
afterEach(async () => {
  await served.close();
  await emulator.close();
});

/** Compiles the program in a folder of its own that has the package installed, runs it, and gives what it printed. */
function played(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const project = {
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify({ compilerOptions: OPTIONS, files: ["program.ts"] }),
    "program.ts": shown("ts"),
  };
  return withFiles({ ...project, ...files }, async (folder) => {
    mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
    symlinkSync(root, join(folder, "node_modules", "incidentctl"), "dir");
    symlinkSync(join(root, "node_modules", "@types", "node"), join(folder, "node_modules", "@types", "node"), "dir");
    const options = { cwd: folder, timeout: 100_000 };
    const compiler = join(root, "node_modules", "typescript-native", "bin", "tsc");
    await run(process.execPath, [compiler, "-p", "."], options).catch(({ stdout, message }) =>
      expect(stdout || message, "the program compiles").toBe(""),
    );
    const env = { ...process.env, INCIDENTCTL_URL: served.url, INCIDENTCTL_TOKEN: emulator.serviceToken };
    return run(process.execPath, ["program.js"], { ...options, env });
  });
}

describe("the program on the page about the library", () => {
  test("compiles with the types of the package, and prints the output on the page", async () => {
    expect(existsSync(join(root, "dist", "index.d.ts")), "npm run build comes first").toBe(true);
    const severities =
      "severities:\n  - { slug: critical, name: Outage }\n  - { slug: major, name: Major, default: true }\n";
    const { stdout, stderr } = await played({ "config/severities.yaml": severities });
    expect(stderr).toBe("");
    expect(stdout).toBe(shown("text"));
  }, 120_000);
});

test("a plan without a required approval is not applied, and nothing is sent", async () => {
  const methods: string[] = [];
  const service = connect({
    baseUrl: "http://127.0.0.1:1",
    token: emulator.serviceToken,
    fetch: (url, init) => {
      methods.push(init.method);
      return emulator.fetch(new Request(url, init));
    },
  });
  await withFiles({ "a.yaml": "severities:\n  - { slug: minor, name: Minor }\n" }, async (folder) => {
    const made = await plan(await load([folder]), service);
    expect(made.blocked.map(({ flag }) => flag)).toContain("--allow-delete");
    const before = methods.length;
    await expect(apply(made, service).next()).rejects.toThrow(BlockedPlan);
    expect(methods.slice(before)).toEqual([]);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  });
});

test("a plan that creates a token is not applied without a sink, and is with one", async () => {
  const service = connect({
    baseUrl: "http://127.0.0.1:1",
    token: emulator.serviceToken,
    adminToken: emulator.adminToken,
    fetch: (url, init) => emulator.fetch(new Request(url, init)),
  });
  const approvals = { allowDelete: true, maxRemovals: { entries: 100 } };
  const issued: string[] = [];
  const sink: TokenSink = {
    probe: () => Promise.resolve(),
    store: ({ address }) => Promise.resolve(void issued.push(address)),
  };
  await withFiles(
    { "a.yaml": "api_keys:\n  - { name: bot, permissions: { incidents: [read] } }\n" },
    async (folder) => {
      const configuration = await load([folder]);
      const made = await plan(configuration, service, { approvals });
      expect(made.blocked.map(({ code }) => code)).toEqual(["TOKEN_SINK"]);
      expect((await plan(configuration, service, { approvals: { ...approvals, tokenSink: true } })).blocked).toEqual(
        [],
      );
      await expect(apply(made, service).next()).rejects.toThrow(BlockedPlan);
      for await (const _event of apply(made, service, { sink })) void _event;
      expect(issued).toEqual(["api_keys/bot"]);
    },
  );
});

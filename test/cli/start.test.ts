/** What the built program loads to do something: a start costs what is loaded, on every machine and however busy it is. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/emulator.ts";
import { type Served, serve } from "../../src/emulator/serve.ts";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const examples = fileURLToPath(new URL("../../examples", import.meta.url));

/** Writes the address of every file that is loaded into the file that LOADED names. */
const HOOKS = `
  import { appendFileSync } from "node:fs";
  export const load = (url, context, next) => {
    if (url.startsWith("file:")) appendFileSync(process.env.LOADED, url + "\\n");
    return next(url, context);
  };
`;
/** What is loaded by require, which is all but the beginning, passes no hook: it is asked for at the end. */
const register = `
  import { appendFileSync } from "node:fs";
  import { createRequire, register } from "node:module";
  import { pathToFileURL } from "node:url";
  register(${JSON.stringify(data(HOOKS))});
  const { cache } = createRequire(${JSON.stringify(import.meta.url)});
  process.on("exit", () => {
    const isFetch = (name) => name.endsWith("internal/deps/undici/undici");
    if (process.moduleLoadList.some(isFetch)) appendFileSync(process.env.LOADED, "node:fetch\\n");
    for (const path of Object.keys(cache)) appendFileSync(process.env.LOADED, pathToFileURL(path) + "\\n");
  });
`;

interface Loaded {
  /** Relative to dist/. */
  readonly files: readonly string[];
  /** Whether Node's own `fetch` was, or one of its classes, which are `Request` and `Response` among others. */
  readonly fetch: boolean;
  /** Packages that the files hold, or that were loaded from where they are installed. */
  readonly packages: readonly string[];
}

let folder: string;
let emulator: Emulator;
let service: Served;

beforeAll(async () => {
  expect(existsSync(join(dist, "cli.cjs")), "npm run build comes first").toBe(true);
  folder = await mkdtemp(join(tmpdir(), "incidentctl-start-"));
  emulator = createEmulator();
  service = await serve(emulator);
});
afterAll(async () => {
  await service.close();
  await emulator.close();
  await rm(folder, { recursive: true });
});

function data(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

function loaded(...args: readonly string[]): Promise<Loaded> {
  return loadedUntil(0, args);
}

async function loadedUntil(exit: number, args: readonly string[]): Promise<Loaded> {
  const record = join(folder, "loaded");
  await rm(record, { force: true });
  const env = { PATH: process.env.PATH, LOADED: record, INCIDENTCTL_TOKEN: emulator.serviceToken };
  const run = promisify(execFile)(process.execPath, ["--import", data(register), join(dist, "cli.cjs"), ...args], {
    cwd: folder,
    env,
  });
  const code = await run.then(
    () => 0,
    (error: { readonly code?: unknown }) => error.code,
  );
  expect(code).toBe(exit);
  const urls = new Set((await readFile(record, "utf8")).trimEnd().split("\n"));
  const fetch = urls.delete("node:fetch");
  const paths = [...urls].map((url) => fileURLToPath(url));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  const installed = paths.map((path) => path.replaceAll("\\", "/"));
  const marks = [...texts.flatMap((text) => text.match(/^ *\/\/ node_modules\/.*$/gm) ?? []), ...installed];
  const packages = marks.flatMap((mark) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(mark)?.[1] ?? []);
  return {
    fetch,
    files: paths.map((path) => relative(dist, path).replaceAll("\\", "/")).filter((path) => !path.startsWith("..")),
    packages: [...new Set(packages)].sort(),
  };
}

describe("nothing is loaded but what is needed", () => {
  test.each([["--version"], ["--help"], ["plan", "--help"], ["help", "drift"]])(
    "%s %s reads the command line",
    async (...args) => {
      const files = ["cli.cjs", "cli/program.cjs"];
      expect(await loaded(...args)).toEqual({ fetch: false, files, packages: ["commander"] });
    },
  );

  test("validate reads files: no client, no planner, no emulator, no other way to read YAML", async () => {
    expect(await loaded("validate", examples)).toEqual({
      fetch: false,
      files: ["cli.cjs", "cli/program.cjs", "cli/command.cjs", "cli/files.cjs", "validators.cjs"],
      packages: ["commander", "js-yaml"],
    });
  });

  test("plan talks to a service, and shows nothing but text", async () => {
    const config = join(folder, "severities.yaml");
    await copyFile(join(examples, "severities.yaml"), config);
    const { files, packages } = await loaded("plan", config, "--url", service.url);
    expect(packages).toEqual(["commander", "diff", "js-yaml", "p-limit", "yocto-queue"]);
    expect(files).not.toContain("cli/report-plan-page.cjs");
    expect(files).not.toContain("plan-validator.cjs");
    expect(files.length).toBeLessThanOrEqual(7);
  });

  test("show reads a saved plan, which has a validator of its own", async () => {
    const config = join(folder, "severities.yaml");
    await copyFile(join(examples, "severities.yaml"), config);
    await loaded("plan", config, "--url", service.url, "--out", "plan.json");
    const { files } = await loaded("show", "plan.json");
    expect(files).toContain("plan-validator.cjs");
  });

  test("the emulator reads no configuration, and plans nothing", async () => {
    // A folder is no database: it ends when it is about to serve.
    const { fetch, files, packages } = await loadedUntil(1, ["emulator", "--file", folder]);
    expect(packages).toEqual(["commander", "hono", "node-sqlite3-wasm"]);
    expect(fetch).toBe(false);
    expect(files).not.toContain("cli/files.cjs");
    expect(files).not.toContain("validators.cjs");
    expect(files.length).toBeLessThanOrEqual(7);
  });

  test("plan on the embedded service opens no connection", async () => {
    const { fetch, files, packages } = await loaded("plan", examples, "--emulator");
    expect(fetch).toBe(false);
    expect(packages).toEqual(expect.arrayContaining(["hono", "node-sqlite3-wasm"]));
    expect(packages).not.toContain("undici");
    expect(files).not.toContain("cli/commands-emulator.cjs");
  });
});

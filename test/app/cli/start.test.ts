/** The files and packages that the built program loads: a start costs what it loads, on every machine and however busy it is. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator.ts";
import { type EmulatorServer, serve } from "../../../src/emulator/serve.ts";

const dist = fileURLToPath(new URL("../../../dist/", import.meta.url));
const shippedExamples = fileURLToPath(new URL("../../../examples", import.meta.url));

/** Appends the URL of every ES module that is loaded to the file that LOADED names. */
const HOOKS = `
  import { appendFileSync } from "node:fs";
  export const load = (url, context, next) => {
    if (url.startsWith("file:")) appendFileSync(process.env.LOADED, url + "\\n");
    return next(url, context);
  };
`;
/** Adds every CommonJS module when the process ends: these pass no hook. */
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
  /** Node's own `fetch` was loaded, or one of its classes such as `Request` and `Response`. */
  readonly fetch: boolean;
  /** Packages in the files of the bundle, and packages that were loaded from where they are installed. */
  readonly packages: readonly string[];
}

let folder: string;
/** A copy of the examples, beside which the embedded service keeps its database. */
let examples: string;
let emulator: Emulator;
let service: EmulatorServer;

beforeAll(async () => {
  expect(existsSync(join(dist, "cli.cjs")), "npm run build comes first").toBe(true);
  folder = await mkdtemp(join(tmpdir(), "incidentctl-start-"));
  examples = join(folder, "examples");
  await cp(shippedExamples, examples, { recursive: true, filter: (path) => !path.endsWith(".incidentctl") });
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

async function loadedUntil(exit: number, args: readonly string[], start = "cli.cjs"): Promise<Loaded> {
  const record = join(folder, "loaded");
  await rm(record, { force: true });
  const env = { PATH: process.env.PATH, LOADED: record, INCIDENTCTL_TOKEN: emulator.serviceToken };
  const run = promisify(execFile)(process.execPath, ["--import", data(register), join(dist, start), ...args], {
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

/** The files that every start loads. */
const START = ["cli.cjs", "bundle/rolldown-runtime.cjs", "bundle/program.cjs"];

describe("a command loads only what it needs", () => {
  test.each([[["--version"]], [["--help"]], [["plan", "--help"]], [["help", "drift"]]])(
    "%j loads the command line",
    async (args) => {
      expect(await loaded(...args)).toEqual({ fetch: false, files: START, packages: ["commander"] });
    },
  );

  test("validate loads no client, no planner, no emulator and no second YAML parser", async () => {
    expect(await loaded("validate", examples)).toEqual({
      fetch: false,
      files: [...START, "bundle/command.cjs", "bundle/configuration.cjs", "validators.cjs"],
      packages: ["commander", "js-yaml"],
    });
  });

  test("plan loads a client, and only the text report", async () => {
    const config = join(folder, "severities.yaml");
    await copyFile(join(examples, "severities.yaml"), config);
    const { files, packages } = await loaded("plan", config, "--url", service.url);
    expect(packages).toEqual(["commander", "diff", "js-yaml", "p-limit", "yocto-queue"]);
    const own = ["bundle/command.cjs", "bundle/plan.cjs", "bundle/configuration.cjs", "validators.cjs"];
    expect(files).toEqual([...START, ...own]);
  });

  test("show loads the validator of saved plans", async () => {
    const config = join(folder, "severities.yaml");
    await copyFile(join(examples, "severities.yaml"), config);
    await loaded("plan", config, "--url", service.url, "--out", "plan.json");
    const { files } = await loaded("show", "plan.json");
    expect(files).toContain("plan-validator.cjs");
  });

  test("emulator loads no configuration and no planner", async () => {
    // A folder is no database, so it ends when it is about to serve.
    const { fetch, files, packages } = await loadedUntil(1, ["emulator", "--file", folder]);
    expect(packages).toEqual(["commander", "hono", "node-sqlite3-wasm"]);
    expect(fetch).toBe(false);
    const own = [
      "bundle/command.cjs",
      "bundle/embedded-service.cjs",
      "bundle/emulator-command.cjs",
      "bundle/serve.cjs",
      "bundle/serving.cjs",
    ];
    expect(files.filter((path) => !START.includes(path)).sort()).toEqual(own);
  });

  test("plan --emulator loads no HTTP client and no server", async () => {
    const { fetch, files, packages } = await loaded("plan", examples, "--emulator");
    expect(fetch).toBe(false);
    expect(packages).toEqual(expect.arrayContaining(["hono", "node-sqlite3-wasm"]));
    expect(packages).not.toContain("undici");
    expect(files).not.toContain("bundle/emulator-command.cjs");
  });
});

test("importing the library loads a few files of the program's bundle, and nothing that only commands need", async () => {
  const { fetch, files, packages } = await loadedUntil(0, [], "index.js");
  expect(fetch).toBe(false);
  expect(packages).toEqual(["commander", "diff", "hono", "js-yaml", "p-limit", "yocto-queue"]);
  const shared = [
    "apply",
    "command",
    "configuration",
    "embedded-service",
    "plan",
    "program",
    "rolldown-runtime",
    "same-answer",
    "serve",
  ];
  const own = ["index.js", "validators.cjs", "bundle/library.cjs"];
  expect([...files].sort()).toEqual([...own, ...shared.map((name) => `bundle/${name}.cjs`)].sort());
});

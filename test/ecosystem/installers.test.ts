/** The packed program, installed by the package managers that people use, and started. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder, pack, packages, root, run, succeed, tools } from "./support.ts";

const FILES = "severities:\n  - { slug: minor, name: Minor }\n  - { slug: major, name: Outage, default: true }\n";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = newFolder();
  tarball = await pack(folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The registry of npm, for managers that read settings of their own. */
async function registry(): Promise<string> {
  return (await succeed(root, "npm", ["config", "get", "registry"])).trim();
}

/** A project of a user, with a configuration. */
function project(name: string): string {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{ "name": "project", "version": "1.0.0", "private": true }\n');
  // Beside it, pnpm writes a lock file in YAML.
  mkdirSync(join(home, "config"));
  writeFileSync(join(home, "config/severities.yaml"), FILES);
  return home;
}

/** Installs into a project, with this manager. */
const MANAGERS: Readonly<Record<string, (home: string) => Promise<unknown>>> = {
  npm: (home) => succeed(home, "npm", ["install", tarball]),
  pnpm: async (home) =>
    succeed(home, join(tools, "pnpm"), ["add", tarball, "--store-dir", join(folder, "store")], {
      npm_config_registry: await registry(),
    }),
  "Yarn 1": async (home) =>
    succeed(
      home,
      join(packages, "yarn/bin/yarn.js"),
      ["add", `file:${tarball}`, "--cache-folder", join(folder, "cache")],
      {
        npm_config_registry: await registry(),
      },
    ),
};

describe.each(Object.entries(MANAGERS))("a project of %s", (name, install) => {
  let home: string;
  beforeAll(async () => {
    home = project(name.replace(" ", "-"));
    await install(home);
  });

  test("plans with the program, on the embedded service", async () => {
    const program = join(home, "node_modules/.bin/incidentctl");
    const { exit, stdout, stderr } = await run(home, program, ["plan", "config", "--emulator", "--detailed-exitcode"]);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.any(String) });
    expect(stdout).toContain('"Major" → "Outage"');
  });

  test("imports the library", async () => {
    const code = 'import { load } from "incidentctl"; console.log(typeof load);';
    expect(await succeed(home, process.execPath, ["--input-type=module", "--eval", code])).toBe("function\n");
  });
});

describe("a project of Yarn Plug'n'Play", () => {
  const yarn = [process.execPath, join(packages, "@yarnpkg/cli-dist/bin/yarn.js")] as const;
  let home: string;
  /** Runs the program as `yarn incidentctl` does. */
  const program = (...words: readonly string[]) => run(home, yarn[0], [yarn[1], "incidentctl", ...words]);

  beforeAll(async () => {
    home = project("plug-n-play");
    const settings = {
      nodeLinker: "pnp",
      enableGlobalCache: false,
      enableTelemetry: false,
      npmRegistryServer: await registry(),
    };
    writeFileSync(join(home, ".yarnrc.yml"), JSON.stringify(settings));
    writeFileSync(join(home, "yarn.lock"), "");
    await succeed(home, yarn[0], [yarn[1], "add", `incidentctl@file:${tarball}`], {
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    });
  });

  test("saves plans and reports, applies, and starts a repository", async () => {
    const saved = await program(
      "plan",
      "config",
      "--emulator",
      "--out",
      "a.plan",
      "--report",
      "html=a.html",
      "--allow-delete",
    );
    expect(saved.exit, saved.stderr).toBe(0);
    const applied = await program("apply", "config", "--emulator", "--plan", "a.plan", "--yes", "--allow-delete");
    expect(applied.exit, applied.stderr).toBe(0);
    const started = await program("init", "new");
    expect(started.exit, started.stderr).toBe(0);
  });
});

test("the types compile with TypeScript 5.0, as docs/library.md says", async () => {
  const home = project("types");
  await succeed(home, "npm", ["install", tarball]);
  mkdirSync(join(home, "node_modules/@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"]) {
    symlinkSync(join(root, "node_modules", name), join(home, "node_modules", name), "dir");
  }
  writeFileSync(join(home, "package.json"), '{ "type": "module" }\n');
  const [, source = ""] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, "docs/library.md"), "utf8")) ?? [];
  expect(source).toContain("await plan(");
  writeFileSync(join(home, "program.ts"), source);
  const flags = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noEmit",
    "--target",
    "es2022",
    "--lib",
    "es2022",
    "--module",
    "nodenext",
  ];
  const types = ["--types", "node", "--skipLibCheck", "false"];
  const compiler = join(packages, "typescript-5.0/bin/tsc");
  const { stdout } = await run(home, process.execPath, [compiler, ...flags, ...types, "program.ts"]);
  // The types of Node are of a later TypeScript than 5.0 knows; ours are not.
  expect(stdout.split("\n").filter((line) => /^(?:program\.ts|node_modules\/incidentctl)/.test(line))).toEqual([]);
  expect(await succeed(home, process.execPath, [compiler, "--version"])).toContain("5.0.");
});

test("pipelines install the packed program without a project, as ci/incidentctl.tgz", async () => {
  const home = join(folder, "global");
  await succeed(folder, "npm", ["install", "--global", "--ignore-scripts", "--prefix", home, tarball]);
  expect(await succeed(folder, join(home, "bin/incidentctl"), ["version"])).toContain(version);
});

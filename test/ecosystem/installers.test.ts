/** The packed program, installed by the package managers that people use, and started. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newFolder, pack, root, run, succeed, tools } from "./support.ts";

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
    succeed(home, join(tools, "yarn"), ["add", `file:${tarball}`, "--cache-folder", join(folder, "cache")], {
      npm_config_registry: await registry(),
    }),
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

test("pipelines install the packed program without a project, as ci/incidentctl.tgz", async () => {
  const home = join(folder, "global");
  await succeed(folder, "npm", ["install", "--global", "--ignore-scripts", "--prefix", home, tarball]);
  expect(await succeed(folder, join(home, "bin/incidentctl"), ["version"])).toContain(version);
});

/** The built program runs its own files and nothing that a cache folder holds: other users may have written there. */

import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../../dist/", import.meta.url));
const poison = fileURLToPath(new URL("poison.cjs", import.meta.url));
const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".cjs"));
/** Another user, to whom files can be given where the tests are run by root. */
const OTHER = 65_534;

let home: string;
let checkout: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "incidentctl-foreign-"));
  checkout = join(home, "checkout");
  mkdirSync(checkout);
  await writeFile(join(checkout, "a.yaml"), "severities:\n  - {slug: critical, name: Outage, default: true}\n");
});
afterEach(() => rm(home, { recursive: true }));

/** A folder in which anybody may make files. */
function openFolder(name: string): string {
  const folder = join(home, name);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  return folder;
}

/** Fills a cache folder with code that is not the program's. */
function fill(cache: string): string {
  const { status, stderr } = node([poison, cache, ...files.map((path) => join(dist, path))], {});
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return cache;
}

function giveAway(folder: string): string {
  const isRoot = process.getuid?.() === 0;
  for (const path of ["", ...entriesOf(folder)]) if (isRoot) chownSync(join(folder, path), OTHER, OTHER);
  return folder;
}

function entriesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

function node(args: readonly string[], more: Readonly<Record<string, string>>): SpawnSyncReturns<string> {
  const env = { PATH: process.env.PATH, HOME: home, ...more };
  return spawnSync(process.execPath, [...args], { cwd: checkout, env, encoding: "utf8" });
}

/** Runs the program with a cache folder, and checks that its own code alone was run. */
function expectOwnCode(cache: string): void {
  const proof = join(home, "proof");
  const { status, stdout } = node([join(dist, "cli.cjs"), "validate"], { XDG_CACHE_HOME: cache, PROOF: proof });
  expect({ status, stdout, isForeign: existsSync(proof) }).toEqual({
    status: 0,
    stdout: "The configuration is valid: 1 resource in 1 kind.\n",
    isForeign: false,
  });
}

test("code in the cache folder of another user is not run", () => {
  expectOwnCode(giveAway(fill(join(openFolder("shared"), "cache"))));
});

test("code below a folder that anybody can write to is not run", () => {
  expectOwnCode(fill(join(openFolder("shared"), "cache")));
});

test("code in a cache folder that was committed is not run", () => {
  expectOwnCode(fill(join(checkout, ".cache")));
});

test("code behind a symbolic link that changes its target all the time is not run", async () => {
  const foreign = giveAway(fill(join(openFolder("theirs"), "cache")));
  const own = fill(join(home, "own"));
  for (const path of entriesOf(own)) if (lstatSync(join(own, path)).isFile()) rmSync(join(own, path));
  const link = join(home, "cache");
  const flip = `
    const { renameSync, symlinkSync } = require("node:fs");
    const [link, ...targets] = process.argv.slice(1);
    console.log("begun");
    for (let turn = 0; ; turn += 1) {
      symlinkSync(targets[turn % 2], link + ".next");
      renameSync(link + ".next", link);
    }
  `;
  const flipping = spawn(process.execPath, ["-e", flip, link, own, foreign], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(flipping, "exit");
  await once(flipping.stdout, "data");
  try {
    for (let run = 0; run < 10; run += 1) expectOwnCode(link);
  } finally {
    flipping.kill("SIGKILL");
    await ended;
  }
});

/** What is kept of compiled code makes the program start sooner, and nothing else. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const VALID = "The configuration is valid: 1 entry in 1 kind.\n";
/** What is kept where Node keeps nothing by itself. */
const KEPT = "enableCompileCache" in module ? [] : ["command.cjs", "files.cjs", "program.cjs", "validators.cjs"];

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "incidentctl-kept-"));
  await writeFile(join(home, "a.yaml"), "severities:\n  - {slug: critical, name: Outage, default: true}\n");
});
afterEach(() => rm(home, { recursive: true }));

function validate(program = dist, more: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, "cache"), ...more };
  const options = { cwd: home, env, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(program, "cli.cjs"), "validate"], options);
  return { status, stdout, stderr };
}

/** Files by path, of whatever was kept for `validate`. */
function kept(): ReadonlyMap<string, number> {
  const folder = join(home, "cache", "incidentctl", "validate");
  const names = KEPT.length === 0 ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return new Map(paths.sort().map((path) => [path, statSync(path).ino]));
}

const names = (): readonly string[] => [...kept().keys()].map((path) => path.replace(/.*[\\/]/, ""));

test("a run that finds all that it loads keeps nothing anew", () => {
  expect(validate()).toEqual({ status: 0, stdout: VALID, stderr: "" });
  const first = kept();
  expect(names()).toEqual(KEPT);
  expect(validate()).toEqual({ status: 0, stdout: VALID, stderr: "" });
  expect(kept()).toEqual(first);
});

test.each<readonly [title: string, damaged: (bytes: Buffer) => Buffer]>([
  ["empty", () => Buffer.alloc(0)],
  ["cut short", (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ["changed in one byte", (bytes) => bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)) as Buffer],
  ["of another file", () => Buffer.from("x".repeat(1000))],
])("what is %s is not run, and replaced", (_title, damaged) => {
  validate();
  const whole = [...kept().keys()].map((path) => [path, readFileSync(path)] as const);
  for (const [path, bytes] of whole) writeFileSync(path, damaged(bytes));
  expect(validate()).toEqual({ status: 0, stdout: VALID, stderr: "" });
  for (const [path, bytes] of whole) expect(readFileSync(path).length).toBeGreaterThan(bytes.length / 2);
});

test("a program that was exchanged by one of the same length is the one that runs", () => {
  const program = join(home, "dist");
  for (const name of ["dist/cli.cjs", "dist/validators.cjs", "dist/plan-validator.cjs", "dist/cli", "schemas"]) {
    cpSync(join(dist, "..", name), join(home, name), { recursive: true });
  }
  expect(validate(program).stdout).toBe(VALID);
  const path = join(program, "cli", "files.cjs");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("configuration is valid", "CONFIGURATION is valid"));
  expect(validate(program).stdout).toBe(VALID.replace("configuration", "CONFIGURATION"));
});

test("a run that fails keeps nothing: it has come by a part only", () => {
  writeFileSync(join(home, "a.yaml"), "severities: {}\n");
  expect(validate().status).toBe(1);
  if (KEPT.length > 0) expect(existsSync(join(home, "cache"))).toBe(false);
});

test("where nothing can be written, or nothing is wanted, nothing is kept", () => {
  writeFileSync(join(home, "cache"), "");
  expect(validate()).toEqual({ status: 0, stdout: VALID, stderr: "" });
  rmSync(join(home, "cache"));
  mkdirSync(join(home, "cache"));
  expect(validate(dist, { NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual({ status: 0, stdout: VALID, stderr: "" });
  expect(readdirSync(join(home, "cache"))).toEqual([]);
});

test("what somebody else could have written is neither run nor touched", () => {
  validate();
  const before = kept();
  for (const path of before.keys()) writeFileSync(path, "");
  for (const path of before.keys()) chmodSync(join(path, ".."), 0o777);
  expect(validate()).toEqual({ status: 0, stdout: VALID, stderr: "" });
  for (const path of before.keys()) expect(readFileSync(path).length).toBe(0);
});

test("what cannot be read is done without", () => {
  validate();
  for (const path of kept().keys()) {
    rmSync(path);
    mkdirSync(path);
  }
  expect(validate()).toEqual({ status: 0, stdout: VALID, stderr: "" });
});

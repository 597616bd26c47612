/** The commits that an apply goes through. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHistory } from "../../../src/app/ci/apply/history.ts";
import { readRecord, writeRecord } from "../../../src/app/ci/apply/record.ts";

let folder: string;
beforeEach(async () => {
  folder = realpathSync(await mkdtemp(join(tmpdir(), "incidentctl-history-")));
  git("init", "--quiet", "--initial-branch=main");
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function git(...words: readonly string[]): string {
  const own = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...own, ...words], { cwd: folder, encoding: "utf8" }).trim();
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function commit(file: string, text: string): string {
  write(file, text);
  git("add", "--force", file);
  git("commit", "--quiet", "--message=change");
  return git("rev-parse", "HEAD");
}

const open = (cwd = folder) => openHistory({ env: { PATH: process.env.PATH ?? "", HOME: folder }, cwd });

test("goes along first parents, so that a merge is one step", () => {
  const first = commit("a.yaml", "a: 1\n");
  expect(open()).toMatchObject({ head: first, before: undefined });
  expect(open().since(undefined)).toEqual([first]);
  git("checkout", "--quiet", "-b", "change");
  commit("b.yaml", "b: 1\n");
  const inside = commit("b.yaml", "b: 2\n");
  git("checkout", "--quiet", "main");
  const second = commit("a.yaml", "a: 2\n");
  git("merge", "--quiet", "--no-ff", "--no-edit", "change");
  const merge = git("rev-parse", "HEAD");
  const history = open();
  expect(history).toMatchObject({ head: merge, before: second });
  expect(history.since(first)).toEqual([second, merge]);
  expect(history.since(merge)).toEqual([]);
  expect([history.isBefore(inside, merge), history.isBefore(merge, first)]).toEqual([true, false]);
  expect(history.isBefore("0".repeat(40), merge)).toBe(false);
});

test("checks out the files of a commit and keeps what is not in the repository", () => {
  const first = commit("a.yaml", "a: 1\n");
  const second = commit("a.yaml", "a: 2\n");
  write("reports/log", "x\n");
  write("a.yaml", "edited: true\n");
  open().checkOut(first);
  expect(readFileSync(join(folder, "a.yaml"), "utf8")).toBe("a: 1\n");
  open().checkOut(second);
  expect(readFileSync(join(folder, "a.yaml"), "utf8")).toBe("a: 2\n");
  expect(existsSync(join(folder, "reports/log"))).toBe(true);
});

test("tells commits with files where a run writes", () => {
  const planted = commit("reports/workspace/plan.md", "x\n");
  git("rm", "--quiet", "-r", "reports");
  const clean = commit("a.yaml", "a: 1\n");
  const [reports, other] = [join(folder, "reports/workspace"), join(folder, ".incidentctl")];
  const history = open();
  expect(history.holds(planted, [other, reports])).toBe(true);
  expect(history.holds(clean, [other, reports])).toBe(false);
  expect(history.holds(planted, [tmpdir()])).toBe(false);
});

test("a clone without earlier commits is an error with the way out", () => {
  commit("a.yaml", "a: 1\n");
  commit("a.yaml", "a: 2\n");
  const shallow = join(folder, "shallow");
  git("clone", "--quiet", "--depth=1", `file://${folder}`, shallow);
  expect(() => open(shallow)).toThrow("set fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab");
});

test("the record of a unit has commits and nothing else, whatever its file holds", () => {
  expect(readRecord(folder, "a")).toEqual({ applied: [] });
  const [one, other] = ["a".repeat(40), "b".repeat(40)];
  writeRecord(folder, "a", { through: one, applied: [other] });
  expect(readRecord(folder, "a")).toEqual({ through: one, applied: [other] });
  expect(readRecord(folder, "b")).toEqual({ applied: [] });
  for (const text of ["no JSON", "[]", '{"through": "--all", "applied": ["HEAD", 1]}']) {
    write("journals/merged.a.json", text);
    expect(readRecord(folder, "a")).toEqual({ applied: [] });
  }
});

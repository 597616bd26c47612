/** A git repository around a world: real git, with no settings but those of the test. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plan } from "../../../src/app/plan/plan-command.ts";
import type { PlanFlags } from "../../../src/app/plan/plan-definition.ts";
import type { SealedPlan } from "../../../src/plan/model/plan.ts";
import type { World } from "../world.ts";

/** The environment of git: nobody's settings. */
const ENVIRONMENT = {
  ...{ PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.com" },
  ...{ GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.com" },
};

/** Runs git in a folder, and returns what it prints. */
export function gitIn(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", ...args], {
    ...{ cwd: folder, env: ENVIRONMENT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  }).trim();
}

/** Commits everything in a folder, and returns the id of the commit. */
export function commitAll(folder: string, message = "change"): string {
  gitIn(folder, "add", "--all");
  gitIn(folder, "commit", "--quiet", "--allow-empty", "--message", message);
  return gitIn(folder, "rev-parse", "HEAD");
}

/** Makes the folder of a world a repository with one commit. */
export function initRepository(world: World): string {
  Object.assign(world.io.env, { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });
  gitIn(world.folder, "init", "--quiet");
  return commitAll(world.folder, "first");
}

/** The plan of a world as JSON, with the messages on stderr. */
export async function planOf(
  world: World,
  flags: Partial<PlanFlags> = {},
  cwd: string = world.folder,
): Promise<{ readonly plan: SealedPlan; readonly text: string; readonly stderr: string }> {
  const { exit, stdout, stderr } = await world.run(
    (options: PlanFlags, io, console) => plan(options, { ...io, cwd }, console),
    { paths: [], ...flags, format: "json" },
  );
  if (exit !== 0) throw new Error(`plan ended with ${exit}: ${stderr}`);
  return { plan: JSON.parse(stdout), text: stdout, stderr };
}

/** Address → origin of each change of a plan. */
export function originsOf({ changes }: Pick<SealedPlan, "changes">): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(changes.map(({ address, origin }) => [address, origin]));
}

/** Runs something in a new folder, and removes it. */
export async function inNewFolder<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "incidentctl-git-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

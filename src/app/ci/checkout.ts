/** Refuses checkouts that have something where a pipeline writes. Each of their files may be that of a pull request. */

import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { openGit } from "../../config/base/git.ts";
import { DISK } from "../../config/source/disk.ts";
import { isRepository, repositoryRoot } from "../../config/source/repository.ts";
import { EXIT, Stop } from "../../core/exit-codes.ts";
import type { Io } from "../../core/io.ts";
import { quoted, sanitised } from "../../core/sanitise.ts";

/** The root of the repository that a job has checked out. */
export function checkoutOf({ env, cwd }: Pick<Io, "env" | "cwd">): string {
  return env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR || cwd;
}

/**
 * Ends the command if a folder of the checkout holds what a commit has put there, or anything but files and folders. A folder that is
 * missing is fine. Of one that exists, git has to say that no file of it is committed.
 */
export function refusePlanted(folder: string, io: Pick<Io, "env" | "cwd">): void {
  const { env } = io;
  const isBelow =
    !/^\.\.(?:[\\/]|$)/.test(relative(checkoutOf(io), folder)) && !isAbsolute(relative(checkoutOf(io), folder));
  if (!isBelow || lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
  const odd = oddPath(folder);
  if (odd !== undefined) throw planted(odd, "is neither a file nor a folder");
  if (!lstatSync(folder).isDirectory()) throw planted(folder, "is no folder");
  const top = repositoryRoot(folder, DISK);
  if (!isRepository(top, DISK)) {
    if (!env.GITHUB_ACTIONS && !env.GITLAB_CI) return;
    throw planted(folder, "may be in the repository: there is no git repository to tell");
  }
  const path = relative(top, folder).replaceAll("\\", "/");
  const { status, output, problem } = openGit(env).runNow(top, ["ls-files", "-z", "--", `:(top,icase,literal)${path}`]);
  if (status !== 0) throw planted(folder, `may be in the repository: git does not tell (${sanitised(problem)})`);
  if (output.length > 0) throw planted(folder, "is in the repository");
}

/** Takes all permissions on the files of a folder from everybody but their owner: an artifact or a cache keeps none. */
export function makePrivate(folder: string): void {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  if (entry === undefined || !(entry.isFile() || entry.isDirectory())) return;
  chmodSync(folder, entry.mode & 0o700);
  if (!entry.isDirectory()) return;
  for (const name of readdirSync(folder)) makePrivate(join(folder, name));
}

/** A path in a folder, or the folder itself, that is a link, a pipe, a device or a socket. */
function oddPath(path: string): string | undefined {
  const entry = lstatSync(path);
  if (entry.isFile()) return undefined;
  if (!entry.isDirectory()) return path;
  for (const name of readdirSync(path)) {
    const odd = oddPath(join(path, name));
    if (odd !== undefined) return odd;
  }
  return undefined;
}

function planted(path: string, what: string): Stop {
  return new Stop(
    EXIT.error,
    `${quoted(path)} ${what}. A pipeline writes there, so nothing is run. Remove it from the repository`,
  );
}

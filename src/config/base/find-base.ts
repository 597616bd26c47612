/** Finds the base of a configuration: a directory, or the commit that git has for it. */

import { resolve } from "node:path";
import { DISK } from "../source/disk.ts";
import { isRepository, repositoryRoot } from "../source/repository.ts";
import type { Git } from "./git.ts";
import type { Commit } from "./git-tree.ts";

/** The base of a configuration, as far as it is chosen. */
export type Base =
  | { readonly type: "none" }
  /** A folder that stands for that of the settings. */
  | { readonly type: "directory"; readonly name: string; readonly path: string }
  | { readonly type: "commit"; readonly name: string; readonly commit: Commit }
  /** It cannot be found. `help` says what to do. */
  | { readonly type: "unknown"; readonly problem: string; readonly help: string };

/** Where to look for a base. */
export interface BaseChoice {
  /** The directory of the settings. */
  readonly home: string;
  /** A revision of git, a directory, or `none`; undefined: the default. */
  readonly chosen?:
    | { readonly text: string /** The directory that a path is relative to. */; readonly cwd: string }
    | undefined;
}

/** Finds the base that is chosen; else the merge base with the remote's default branch, else HEAD, else none. */
export async function findBase({ home, chosen }: BaseChoice, git: Git): Promise<Base> {
  if (chosen?.text === "none") return { type: "none" };
  const top = repositoryRoot(home, DISK);
  if (chosen === undefined) return isRepository(top, DISK) ? await defaultBase(top, git) : { type: "none" };
  const { text, cwd } = chosen;
  const path = resolve(cwd, text);
  const isDirectory = DISK.typeOf(path) === "directory";
  const directory = { type: "directory", name: text, path } as const;
  if (/^\.{0,2}(?:[\\/]|$)/.test(text) || !isRepository(top, DISK)) {
    return isDirectory ? directory : unknown(`there is no directory "${text}"`, REVISION_OR_DIRECTORY);
  }
  const id = await commitOf(text, top, git);
  if (id !== undefined) return { type: "commit", name: text, commit: { git, top, id } };
  return isDirectory
    ? directory
    : unknown(`there is no revision "${text}" in this repository`, await wayToIt(top, git));
}

const REVISION_OR_DIRECTORY =
  "The base is a revision of git, such as origin/main, a directory, or none. A revision needs a git repository around incidentctl.yaml.";
const FETCH = "git fetch --unshallow; in a pipeline, check out all commits (fetch-depth: 0, or GIT_DEPTH: 0)";

function unknown(problem: string, help: string): Base {
  return { type: "unknown", problem, help };
}

async function wayToIt(top: string, git: Git): Promise<string> {
  return (await isShallow(top, git)) ? `This clone is shallow. Fetch the other commits: ${FETCH}.` : "Fetch it first.";
}

/** The id of a revision's commit; undefined if it is not there. A text that begins with a hyphen is no revision. */
async function commitOf(revision: string, top: string, git: Git): Promise<string | undefined> {
  if (revision.startsWith("-")) return undefined;
  const { status, output } = await git.run(top, ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]);
  return status === 0 ? idIn(output) : undefined;
}

async function isShallow(top: string, git: Git): Promise<boolean> {
  const { output } = await git.run(top, ["rev-parse", "--is-shallow-repository"]);
  return output.toString("utf8").trim() === "true";
}

function idIn(output: Buffer): string {
  return output.toString("utf8").trim();
}

async function defaultBase(top: string, git: Git): Promise<Base> {
  const usual = "refs/remotes/origin/HEAD";
  const first = await git.run(top, ["merge-base", "HEAD", usual]);
  if (first.isMissing === true) {
    return unknown(
      "git is not installed",
      "Install git, or choose a directory: --base DIR. To have no base: --base none.",
    );
  }
  if (first.status === 0) return baseAt("the merge base with origin", idIn(first.output), top, git);
  if (/dubious ownership|safe\.directory/.test(first.problem)) {
    const help = `If you trust it: git config --global --add safe.directory ${top}. To have no base: --base none.`;
    return unknown("git refuses the repository, since it belongs to somebody else", help);
  }
  const [head, isCut, branch] = await Promise.all([
    commitOf("HEAD", top, git),
    isShallow(top, git),
    defaultBranch(top, git),
  ]);
  if (head === undefined) return { type: "none" };
  if (branch !== undefined) {
    const { status, output } = await git.run(top, ["merge-base", "HEAD", branch]);
    if (status === 0) return baseAt(`the merge base with ${shortName(branch)}`, idIn(output), top, git);
    if (!isCut) return unknown(`HEAD and ${shortName(branch)} have no commit in common`, "Choose a base: --base REV.");
  }
  if (!isCut) return baseAt("HEAD", head, top, git);
  const help = `Fetch the other commits: ${FETCH}. Or choose a base: --base REV, or --base none.`;
  return unknown("this clone is shallow, and lacks the commit that the change began at", help);
}

function baseAt(name: string, id: string, top: string, git: Git): Base {
  return { type: "commit", name, commit: { git, top, id } };
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/remotes\//, "").replace(/\/HEAD$/, "");
}

/** The remote's default branch: what its HEAD was at the time of the clone, or else a branch with a usual name. */
async function defaultBranch(top: string, git: Git): Promise<string | undefined> {
  const { output } = await git.run(top, ["for-each-ref", "--format=%(refname)", "refs/remotes"]);
  const refs = output.toString("utf8").split("\n");
  const usual = [
    /^refs\/remotes\/origin\/HEAD$/,
    /^refs\/remotes\/[^/]+\/HEAD$/,
    /\/origin\/main$/,
    /\/origin\/master$/,
  ];
  return usual.flatMap((pattern) => refs.find((ref) => pattern.test(ref)) ?? [])[0];
}

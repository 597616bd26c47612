/** A git repository with branches and merges, as a forge keeps it. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files by path, and links by where they lead; null removes one. */
export type Files = Readonly<Record<string, string | Buffer | { readonly link: string } | null>>;

/** A commit with two parents, one commit with all changes, or each commit again upon the base. */
export type MergeWay = "merge" | "squash" | "rebase";

/** The repository. Commits are named by their hash. */
export interface Repository {
  /** Commits files on a branch, which begins at `from` if it is new. */
  commit(branch: string, files: Files, from?: string): string;
  /** The commit of a branch. */
  tip(branch: string): string;
  /** Merges a commit into another one in the way of a forge, without moving a branch. */
  merge(base: string, head: string, way?: MergeWay): string;
  /** Whether two commits have no conflict. */
  canMerge(base: string, head: string): boolean;
  /** Moves a branch. */
  move(branch: string, commit: string): void;
  /** Whether the first commit is the second one or before it. */
  isAncestor(first: string, second: string): boolean;
  mergeBase(first: string, second: string): string;
  /** The files that differ between two commits. */
  changed(first: string, second: string): readonly string[];
  /** The text of a file in a commit. */
  read(commit: string, file: string): string;
  /** The files of a commit that match a path. */
  list(commit: string, path: string): readonly string[];
  /** Writes the files of a commit into a folder; with `only`, the files at the root and of that folder. */
  checkOut(commit: string, folder: string, only?: string): void;
}

/** Makes a repository with one commit on `main`. */
export function createRepository(folder: string, files: Files): Repository {
  mkdirSync(folder, { recursive: true });
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  git("init", "--quiet", "--initial-branch=main");
  const write = (more: Files): void => {
    for (const [file, text] of Object.entries(more)) {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      if (text === null) rmSync(path, { recursive: true, force: true });
      else if (typeof text === "string" || Buffer.isBuffer(text)) writeFileSync(path, text);
      else {
        rmSync(path, { recursive: true, force: true });
        symlinkSync(text.link, path);
        git("add", "--force", "--", file);
      }
    }
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message=change");
  };
  write(files);
  const tip = (branch: string): string => git("rev-parse", `refs/heads/${branch}`);
  const has = (branch: string): boolean => git("branch", "--list", branch) !== "";
  return {
    commit(branch, more, from = "main") {
      git("checkout", "--quiet", ...(has(branch) ? [branch] : ["-b", branch, from]));
      write(more);
      return tip(branch);
    },
    tip,
    merge(base, head, way = "merge") {
      git("checkout", "--quiet", "--detach", base);
      if (way === "rebase") git("cherry-pick", "--allow-empty", "--keep-redundant-commits", `${base}..${head}`);
      else git("merge", "--quiet", way === "squash" ? "--squash" : "--no-ff", "--no-edit", head);
      if (way === "squash") git("commit", "--quiet", "--allow-empty", "--message=squashed");
      return git("rev-parse", "HEAD");
    },
    canMerge(base, head) {
      const { status } = spawnSync("git", ["merge-tree", "--write-tree", base, head], { cwd: folder });
      return status === 0;
    },
    move: (branch, commit) => {
      git("checkout", "--quiet", "--detach", commit);
      git("branch", "--force", branch, commit);
    },
    isAncestor(first, second) {
      return git("merge-base", first, second) === first;
    },
    mergeBase: (first, second) => git("merge-base", first, second),
    changed: (first, second) => git("diff", "--name-only", "--no-renames", first, second).split("\n").filter(Boolean),
    read: (commit, file) => git("show", `${commit}:${file}`),
    list: (commit, path) => git("ls-tree", "--name-only", commit, path).split("\n").filter(Boolean),
    checkOut(commit, target, only) {
      mkdirSync(target, { recursive: true });
      const sha = git("rev-parse", commit);
      git("clone", "--quiet", "--shared", "--no-checkout", folder, target);
      git("-C", target, "checkout", "--quiet", "--detach", sha);
      for (const entry of only === undefined ? [] : readdirSync(target, { withFileTypes: true })) {
        if (entry.isDirectory() && entry.name !== only && entry.name !== ".git")
          rmSync(join(target, entry.name), { recursive: true });
      }
    },
  };
}

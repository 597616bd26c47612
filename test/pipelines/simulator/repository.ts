/** A git repository with branches and merges, as a forge keeps it. */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@example.com" },
  ...{ GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@example.com" },
};

/** A word as a shell reads it. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Makes a repository with one commit on `main`. */
export function createRepository(folder: string, files: Files): Repository {
  mkdirSync(folder, { recursive: true });
  // A process takes long to start from one as large as this one, so a shell starts those that follow each other.
  const together = (...commands: readonly (readonly string[])[]): string =>
    execFileSync("sh", ["-e", "-c", commands.map((words) => `git ${words.map(quoted).join(" ")}`).join("\n")], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ...AUTHOR },
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  const git = (...words: readonly string[]): string => together(words);
  // No commit ever changes, so git is asked once about each: a process of its own takes longer than the rest of a job.
  const answers = new Map<string, string>();
  const about = (...words: readonly string[]): string => {
    const key = JSON.stringify(words);
    const answer = answers.get(key) ?? git(...words);
    answers.set(key, answer);
    return answer;
  };
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
    together(["add", "--all"], ["commit", "--quiet", "--allow-empty", "--message=change"]);
  };
  write(files);
  // Jobs push to it too, so the branches are read, from the files in which git keeps them.
  const placeOf = (branch: string): string => join(folder, ".git/refs/heads", branch);
  const tip = (branch: string): string => readFileSync(placeOf(branch), "utf8").trim();
  return {
    commit(branch, more, from = "main") {
      git("checkout", "--quiet", ...(existsSync(placeOf(branch)) ? [branch] : ["-b", branch, from]));
      write(more);
      return tip(branch);
    },
    tip,
    merge(base, head, way = "merge") {
      const ways = {
        merge: [["merge", "--quiet", "--no-ff", "--no-edit", head]],
        squash: [
          ["merge", "--quiet", "--squash", "--no-edit", head],
          ["commit", "--quiet", "--allow-empty", "--message=squashed"],
        ],
        rebase: [["cherry-pick", "--allow-empty", "--keep-redundant-commits", `${base}..${head}`]],
      };
      together(["checkout", "--quiet", "--detach", base], ...ways[way]);
      return git("rev-parse", "HEAD");
    },
    canMerge(base, head) {
      const { status } = spawnSync("git", ["merge-tree", "--write-tree", base, head], { cwd: folder });
      return status === 0;
    },
    move: (branch, commit) => {
      together(["checkout", "--quiet", "--detach", commit], ["branch", "--force", branch, commit]);
    },
    isAncestor(first, second) {
      return about("merge-base", first, second) === first;
    },
    mergeBase: (first, second) => about("merge-base", first, second),
    changed: (first, second) => about("diff", "--name-only", "--no-renames", first, second).split("\n").filter(Boolean),
    read: (commit, file) => about("show", `${commit}:${file}`),
    list: (commit, path) => about("ls-tree", "--name-only", commit, path).split("\n").filter(Boolean),
    checkOut(commit, target, only) {
      mkdirSync(target, { recursive: true });
      together(
        ["clone", "--quiet", "--shared", "--no-checkout", folder, target],
        ["-C", target, "checkout", "--quiet", "--detach", existsSync(placeOf(commit)) ? tip(commit) : commit],
      );
      for (const entry of only === undefined ? [] : readdirSync(target, { withFileTypes: true })) {
        if (entry.isDirectory() && entry.name !== only && entry.name !== ".git")
          rmSync(join(target, entry.name), { recursive: true });
      }
    },
  };
}

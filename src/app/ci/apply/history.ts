/** The commits of the checkout, as an apply goes through them: along first parents, from what was applied to the commit of the run. */

import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { openGit } from "../../../config/base/git.ts";
import { EXIT, Stop } from "../../../core/exit-codes.ts";
import type { Io } from "../../../core/io.ts";
import { sanitised } from "../../../core/sanitise.ts";
import { checkoutOf } from "../checkout.ts";

/** Commits of one run. Older ones are left to a proposal. */
const MOST = 50;

/** The history of the branch that is checked out. */
export interface History {
  readonly head: string;
  /** The commit before the head; undefined if it is the first one. */
  readonly before: string | undefined;
  /** The full name of a commit. */
  commitOf(revision: string): string;
  /** Whether the first commit is the second one, or before it. */
  isBefore(first: string, second: string): boolean;
  /** The commits after this one, the oldest first. */
  since(commit: string | undefined): readonly string[];
  /** Whether a commit has files at one of these paths, or below. */
  holds(commit: string, paths: readonly string[]): boolean;
  /** Replaces the files of the checkout by those of a commit. Files that are not in the repository stay. */
  checkOut(commit: string): void;
}

/** Opens the history of the checkout. */
export function openHistory(io: Pick<Io, "env" | "cwd">): History {
  const git = (...words: readonly string[]) => {
    const { status, output, problem } = openGit(io.env).runNow(checkoutOf(io), words);
    return { status, text: output.toString("utf8").trim(), problem };
  };
  const needed = (...words: readonly string[]): string => {
    const { status, text, problem } = git(...words);
    if (status === 0) return text;
    throw new Stop(EXIT.error, `git ${words[0]} failed: ${sanitised(problem)}`);
  };
  const [isShallow, head = "", before] = needed("rev-parse", "--is-shallow-repository", "HEAD", "HEAD^@").split("\n");
  if (isShallow === "true") {
    throw new Stop(
      EXIT.error,
      "the checkout lacks earlier commits: set fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab",
    );
  }
  return {
    head,
    before,
    commitOf: (revision) => needed("rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`),
    isBefore: (first, second) => git("merge-base", "--is-ancestor", first, second).status === 0,
    since(commit) {
      if (commit === undefined) return [head];
      const list = needed("rev-list", "--first-parent", `--max-count=${MOST}`, `${commit}..HEAD`);
      return list.split("\n").filter(Boolean).reverse();
    },
    holds(commit, paths) {
      const top = realpathSync(checkoutOf(io));
      const inside = paths.map((path) => relative(top, path)).filter((path) => !path.startsWith(".."));
      return inside.length > 0 && needed("ls-tree", "-r", "--full-tree", "--name-only", commit, "--", ...inside) !== "";
    },
    checkOut: (commit) => void needed("checkout", "--quiet", "--force", "--detach", commit),
  };
}

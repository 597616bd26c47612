/** The git repository around a directory, as its files show. */

import { dirname, join } from "node:path";
import type { FileTree } from "./file-tree.ts";

/** The nearest directory, from this one upwards, that has a `.git`; without one, the directory itself. */
export function repositoryRoot(directory: string, tree: FileTree): string {
  for (let at = directory; ; at = dirname(at)) {
    if (isRepository(at, tree)) return at;
    if (dirname(at) === at) return directory;
  }
}

/** Whether a directory has a `.git`, which is a file in worktrees and submodules. */
export function isRepository(directory: string, tree: FileTree): boolean {
  return tree.has(join(directory, ".git"));
}

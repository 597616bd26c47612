/** Whether a file of one-time tokens could be committed by mistake. */

import { dirname, relative, sep } from "node:path";
import { openGit } from "../../config/base/git.ts";
import { DISK } from "../../config/source/disk.ts";
import { isRepository, repositoryRoot } from "../../config/source/repository.ts";
import type { Environment } from "../../core/io.ts";
import { sanitised } from "../../core/sanitise.ts";

/** The warning about a file in a git repository that does not ignore it, with the line that does; undefined if there is no need. */
export async function exposedSink(path: string, env: Environment): Promise<string | undefined> {
  const folder = dirname(path);
  const top = repositoryRoot(folder, DISK);
  if (!isRepository(top, DISK)) return undefined;
  const { status } = await openGit(env).run(folder, ["check-ignore", "--quiet", "--", path]);
  if (status !== NOT_IGNORED) return undefined;
  const line = `/${relative(top, path).split(sep).join("/")}`.replaceAll(/[\\*?[\] ]/g, "\\$&");
  return sanitised(
    `${path} will hold tokens, and git does not ignore it; add a line to ${top}${sep}.gitignore: ${line}`,
  );
}

/** The status of `git check-ignore` for a file that may be committed. Without git, or outside its work tree, there is another one. */
const NOT_IGNORED = 1;

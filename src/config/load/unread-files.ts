/** Warns of files beside the settings that look like configuration and are outside the paths that the settings name. */

import { basename, join } from "node:path";
import type { Findings } from "../../core/findings.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { Configuration } from "../resources/configuration.ts";
import type { Project } from "../settings/project.ts";
import type { FileTree } from "../source/file-tree.ts";
import { fileName, isConfigurationFile, namesIn, realPath } from "../source/files.ts";

/** The code of such a warning. */
const UNREAD_FILE = "W_UNREAD_FILE";

/** Files in the directory of the settings to look into; a directory with more belongs to something else. */
const MAX_FILES = 50;
const MAX_BYTES = 1_000_000;

/** Warns of each file beside the settings whose top keys are all names of kinds. `known` has the real paths of configuration files and overlays. */
export function warnOfUnreadFiles(
  { tree, root, home, settings }: Project,
  known: ReadonlySet<string>,
  kinds: readonly Kind[],
  findings: Findings,
): void {
  if (settings === undefined) return;
  const names = new Set(kinds.map(({ name }) => name));
  const paths = namesIn(home, tree)
    .map((name) => join(home, name))
    .filter((path) => isConfigurationFile(path) && !basename(path).startsWith("."));
  for (const path of paths.slice(0, MAX_FILES)) {
    if (known.has(realPath(path, tree)) || !hasOnlyKinds(textOf(path, home, tree), names)) continue;
    const file = fileName(root, path);
    const message = `${file} looks like configuration and is not read`;
    findings.warning(
      UNREAD_FILE,
      message,
      { file, line: 1, column: 1 },
      {
        help: "Move it into a directory under config in incidentctl.yaml, or add its name there.",
      },
    );
  }
}

/** The files that a load has warned of. */
export function unreadFiles({ warnings }: Pick<Configuration, "warnings">): readonly string[] {
  return warnings.flatMap(({ code, at }) => (code === UNREAD_FILE && at !== undefined ? [at.file] : []));
}

function textOf(path: string, home: string, tree: FileTree): string {
  const bytes = tree.read(path, { root: home, maximum: MAX_BYTES, mayBeHidden: false });
  return "code" in bytes ? "" : new TextDecoder().decode(bytes);
}

/** Whether a text has lines that begin with a key, and each of these keys is the name of a kind. */
export function hasOnlyKinds(text: string, kinds: ReadonlySet<string>): boolean {
  const keys = [...text.matchAll(/^["']?([\w$-]+)["']?:(?=\s|$)/gm)];
  return keys.length > 0 && keys.every(([, key = ""]) => kinds.has(key));
}

/** Refuses to take a folder of other programs' files for a configuration, where neither settings nor the command line name its files. */

import type { Findings } from "../../core/findings.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import type { FileBytes } from "../source/files.ts";

/** So many files without a kind may be mistakes of a configuration. */
const MAX_FOREIGN = 20;

/** Records one error in place of one for each file, and returns no file, if many files have no kind. */
export function refuseForeignFolder(
  files: readonly FileBytes[],
  kinds: readonly Kind[],
  findings: Findings,
): readonly FileBytes[] {
  const key = new RegExp(`^["']?(?:${kinds.map(({ name }) => name).join("|")})["']?:`, "m");
  const foreign = files.filter(({ bytes }) => !key.test(new TextDecoder().decode(bytes))).length;
  if (foreign <= MAX_FOREIGN) return files;
  const message = `${foreign} of ${files.length} YAML files in this directory declare nothing, and no incidentctl.yaml says which of them are the configuration`;
  findings.error("E_SETTINGS", message, undefined, {
    help: "Name the directory of the configuration, or begin one in an empty directory: incidentctl init.",
  });
  return [];
}

/** Every planted mutant. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rowsIn } from "../support/rows.ts";
import type { Mutant } from "./mutant.ts";

/** The files of the rows, one for each subject. A text after `|2` begins with spaces, which are part of it. */
export const SUBJECTS: readonly string[] = [
  "requests",
  "writes",
  "service",
  "journal",
  "meaning",
  "one-time-tokens",
  "input",
  "planner",
  "random-plans",
  "drift",
  "environment",
  "rehearsal",
  "catalog-sources",
];

const MEMBERS = { id: true, rule: true, does: true, file: true, edits: true, redBy: true } as const;

/** The mutants of the repository at this root: the compiled program is elsewhere, and the rows are not compiled. */
export function mutantsIn(root: string): readonly Mutant[] {
  return SUBJECTS.flatMap((subject) => {
    const file = pathToFileURL(join(root, "test", "mutants", "list", `${subject}.yaml`));
    return Object.values(rowsIn<Mutant>(file, MEMBERS)).flat();
  });
}

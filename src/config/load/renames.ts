/** `renamed_from` of entries that are known by their name: a name that is given up, by one entry only. */

import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Findings } from "./findings.ts";
import type { Directory } from "./references.ts";

/** Records every former name that an entry still has, and every one that two entries claim. */
export function checkRenames(entries: readonly DeclaredResource[], directory: Directory, findings: Findings): void {
  const claims = new Map<string, DeclaredResource>();
  for (const entry of entries) {
    if (entry.renamedFrom === undefined) continue;
    const { kind, scope, renamedFrom } = entry;
    const at = entry.place("/renamed_from");
    const holder = directory.entry(kind.name, renamedFrom, scope);
    if (holder !== undefined) {
      findings.error("E_RENAME", `"${renamedFrom}" is still the name of a ${kind.title}`, at, {
        related: [{ message: "declared here", at: holder.place(`/${holder.keyField}`) }],
        help: "Leave renamed_from out once the new name is applied.",
      });
    }
    const claim = `${kind.name}\n${scope}\n${renamedFrom}`;
    const first = claims.get(claim);
    if (first === undefined) claims.set(claim, entry);
    else {
      findings.error("E_RENAME", `two entries were "${renamedFrom}" before`, at, {
        related: [{ message: "first here", at: first.place("/renamed_from") }],
      });
    }
  }
}

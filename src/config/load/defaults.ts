/** The entry that counts when none is named: at most one of a list, and an enabled one. */

import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Findings } from "./findings.ts";

/** Records a second default of a list, and a default that is disabled. */
export function checkDefaults(entries: readonly DeclaredResource[], findings: Findings): void {
  const firsts = new Map<string, DeclaredResource>();
  for (const entry of entries) {
    if (entry.kind.fields?.default === undefined || entry.fields.default !== true) continue;
    const {
      name,
      lifecycle: { disable },
    } = entry.kind;
    if (disable !== undefined && entry.fields[disable] === false) {
      findings.error("E_DEFAULT", `${entry.address} is the default and disabled`, entry.place(`/${disable}`), {
        help: "Make another entry the default first.",
      });
    }
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, entry);
      continue;
    }
    findings.error("E_DEFAULT", `a second ${entry.kind.title} is the default`, entry.place("/default"), {
      related: [{ message: `${first.address} is the default`, at: first.place("/default") }],
      help: "At most one can be.",
    });
  }
}

/** Names that are longer than anybody can read at a glance, or a service may keep. */

import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Findings } from "./findings.ts";

/** What a column of a database commonly holds; how much the service takes is not known. */
const LONGEST_NAME = 255;

/** Warns of every name that is longer. */
export function warnOfLongNames(entries: Iterable<DeclaredResource>, findings: Findings): void {
  for (const entry of entries) {
    const { name } = entry.fields;
    if (typeof name !== "string" || name.length <= LONGEST_NAME) continue;
    const message = `the name has ${name.length} characters; the service may refuse or cut it`;
    findings.warning("W_TOO_LONG", message, entry.place("/name"));
  }
}

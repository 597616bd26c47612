/** Two declarations of one thing: the same identity, or the same pin. */

import type { DeclaredResource } from "../../kinds/resource.ts";
import type { Findings } from "./findings.ts";
import { ListMap } from "./list-map.ts";

/** Records every entry that repeats an earlier one; pinned entries are told apart by their pins. */
export function refuseDuplicates(entries: readonly DeclaredResource[], findings: Findings): void {
  const keys = new ListMap<Map<string, DeclaredResource>>(() => new Map());
  const pins = new ListMap<Map<string, DeclaredResource>>(() => new Map());
  for (const entry of entries) {
    const { kind, scope, keyField, pin } = entry;
    if (kind.identity.keys.length === 0) continue;
    if (pin !== undefined) {
      const first = firstOf(pins.of(kind.name, scope), pin, entry);
      if (first !== undefined) refuse(entry, first, `"${pin}" is pinned by two entries`, findings);
    } else {
      const name = keyField === kind.identity.keys[0] ? folded(entry) : `${keyField}\n${folded(entry)}`;
      const first = firstOf(keys.of(kind.name, scope), name, entry);
      if (first !== undefined) refuse(entry, first, `${entry.address} is declared twice`, findings);
    }
  }
}

/** Slugs that differ only in their case are one to people; names are free. */
function folded(entry: DeclaredResource): string {
  return entry.keyField === "slug" ? entry.key.toLowerCase() : entry.key;
}

function firstOf(
  seen: Map<string, DeclaredResource>,
  name: string,
  entry: DeclaredResource,
): DeclaredResource | undefined {
  const first = seen.get(name);
  if (first === undefined) seen.set(name, entry);
  return first;
}

function refuse(entry: DeclaredResource, first: DeclaredResource, message: string, findings: Findings): void {
  findings.error("E_DUP_OBJECT", message, entry.place(`/${entry.keyField}`), {
    related: [{ message: "first here", at: first.place(`/${first.keyField}`) }],
    help: "Keep one of the two.",
  });
}

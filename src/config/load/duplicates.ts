/** Two declarations of one thing: the same identity, or the same pin. */

import type { Declared } from "../../kinds/resource.ts";
import type { Findings } from "./findings.ts";
import { ListMap } from "./list-map.ts";

/** Records every entry that repeats an earlier one; pinned entries are told apart by their pins. */
export function refuseDuplicates(entries: readonly Declared[], findings: Findings): void {
  const keys = new ListMap<Map<string, Declared>>(() => new Map());
  const pins = new ListMap<Map<string, Declared>>(() => new Map());
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
function folded(entry: Declared): string {
  return entry.keyField === "slug" ? entry.key.toLowerCase() : entry.key;
}

function firstOf(seen: Map<string, Declared>, name: string, entry: Declared): Declared | undefined {
  const first = seen.get(name);
  if (first === undefined) seen.set(name, entry);
  return first;
}

function refuse(entry: Declared, first: Declared, message: string, findings: Findings): void {
  findings.error("E_DUP_OBJECT", message, entry.place(`/${entry.keyField}`), {
    related: [{ message: "first here", at: first.place(`/${first.keyField}`) }],
    help: "Keep one of the two.",
  });
}

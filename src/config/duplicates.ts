/** Two declarations of one thing: the same identity, or the same pin. */

import type { Declared } from "../kinds/resource.ts";
import type { Findings } from "./findings.ts";

/** Records every entry that repeats an earlier one; pinned entries are told apart by their pins. */
export function refuseDuplicates(entries: readonly Declared[], findings: Findings): void {
  const keys = new Map<string, Declared>();
  const pins = new Map<string, Declared>();
  for (const entry of entries) {
    if (entry.kind.key.length === 0) continue;
    const list = `${entry.kind.name}\n${entry.scope}\n`;
    if (entry.pin !== undefined) {
      const first = firstOf(pins, `${list}${entry.pin}`, entry);
      if (first !== undefined) refuse(entry, first, `"${entry.pin}" is pinned by two entries`, findings);
    } else {
      const first = firstOf(keys, `${list}${entry.keyField}\n${folded(entry)}`, entry);
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

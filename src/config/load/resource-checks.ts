/** Checks across the declared resources: duplicates, defaults, renames, long names. */

import type { Findings } from "../../core/findings.ts";
import type { DeclaredResource } from "../../kinds/resource.ts";
import { ListMap } from "./list-map.ts";
import type { Directory } from "./references.ts";

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

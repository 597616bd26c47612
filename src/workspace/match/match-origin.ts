/**
 * Resources that their system names by an id: the id stays when the name changes, so it tells which live resource is meant before any
 * slug does.
 */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { Fields } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { originOf } from "../../kinds/model/resource.ts";

/** Which rows of a list the files own. */
interface Ownership {
  /** A system whose resources are those of another one now → that one. */
  readonly takenOver?: ReadonlyMap<string, string> | undefined;
  readonly isOwn: (system: string) => boolean;
  readonly isProtected: (key: string) => boolean;
}

/**
 * The rows of a list that have another key in the files than on the wire, each with that key. A row with the origin of a declared resource has
 * the key of that one. Its former holder, if nothing declares that one any more, gives it up and is told apart by its id: a plan may remove it.
 * A key that another row keeps is not free: the row that should have it has none here.
 */
export function keysByOrigin(
  kind: Kind,
  rows: readonly Fields[],
  keyOf: (row: Fields) => string | undefined,
  declared: readonly DeclaredResource[],
  { takenOver, isOwn, isProtected }: Ownership,
): ReadonlyMap<Fields, string> {
  const keys = new Map<Fields, string>();
  const { origin } = kind.identity;
  if (origin === undefined || declared.length === 0) return keys;
  const byOrigin = new Map(declared.map((resource) => [originOf(kind, resource.fields), resource.key]));
  const present = new Set(rows.map((row) => originOf(kind, row)));
  const successorOf = (row: Fields): string | undefined => {
    const by = takenOver?.get(String(row[origin.system]));
    const name = by === undefined ? undefined : originOf(kind, { ...row, [origin.system]: by });
    return present.has(name) ? undefined : name;
  };
  for (const row of rows) {
    const key = byOrigin.get(originOf(kind, row) ?? "") ?? byOrigin.get(successorOf(row) ?? "");
    if (key !== undefined && key !== keyOf(row)) keys.set(row, key);
  }
  if (keys.size === 0) return keys;
  const rowsByKey = groupBy(rows, keyOf);
  const holders = (key: string): readonly Fields[] => rowsByKey.get(key)?.filter((row) => !keys.has(row)) ?? [];
  const formerKeys = new Set(declared.map(({ renamedFrom }) => renamedFrom));
  const givesUp = (holder: Fields, key: string): boolean => {
    const name = originOf(kind, holder);
    const isOfFiles = name !== undefined && isOwn(String(holder[origin.system]));
    return isOfFiles && !byOrigin.has(name) && !formerKeys.has(key) && !isProtected(key);
  };
  for (let before = -1; before !== keys.size; ) {
    before = keys.size;
    for (const [row, key] of keys) if (!holders(key).every((holder) => givesUp(holder, key))) keys.delete(row);
  }
  for (const [holder, key] of [...keys.values()].flatMap((key) => holders(key).map((holder) => [holder, key] as const)))
    keys.set(holder, `${key} (${holder[origin.id]})`);
  return keys;
}

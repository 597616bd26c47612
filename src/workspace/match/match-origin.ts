/**
 * Resources that their system names by an id: the id stays when the name changes, so it tells which live resource is meant before any
 * slug does.
 */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import type { Fields } from "../../core/json.ts";
import { groupBy } from "../../core/lists.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { originOf } from "../../kinds/model/resource.ts";

/**
 * The rows of a list that have the origin of a declared resource with another key, each with that key. A key that another row keeps is
 * not free: its row has none here.
 */
export function keysByOrigin(
  kind: Kind,
  rows: readonly Fields[],
  keyOf: (row: Fields) => string | undefined,
  declared: readonly DeclaredResource[],
): ReadonlyMap<Fields, string> {
  const keys = new Map<Fields, string>();
  if (kind.identity.origin === undefined || declared.length === 0) return keys;
  const byOrigin = new Map(declared.map((resource) => [originOf(kind, resource.fields), resource.key]));
  for (const row of rows) {
    const origin = originOf(kind, row);
    const key = origin === undefined ? undefined : byOrigin.get(origin);
    if (key !== undefined && key !== keyOf(row)) keys.set(row, key);
  }
  if (keys.size === 0) return keys;
  const rowsByKey = groupBy(rows, keyOf);
  const isTaken = (key: string): boolean => rowsByKey.get(key)?.some((row) => !keys.has(row)) === true;
  for (let before = -1; before !== keys.size; ) {
    before = keys.size;
    for (const [row, key] of keys) if (isTaken(key)) keys.delete(row);
  }
  return keys;
}

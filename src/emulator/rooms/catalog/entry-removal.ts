/** Removing a catalog entry: what may still point at it, and what goes with it. */

import { guardReferences, type Reference, type ReferenceScope } from "../../store/references.ts";
import { type CatalogEntryRow, catalogEntries, catalogReferences } from "./catalog-tables.ts";

/** Removes an entry with its own references. Throws 422 with the count when something still points at it. */
export function removeEntry(scope: ReferenceScope, entry: CatalogEntryRow): void {
  guardReferences(entry, "catalog/entries", scope);
  scope.database.remove(catalogReferences, { entry_id: entry.id });
  scope.database.remove(catalogReferences, { target_entry_id: entry.id });
  scope.database.remove(catalogEntries, { id: entry.id });
}

/** Entries point at entries by their reference attributes. */
export function entryReference(): Reference {
  return {
    target: "catalog/entries",
    noun: "catalog entry",
    always: false,
    count: (database, id) => database.count(catalogReferences, { target_entry_id: id }),
  };
}

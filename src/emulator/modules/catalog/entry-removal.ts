/** The removal of a catalog entry. */

import { type ReferenceCounter, type ReferenceScope, refuseIfReferenced } from "../../store/references.ts";
import { type CatalogEntryRow, catalogEntries, catalogReferences } from "./catalog-tables.ts";

/** Removes an entry and its references to others. Throws 422 with the count if it is still referenced. */
export function removeEntry(scope: ReferenceScope, entry: CatalogEntryRow): void {
  refuseIfReferenced(entry, "catalog/entries", scope);
  scope.database.remove(catalogEntries, { id: entry.id });
  removeReferences(scope, entry);
}

/** Removes the references of an entry that is gone. */
export function removeReferences({ database }: Pick<ReferenceScope, "database">, { id }: CatalogEntryRow): void {
  database.remove(catalogReferences, { entry_id: id });
  database.remove(catalogReferences, { target_entry_id: id });
}

/** Counts the references between entries. */
export function entryReference(): ReferenceCounter {
  return {
    target: "catalog/entries",
    noun: "catalog entry",
    isAlwaysCounted: false,
    count: (database, id) => database.count(catalogReferences, { target_entry_id: id }),
  };
}

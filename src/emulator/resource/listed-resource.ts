/** A resource as the pages show it, without a line of its own there. */

import type { Fields } from "../../core/json.ts";
import type { ListedResource, ListedRow, ResponseScope } from "../service/module.ts";
import type { ResourceDefinition } from "./definition.ts";
import type { ComputedProperties, ResourceFields, RowOf } from "./field.ts";

/** The rows of a resource, in its order. `present` returns the properties of a response. */
export function listedResource<F extends ResourceFields, C extends ComputedProperties>(
  { path, table, order = "rowid", listed: where }: ResourceDefinition<F, C>,
  present: (scope: ResponseScope, row: RowOf<F>) => Fields,
): ListedResource {
  const listed = (scope: ResponseScope, row: RowOf<F>): ListedRow => ({ id: row.id, properties: present(scope, row) });
  return {
    path,
    count: (database) => database.count(table, where),
    list: (scope, limit) => scope.database.list(table, where, { order, limit }).map((row) => listed(scope, row)),
    find(scope, id) {
      const row = scope.database.find(table, { id } as Partial<RowOf<F>>);
      return row === undefined ? undefined : listed(scope, row);
    },
  };
}

/** The resources that the pages list: those of every module, in the order of the modules. */

import type { Fields } from "../../../core/json.ts";
import { allModules } from "../../modules/all-modules.ts";
import { catalogAttributes, catalogEntries, catalogTypes } from "../../modules/catalog/catalog-tables.ts";
import { customFieldOptions, customFieldTable } from "../../modules/custom-fields/custom-field-tables.ts";
import { alertSourceTable } from "../../modules/routing/alert-sources.ts";
import { routingRuleTable } from "../../modules/routing/routing-rule-sets.ts";
import { runbookSteps, runbookTable } from "../../modules/runbooks/runbook-tables.ts";
import type { ListedResource, ListedRow, ResponseScope, ServiceModule } from "../../service/module.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";

/** A resource with the name of its pages: `/configuration/catalog_types`, `Catalog types`. */
export interface PageResource extends ListedResource {
  readonly name: string;
  readonly title: string;
}

/** The resources of the modules, each once. */
export function resourcesOf(modules: readonly Pick<ServiceModule, "resource">[]): readonly PageResource[] {
  const resources = modules.flatMap(({ resource }) => (resource === undefined ? [] : [named(resource)]));
  return resources.filter(({ name }, index) => resources.findIndex((other) => other.name === name) === index);
}

function named(resource: ListedResource): PageResource {
  const name = resource.path.replaceAll("/", "_");
  return { ...resource, name, title: wordsOf(name) };
}

/** A name of the interface as a title: `alert_sources` as `Alert sources`. */
export function wordsOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;
}

/** A resource whose module does not say how it is listed: its rows as they are stored. */
function stored<Row extends { readonly id: string }>(
  path: string,
  table: Table<Row>,
  order: string,
  parts: (database: Database, id: string) => object = () => ({}),
): { readonly resource: ListedResource } {
  const listed = ({ database }: ResponseScope, row: Row): ListedRow => {
    // Every column of these tables is a JSON value.
    return { id: row.id, properties: { ...(row as unknown as Fields), ...parts(database, row.id) } };
  };
  return {
    resource: {
      path,
      count: (database) => database.count(table),
      list: (scope, limit) => scope.database.list(table, {}, { order, limit }).map((row) => listed(scope, row)),
      find(scope, id) {
        const row = scope.database.find(table, { id } as Partial<Row>);
        return row === undefined ? undefined : listed(scope, row);
      },
    },
  };
}

const position = { order: "position" };

/** Every resource. */
export const pageResources: readonly PageResource[] = resourcesOf([
  ...allModules,
  stored("custom_fields", customFieldTable, "rowid", (database, field_id) => ({
    options: database.list(customFieldOptions, { field_id }, position),
  })),
  stored("runbooks", runbookTable, "rowid", (database, runbook_id) => ({
    steps: database.list(runbookSteps, { runbook_id }, position),
  })),
  stored("catalog/types", catalogTypes, "name", (database, type_id) => ({
    attributes: database.list(catalogAttributes, { type_id }, position),
  })),
  stored("catalog/entries", catalogEntries, "name"),
  stored("alert_sources", alertSourceTable, "name"),
  stored("routing_rules", routingRuleTable, "rule_set_id, priority"),
]);

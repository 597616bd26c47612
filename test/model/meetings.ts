/** Which live entry a declared one means, as far as names say: why nobody can tell, and how often one is there. */

import type { Fields } from "../../src/core/json.ts";
import { lower } from "./differences.ts";
import { having, OPTION_LISTS, rowsOf, type Workspace } from "./workspace.ts";

/** Why no plan can be made, as far as names say: another entry has the declared name already, or two have it. */
export function refusals(document: Fields, live: Workspace): readonly string[] {
  const bySlug = [...OPTION_LISTS, "custom_fields", "runbooks", "catalog_types", "agents"] as const;
  const twins = bySlug.flatMap((list) => twinsIn(list, rowsOf(document[list]), live[list]));
  const entries = rowsOf(document.catalog_types).flatMap((type) => {
    const row = live.catalog_types.find(({ slug }) => slug === type.slug);
    return row === undefined
      ? []
      : twinsIn(`${type.slug}`, rowsOf(type.entries), having(live.entries, "type_id", row.id));
  });
  const doubles = (["webhooks", "api_keys"] as const).flatMap((list) =>
    rowsOf(document[list])
      .filter((entry) => doubled(live[list], entry))
      .map(({ name }) => `two ${list} are called ${name}`),
  );
  return [...twins, ...entries, ...doubles];
}

function twinsIn(list: string, declared: readonly Fields[], rows: readonly Fields[]): readonly string[] {
  const slugs = new Set(declared.map(({ slug }) => slug));
  return declared
    .filter(({ slug }) => !rows.some((row) => row.slug === slug))
    .filter(({ name }) => rows.some((row) => !slugs.has(row.slug) && lower(row.name) === lower(name)))
    .map(({ slug, name }) => `${list}/${slug}: "${name}" is the name of another one`);
}

function doubled(rows: readonly Fields[], { name, renamed_from: former }: Fields): boolean {
  const found = having(rows, "name", name);
  return found.length > 1 || (found.length === 0 && former !== undefined && having(rows, "name", former).length > 1);
}

/** How often each declared entry is there: under its slug, or under its name. */
export function copies(document: Fields, live: Workspace): ReadonlyMap<string, number> {
  const bySlug = [...OPTION_LISTS, "custom_fields", "runbooks", "catalog_types", "agents"] as const;
  const lists = [...bySlug, "webhooks", "api_keys", "alert_sources"] as const;
  return new Map(
    lists.flatMap((list) =>
      rowsOf(document[list]).map(({ name, slug }): readonly [string, number] => {
        const mine = live[list].filter(
          (row) => lower(row.name) === lower(name) || (slug !== undefined && row.slug === slug),
        );
        return [`${list}/${slug ?? name}`, mine.length];
      }),
    ),
  );
}

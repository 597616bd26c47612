/** Reasons for which a plan may be refused. */

import type { Fields, Json } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import { rowsOf } from "../cases/choice.ts";
import type { Snapshot } from "../service.ts";

/** Why no plan can be made, as far as names say: another resource has the declared name, or several have it. */
export function refusalReasons(document: Fields, live: Snapshot): readonly string[] {
  const lower = (name: Json | undefined) => String(name).trim().toLowerCase();
  const twins = (list: string, declared: readonly Fields[], rows: readonly Fields[]): readonly string[] => {
    const slugs = new Set(declared.map(({ slug }) => slug));
    return declared
      .filter(({ slug }) => slug !== undefined && !rows.some((row) => row.slug === slug))
      .filter(({ name }) => rows.some((row) => !slugs.has(row.slug) && lower(row.name) === lower(name)))
      .map(({ slug, name }) => `${list}/${slug}: another one is called ${name}`);
  };
  const named = (["webhooks", "api_keys"] as const).flatMap((list) => {
    const pins = new Set(rowsOf(document[list]).flatMap(({ id, prefix }) => id ?? prefix ?? []));
    const free = live[list].filter(({ id, prefix }) => ![id, prefix].some((pin) => pin !== undefined && pins.has(pin)));
    const count = (name: Json | undefined) => free.filter((row) => row.name === name).length;
    return rowsOf(document[list])
      .filter(({ id, prefix }) => id === undefined && prefix === undefined)
      .filter(
        ({ name, renamed_from }) =>
          count(name) > 1 || (count(name) === 0 && renamed_from !== undefined && count(renamed_from) > 1),
      )
      .map(({ name }) => `several ${list} are called ${name}`);
  });
  const pinned = (["webhooks", "api_keys"] as const).flatMap((list) => {
    const key = list === "webhooks" ? "id" : "prefix";
    return rowsOf(document[list])
      .filter((entry) => entry[key] !== undefined && !live[list].some((row) => row[key] === entry[key]))
      .map(({ name }) => `the pin of ${list}/${name} is gone`);
  });
  const slugged = [...OPTION_LISTS, "custom_fields", "runbooks", "catalog_types", "agents"] as const;
  const entries = rowsOf(document.catalog_types).flatMap((type) =>
    twins(
      `${type.slug}`,
      rowsOf(type.entries),
      live.entries.filter((row) => row.type === type.slug),
    ),
  );
  const retyped = rowsOf(document.catalog_types).flatMap((type) => {
    const row = live.catalog_types.find(({ slug }) => slug === type.slug);
    const definitions = rowsOf(row?.attribute_definitions ?? row?.attributes);
    const targetOf = ({ reference_type, reference_type_id }: Fields) =>
      reference_type ?? live.catalog_types.find(({ id }) => id === reference_type_id)?.slug;
    return rowsOf(type.attributes).flatMap(({ name, attribute_type, reference_type }) => {
      const before = definitions.find((definition) => lower(definition.name) === lower(name));
      if (before === undefined) return [];
      const isSame = before.attribute_type === attribute_type && targetOf(before) === reference_type;
      return isSame ? [] : [`the attribute ${name} of ${type.slug} has another type`];
    });
  });
  return [
    ...retyped,
    ...slugged.flatMap((list) => twins(list, rowsOf(document[list]), live[list])),
    ...entries,
    ...named,
    ...pinned,
  ];
}

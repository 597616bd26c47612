/** What refers to what in a workspace, by what the service returns. */

import { type Fields, isFields, type Json } from "../../../src/core/json.ts";
import { rowsOf, textsOf } from "../cases/choice.ts";
import { LISTS, type Snapshot } from "../service.ts";

/** One reference: who refers, and the id or the slug behind its kind that it holds. */
export interface Reference {
  readonly from: string;
  readonly to: string;
  /** The resource refers to itself: that holds nothing. */
  readonly isOwn?: true;
}

/** Everything that can be referred to, each with its name for a message. */
export function targetsIn(live: Snapshot): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const list of LISTS) {
    for (const row of live[list]) targets.set(String(row.id), `${list}/${String(row.slug ?? row.name)}`);
  }
  for (const row of live.custom_fields) {
    targets.set(`custom_field ${row.slug}`, `custom_fields/${row.slug}`);
    for (const { id, label } of rowsOf(row.options)) targets.set(String(id), `the choice ${label} of ${row.slug}`);
    for (const { label } of rowsOf(row.options))
      targets.set(`choice ${row.slug} ${label}`, `the choice ${label} of ${row.slug}`);
  }
  for (const { slug } of live.catalog_types) targets.set(`catalog_type ${slug}`, `catalog_types/${slug}`);
  for (const { slug, type } of live.entries) {
    if (type === "environment") targets.set(`environment ${slug}`, `catalog_types/environment/entries/${slug}`);
  }
  return targets;
}

/** Every reference that the service returns. */
export function referencesIn(live: Snapshot): readonly Reference[] {
  return [
    ...live.form_fields.flatMap((row) => {
      const from = `forms/${row.form}/${row.slug}`;
      const field = row.source === "custom" ? [{ from, to: `custom_field ${row.slug}` }] : [];
      return [...field, ...conditions(from, row)];
    }),
    ...live.runbooks.flatMap((row) => conditions(`runbooks/${row.slug}`, row)),
    ...live.rules.flatMap(({ source, priority, outcome }) => {
      const from = `routing_rules/${source === "" ? "workspace" : source}/${priority}`;
      return idsIn(outcome, ["severity_id", "entry_id"]).map((to) => ({ from, to }));
    }),
    ...live.grants.flatMap(({ principal, environments }) => {
      const from = `a grant of ${isFields(principal) ? principal.name : ""}`;
      return textsOf(environments).map((place) => ({ from, to: `environment ${place}` }));
    }),
    ...live.entries.flatMap(({ id, type, slug, references }) =>
      rowsOf(references).map(({ target_entry_id }) =>
        reference(`${type}/${slug}`, String(target_entry_id), target_entry_id === id),
      ),
    ),
    ...live.catalog_types.flatMap(({ slug, attribute_definitions }) =>
      rowsOf(attribute_definitions).flatMap(({ name, reference_type }) =>
        reference_type == null
          ? []
          : [reference(`attribute ${name} of ${slug}`, `catalog_type ${reference_type}`, reference_type === slug)],
      ),
    ),
    ...live.custom_fields.flatMap(({ slug, catalog_type }) =>
      catalog_type == null ? [] : [{ from: `custom_fields/${slug}`, to: `catalog_type ${catalog_type}` }],
    ),
    ...live.incidents.flatMap((row) => {
      const from = `the incident ${row.identifier}`;
      const own = [row.severity, row.status, row.type].flatMap((one) =>
        isFields(one) ? [{ from, to: String(one.id) }] : [],
      );
      const values = Object.entries(isFields(row.custom_fields) ? row.custom_fields : {}).flatMap(([field, value]) => {
        const isChoice = live.custom_fields.some(
          ({ slug, option_source }) => slug === field && option_source !== "none",
        );
        const chosen = typeof value === "string" ? [value] : textsOf(value);
        return [
          ...(value === null ? [] : [{ from, to: `custom_field ${field}` }]),
          ...(isChoice ? chosen.map((label) => ({ from, to: `choice ${field} ${label}` })) : []),
        ];
      });
      return [...own, ...values];
    }),
  ];
}

function reference(from: string, to: string, isOwn: boolean): Reference {
  return { from, to, ...(isOwn ? { isOwn } : {}) };
}

function conditions(from: string, row: Fields): readonly Reference[] {
  return rowsOf(row.conditions).flatMap(({ custom_field, values }) => [
    ...(custom_field == null ? [] : [{ from, to: `custom_field ${custom_field}` }]),
    ...textsOf(values).map((to) => ({ from, to })),
  ]);
}

function idsIn(value: Json | undefined, names: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => idsIn(item, names));
  if (!isFields(value as Json)) return [];
  return Object.entries(value as Fields).flatMap(([name, member]) =>
    names.includes(name) && typeof member === "string" ? [member] : idsIn(member, names),
  );
}

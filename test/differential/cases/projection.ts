/** What a workspace looks like as YAML: the files that a person would write for all of it. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import { FORMS, type Snapshot } from "../service.ts";
import { defined, rowsOf, textsOf } from "./choice.ts";

/** The words for ids: slugs, labels of options. */
export type Words = ReadonlyMap<Json, string>;

/** The words of everything that has an id. */
export function wordsOf(live: Snapshot): Words {
  const words = new Map<Json, string>();
  for (const list of [...OPTION_LISTS, "catalog_types", "entries", "custom_fields"] as const) {
    for (const { id, slug } of live[list]) words.set(id ?? null, String(slug));
  }
  for (const { options, option_source } of live.custom_fields) {
    if (option_source === "fixed") for (const { id, label } of rowsOf(options)) words.set(id ?? null, String(label));
  }
  return words;
}

/** The document of a whole workspace. What dangles is left out. */
export function documentOf(live: Snapshot): Fields {
  const words = wordsOf(live);
  const options = (list: (typeof OPTION_LISTS)[number]): Json =>
    live[list].map((row) =>
      defined({
        slug: row.slug,
        name: row.name,
        lifecycle_stage: row.lifecycle_stage,
        description: row.description ?? undefined,
        color: row.color ?? undefined,
        default: row.is_default === true ? true : undefined,
        enabled: row.enabled === false ? false : undefined,
      }),
    );
  return {
    ...Object.fromEntries(OPTION_LISTS.map((list) => [list, options(list)])),
    custom_fields: live.custom_fields.map((row) =>
      defined({
        slug: row.slug,
        name: row.name,
        field_type: row.field_type,
        option_source: row.option_source,
        description: row.description ?? undefined,
        catalog_type: row.catalog_type ?? undefined,
        options: row.option_source === "fixed" ? rowsOf(row.options).map(({ label }) => label ?? null) : undefined,
      }),
    ),
    forms: Object.fromEntries(
      FORMS.map((form) => [
        form,
        live.form_fields
          .filter((row) => row.form === form)
          .map((row) =>
            defined({
              [row.source === "custom" ? "custom_field" : "system_field"]: row.slug,
              visible: row.visible,
              required: row.required,
              conditions: row.locked === true ? undefined : conditionsIn(row, words),
            }),
          ),
      ]),
    ),
    runbooks: live.runbooks.map((row) =>
      defined({
        slug: row.slug,
        name: row.name,
        summary: row.summary ?? undefined,
        content: row.content ?? undefined,
        external_url: row.external_url ?? undefined,
        aliases: textsOf(row.aliases).length > 0 ? row.aliases : undefined,
        steps: stepsIn(row),
        conditions: conditionsIn(row, words),
      }),
    ),
    catalog_types: live.catalog_types.map((type) => typeIn(type, live, words)),
    alert_sources: live.alert_sources.map(({ name, provider, enabled }) =>
      defined({ name, provider, enabled: enabled === false ? false : undefined }),
    ),
    routing_rules: {
      workspace: rulesIn(live, "", words),
      sources: Object.fromEntries(
        live.alert_sources
          .map(({ name }): readonly [string, Json] => [String(name), rulesIn(live, String(name), words)])
          .filter(([, rules]) => rowsOf(rules).length > 0),
      ),
    },
    webhooks: live.webhooks.map(({ id, name, url, subscribed_events, enabled }) =>
      defined({
        id: isTwin(live.webhooks, name) ? id : undefined,
        name,
        url,
        subscribed_events,
        enabled: enabled === false ? false : undefined,
      }),
    ),
    api_keys: live.api_keys.map(({ name, permissions, prefix, active }) =>
      defined({
        prefix: isTwin(live.api_keys, name) ? prefix : undefined,
        name,
        permissions,
        active: active === false ? false : undefined,
      }),
    ),
    agents: live.agents.map((row) =>
      defined({
        slug: row.slug,
        name: row.name,
        description: row.description ?? undefined,
        enabled: row.enabled === false ? false : undefined,
        grants: grantsOf(live, row).map(({ ability, environments }) =>
          defined({ ability, environments: textsOf(environments).length > 0 ? environments : undefined }),
        ),
      }),
    ),
  };
}

/** Several rows have this name. */
function isTwin(rows: readonly Fields[], name: Json | undefined): boolean {
  return rows.filter((row) => row.name === name).length > 1;
}

/** The grants of an agent. */
export function grantsOf({ grants }: Snapshot, { id }: Fields): readonly Fields[] {
  return grants.filter(({ principal }) => isFields(principal) && principal.id === id);
}

/** The conditions of a row, in words; what dangles is left out. */
function conditionsIn({ conditions }: Fields, words: Words): Json {
  return rowsOf(conditions).flatMap(({ condition_field, custom_field, operator, values }): readonly Fields[] => {
    const known = textsOf(values).flatMap((id) => words.get(id) ?? []);
    if (known.length === 0 || (condition_field === "custom_field" && custom_field === undefined)) return [];
    return [defined({ condition_field, custom_field, operator, values: known })];
  });
}

/** The steps of a runbook as the files write them. */
export function stepsIn({ steps }: Fields): Json {
  return rowsOf(steps).map(({ title, instruction, tool, arguments: values }) =>
    defined({
      title,
      instruction: instruction ?? undefined,
      tool: tool ?? undefined,
      arguments: isFields(values) && Object.keys(values).length > 0 ? values : undefined,
    }),
  );
}

function typeIn(type: Fields, live: Snapshot, words: Words): Fields {
  const { slug, kind } = type;
  const entries = live.entries
    .filter((entry) => entry.type === slug)
    .map(({ slug: key, name, attributes, references }): Fields => {
      const values: Record<string, Json> = { ...(isFields(attributes) ? attributes : {}) };
      for (const { key: attribute, target_entry_id } of rowsOf(references)) {
        const word = words.get(target_entry_id ?? null);
        if (word !== undefined && values[String(attribute)] === undefined) values[String(attribute)] = word;
      }
      for (const [name, value] of Object.entries(values)) if (value === null) delete values[name];
      return { slug: key ?? null, name: name ?? null, attributes: values };
    });
  if (kind === "system") return { slug: slug ?? null, entries };
  return defined({
    slug,
    name: type.name,
    description: type.description ?? undefined,
    attributes: attributesIn(type),
    entries,
  });
}

/** The attributes of a type as the files write them. */
export function attributesIn({ attribute_definitions }: Fields): readonly Fields[] {
  return rowsOf(attribute_definitions).map(({ name, attribute_type, required, options, reference_type }) =>
    defined({
      name,
      attribute_type,
      required: required === true ? true : undefined,
      options: isList(options) && options.length > 0 ? options : undefined,
      reference_type: reference_type ?? undefined,
    }),
  );
}

/** The rules of a scope as the files write them. */
export function rulesIn({ rules }: Snapshot, source: string, words: Words): Json {
  return rules
    .filter((row) => row.source === source)
    .map(({ enabled, conditions, outcome }) =>
      defined({
        enabled: enabled === false ? false : undefined,
        conditions: rowsOf(conditions).length > 0 ? conditions : undefined,
        outcome: outcomeIn(isFields(outcome) ? outcome : {}, words),
      }),
    );
}

function outcomeIn({ severity_id, notify, invite, ...rest }: Fields, words: Words): Fields {
  const target = ({ entry_id, ...fields }: Fields): Fields =>
    defined({ ...fields, team: entry_id === undefined ? undefined : words.get(entry_id) });
  return defined({
    ...rest,
    severity: severity_id == null ? undefined : words.get(severity_id),
    notify: isFields(notify) ? target(notify) : undefined,
    invite: isList(invite) ? rowsOf(invite).map(target) : undefined,
  });
}

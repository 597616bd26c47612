/** How a workspace differs from what is declared: written without the kinds, so that neither can hide the other's mistake. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { having, OPTION_LISTS, rowsOf, rulesIn, textsIn, type Workspace } from "./workspace.ts";

/** What differs, in sentences. */
export interface Differences {
  /** Must be mended by an apply, and seen by whoever looks for drift. */
  readonly certain: readonly string[];
  /** May stay: it is in use, or the service does not tell it. */
  readonly possible: readonly string[];
}

/** Compares every managed list. */
export function differences(document: Fields, live: Workspace, isTold: boolean): Differences {
  const certain: string[] = [];
  const possible: string[] = [];
  const compare = (what: string, found: Json | undefined, wanted: Json | undefined, told = true) => {
    if (wanted === undefined || same(found ?? null, wanted)) return;
    (told ? certain : possible).push(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  };
  const stray = (what: string, isHeld: boolean) => {
    (isHeld ? possible : certain).push(`${what} is not declared`);
  };
  const context: Context = { document, live, isTold, compare, stray };
  for (const list of OPTION_LISTS) compareOptions(context, list);
  compareCustomFields(context);
  compareForms(context);
  compareRunbooks(context);
  compareCatalog(context);
  compareRules(context);
  compareNamed(context);
  compareAgents(context);
  return { certain, possible };
}

interface Context {
  readonly document: Fields;
  readonly live: Workspace;
  /** The service tells every field. */
  readonly isTold: boolean;
  readonly compare: (what: string, found: Json | undefined, wanted: Json | undefined, told?: boolean) => void;
  readonly stray: (what: string, isHeld: boolean) => void;
}

function compareOptions({ document, live, compare, stray }: Context, list: (typeof OPTION_LISTS)[number]): void {
  if (document[list] === undefined) return;
  const declared = rowsOf(document[list]);
  const slugs = declared.map(({ slug }) => slug ?? null);
  const rows = live[list];
  compare(
    `the order of ${list}`,
    present(rows, slugs),
    present(
      declared,
      rows.map(({ slug }) => slug ?? null),
    ),
  );
  for (const entry of declared) {
    const row = rows.find(({ slug }) => slug === entry.slug);
    const at = `${list}/${entry.slug}`;
    compare(at, row === undefined ? "absent" : "there", "there");
    if (row === undefined) continue;
    compare(`${at} name`, row.name, entry.name);
    compare(`${at} enabled`, row.enabled, entry.enabled ?? true);
    compare(`${at} default`, row.is_default, entry.default);
    compare(`${at} description`, row.description ?? "", entry.description);
    compare(`${at} lifecycle_stage`, row.lifecycle_stage, entry.lifecycle_stage);
    compare(`${at} color`, lower(row.color), lower(entry.color));
  }
  for (const row of rows) {
    if (row.enabled === true && !slugs.includes(row.slug ?? null) && row.slug !== "incident_lead") {
      stray(`${list}/${row.slug}`, false);
    }
  }
}

function compareCustomFields({ document, live, isTold, compare, stray }: Context): void {
  if (document.custom_fields === undefined) return;
  const declared = rowsOf(document.custom_fields);
  for (const entry of declared) {
    const row = live.custom_fields.find(({ slug }) => slug === entry.slug);
    const at = `custom_fields/${entry.slug}`;
    compare(at, row === undefined ? "absent" : "there", "there");
    if (row === undefined) continue;
    for (const name of ["name", "field_type"]) compare(`${at} ${name}`, row[name], entry[name]);
    compare(`${at} description`, row.description ?? "", entry.description, isTold);
    const type = live.catalog_types.find(({ id }) => id === row.catalog_type_id);
    compare(`${at} catalog_type`, type?.slug, entry.catalog_type);
    if (!isList(entry.options)) continue;
    const options = having(live.options, "field_id", row.id);
    const labels = entry.options.map((one) => (isFields(one) ? (one.label ?? null) : one));
    compare(`${at} options`, present(options, labels, "label"), labels);
    for (const { id, label } of options) {
      if (!labels.includes(label ?? null)) stray(`${at} option ${label}`, isMentioned(live, id));
    }
  }
  for (const row of live.custom_fields) {
    if (declared.some(({ slug }) => slug === row.slug)) continue;
    const isHeld =
      live.form_rows.some(({ custom_field_id }) => custom_field_id === row.id) ||
      live.conditions.some(({ custom_field_id }) => custom_field_id === row.id) ||
      live.incidents.some(
        ({ custom_values }) => isFields(custom_values) && custom_values[String(row.id)] !== undefined,
      );
    stray(`custom_fields/${row.slug}`, isHeld || !isTold);
  }
}

function compareForms({ document, live, isTold, compare }: Context): void {
  for (const [form, fields] of Object.entries(isFields(document.forms) ? document.forms : {})) {
    for (const entry of rowsOf(fields)) {
      const slug = entry.custom_field ?? entry.system_field;
      const at = `forms/${form}/${slug}`;
      const row = live.form_fields.find((one) => one.form === form && one.slug === slug);
      compare(at, row === undefined ? "absent" : "there", "there");
      if (row === undefined) continue;
      for (const name of ["visible", "required"]) compare(`${at} ${name}`, row[name], entry[name]);
      if (entry.conditions !== undefined) compareConditions(at, row.conditions, entry.conditions);
    }
  }
  function compareConditions(at: string, found: Json | undefined, wanted: Json): void {
    compare(`${at} conditions`, kept(rowsOf(found)), worded(live, rowsOf(wanted)), isTold || rowsOf(found).length > 0);
  }
}

function compareRunbooks({ document, live, isTold, compare, stray }: Context): void {
  if (document.runbooks === undefined) return;
  const declared = rowsOf(document.runbooks);
  for (const entry of declared) {
    const row = live.runbooks.find(({ slug }) => slug === entry.slug);
    const at = `runbooks/${entry.slug}`;
    compare(at, row === undefined ? "absent" : "there", "there");
    if (row === undefined) continue;
    compare(`${at} name`, row.name, entry.name);
    compare(`${at} summary`, row.summary ?? "", entry.summary);
    const steps = having(live.steps, "runbook_id", row.id).map(({ title, instruction }) => [
      title,
      instruction ?? null,
    ]);
    const wanted = entry.steps === undefined ? undefined : rowsOf(entry.steps);
    compare(
      `${at} steps`,
      steps as Json,
      wanted?.map(({ title, instruction }) => [title, instruction ?? null]) as Json,
    );
    if (entry.conditions === undefined) continue;
    const conditions = having(live.conditions, "owner_id", row.id);
    compare(`${at} conditions`, kept(conditions), worded(live, rowsOf(entry.conditions)), isTold);
  }
  for (const { slug } of live.runbooks) {
    if (!declared.some((entry) => entry.slug === slug)) stray(`runbooks/${slug}`, live.incidents.length > 0);
  }
}

function compareCatalog({ document, live, isTold, compare, stray }: Context): void {
  if (document.catalog_types === undefined) return;
  const declared = rowsOf(document.catalog_types);
  for (const entry of declared) {
    const row = live.catalog_types.find(({ slug }) => slug === entry.slug);
    const at = `catalog_types/${entry.slug}`;
    compare(at, row === undefined ? "absent" : "there", "there");
    if (row === undefined) continue;
    compare(`${at} name`, row.name, entry.name);
    const attributes = having(live.attributes, "type_id", row.id);
    if (entry.attributes !== undefined) {
      const names = rowsOf(entry.attributes).map(({ name }) => name ?? null);
      compare(`${at} attributes`, present(attributes, names, "name"), names);
      for (const { id, name, slug } of attributes) {
        const isHeld =
          live.references.some(({ attribute_id }) => attribute_id === id) ||
          having(live.entries, "type_id", row.id).some(
            ({ attributes: values }) => isFields(values) && values[String(slug)] !== undefined,
          );
        if (!names.includes(name ?? null)) stray(`${at} attribute ${name}`, isHeld);
      }
    }
    if (entry.entries === undefined) continue;
    const entries = having(live.entries, "type_id", row.id);
    for (const one of rowsOf(entry.entries)) {
      const found = entries.find(({ slug }) => slug === one.slug);
      compare(`${at}/${one.slug}`, found === undefined ? "absent" : "there", "there");
      if (found === undefined) continue;
      compare(`${at}/${one.slug} name`, found.name, one.name);
      for (const [key, value] of Object.entries(isFields(one.attributes) ? one.attributes : {})) {
        compare(`${at}/${one.slug} ${key}`, key === "part_of" ? targetOf(live, found, row) : held(found, key), value);
      }
    }
    for (const { id, slug } of entries) {
      if (rowsOf(entry.entries).some((one) => one.slug === slug)) continue;
      stray(`${at}/${slug}`, !isTold || isMentioned(live, id));
    }
  }
  for (const { id, slug, kind } of live.catalog_types) {
    if (kind === "system" || declared.some((entry) => entry.slug === slug)) continue;
    const entries = new Set(having(live.entries, "type_id", id).map((entry) => String(entry.id)));
    const isHeld =
      live.attributes.some(({ reference_type_id, type_id }) => reference_type_id === id && type_id !== id) ||
      live.custom_fields.some(({ catalog_type_id }) => catalog_type_id === id) ||
      [...entries].some((entry) => isMentioned(live, entry));
    stray(`catalog_types/${slug}`, isHeld || !isTold);
  }
}

function compareRules({ document, live, compare }: Context): void {
  const rules = isFields(document.routing_rules) ? document.routing_rules : {};
  const scopes = [["", rules.workspace] as const, ...Object.entries(isFields(rules.sources) ? rules.sources : {})];
  for (const [scope, declared] of scopes) {
    if (declared === undefined) continue;
    const id = scope === "" ? "" : live.alert_sources.find(({ name }) => name === scope)?.id;
    const wanted = rowsOf(declared).map((rule) => plainRule(wired(rule, live)));
    compare(`the rules of ${scope === "" ? "the workspace" : scope}`, rulesIn(live, String(id)).map(plainRule), wanted);
  }
}

function compareNamed({ document, live, compare, stray }: Context): void {
  for (const [list, isOn] of [
    ["alert_sources", "enabled"],
    ["webhooks", "enabled"],
    ["api_keys", "active"],
  ] as const) {
    if (document[list] === undefined) continue;
    const declared = rowsOf(document[list]);
    for (const entry of declared) {
      const row = live[list].find(({ name }) => name === entry.name);
      const at = `${list}/${entry.name}`;
      compare(at, row === undefined ? "absent" : "there", "there");
      if (row === undefined) continue;
      compare(`${at} ${isOn}`, row[isOn], entry[isOn] ?? true);
      compare(`${at} url`, row.url, entry.url);
      compare(`${at} subscribed_events`, asSet(row.subscribed_events), asSet(entry.subscribed_events));
      if (!isFields(entry.permissions)) continue;
      const wanted = Object.entries(entry.permissions).flatMap(([resource, actions]) =>
        textsIn(actions).map((action) => `${resource}.${action}`),
      );
      compare(`${at} permissions`, abilitiesOf(live, row), asSet(wanted));
    }
    for (const row of live[list]) {
      if (row[isOn] === true && !declared.some(({ name }) => name === row.name)) stray(`${list}/${row.name}`, false);
    }
  }
}

function compareAgents({ document, live, compare, stray }: Context): void {
  if (document.agents === undefined) return;
  const declared = rowsOf(document.agents);
  for (const entry of declared) {
    const row = live.agents.find(({ slug }) => slug === entry.slug);
    const at = `agents/${entry.slug}`;
    compare(at, row === undefined ? "absent" : "there", "there");
    if (row === undefined) continue;
    compare(`${at} name`, row.name, entry.name);
    compare(`${at} description`, row.description ?? "", entry.description);
    compare(`${at} enabled`, row.enabled, entry.enabled ?? true);
    if (entry.grants === undefined) continue;
    compare(`${at} grants`, abilitiesOf(live, row), asSet(rowsOf(entry.grants).map(({ ability }) => ability ?? null)));
  }
  for (const { slug, enabled } of live.agents) {
    if (enabled === true && !declared.some((entry) => entry.slug === slug)) stray(`agents/${slug}`, false);
  }
}

/** Of a column, in the order of the rows, the values that are in the other list. */
function present(rows: readonly Fields[], others: readonly Json[], column = "slug"): Json {
  return rows.map((row) => row[column] ?? null).filter((value) => others.includes(value));
}

/** Whether conditions, rules, references, grants or incidents hold the id. */
function isMentioned(live: Workspace, id: Json | undefined): boolean {
  const holders: readonly Json[] = [
    live.conditions.map(({ values }) => values ?? null),
    live.rules.map(({ outcome }) => outcome ?? null),
    live.references.map(({ target_entry_id }) => target_entry_id ?? null),
    live.incidents.map(({ custom_values }) => custom_values ?? null),
  ];
  return holders.some((holder) => textsIn(holder).includes(String(id)));
}

function targetOf(live: Workspace, entry: Fields, type: Fields): Json {
  const attribute = having(live.attributes, "type_id", type.id).find(({ slug }) => slug === "part_of");
  const found = live.references.find(
    ({ entry_id, attribute_id }) => entry_id === entry.id && attribute_id === attribute?.id,
  );
  return live.entries.find(({ id }) => id === found?.target_entry_id)?.slug ?? null;
}

function held({ attributes }: Fields, key: string): Json {
  return (isFields(attributes) ? attributes[key] : undefined) ?? null;
}

function abilitiesOf(live: Workspace, { id }: Fields): Json {
  return asSet(having(live.grants, "principal_id", id).flatMap(({ ability }) => ability ?? [])) ?? [];
}

/** Conditions as the service keeps them: by ids. */
function kept(rows: readonly Fields[]): Json {
  return asSet(
    rows.map(({ condition_field, operator, values, custom_field_id }) => [
      condition_field ?? null,
      operator ?? null,
      custom_field_id ?? null,
      asSet(values) ?? [],
    ]),
  ) as Json;
}

/** Declared conditions as the service would keep them. */
function worded(live: Workspace, conditions: readonly Fields[]): Json {
  return kept(
    conditions.map(({ condition_field, operator, values, custom_field }) => {
      const field = live.custom_fields.find(({ slug }) => slug === custom_field);
      const [rows, word] =
        condition_field === "custom_field"
          ? ([having(live.options, "field_id", field?.id), "label"] as const)
          : ([condition_field === "severity" ? live.severities : live.incident_types, "slug"] as const);
      const ids = textsIn(values ?? null).map((value) => rows.find((row) => row[word] === value)?.id ?? value);
      return {
        condition_field: condition_field ?? null,
        operator: operator ?? null,
        custom_field_id: field?.id ?? null,
        values: ids,
      };
    }),
  );
}

function wired(rule: Fields, live: Workspace): Fields {
  const { severity, notify, ...rest } = isFields(rule.outcome) ? rule.outcome : {};
  const id = live.severities.find(({ slug }) => slug === severity)?.id;
  const team = isFields(notify) ? notify.team : undefined;
  const type = live.catalog_types.find(({ slug }) => slug === "team");
  const entry = having(live.entries, "type_id", type?.id).find(({ slug }) => slug === team);
  const target = team === undefined ? notify : { type: "team", entry_id: entry?.id ?? null };
  return {
    enabled: rule.enabled ?? true,
    conditions: rule.conditions ?? [],
    outcome: {
      ...rest,
      ...(severity === undefined ? {} : { severity_id: id ?? null }),
      ...(target === undefined ? {} : { notify: target }),
    },
  };
}

function plainRule({ enabled, conditions, outcome }: Fields): Json {
  return [enabled ?? true, asSet(conditions) ?? [], sorted(outcome ?? null)];
}

function asSet(value: Json | undefined): Json | undefined {
  return isList(value) ? value.map((one) => JSON.stringify(sorted(one))).sort() : value;
}

/** The value with the keys of its objects in order. */
function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] ?? null)]),
  );
}

function same(found: Json, wanted: Json): boolean {
  return JSON.stringify(found) === JSON.stringify(wanted);
}

/** Text in small letters; anything else as it is. */
export function lower(value: Json | undefined): Json | undefined {
  return typeof value === "string" ? value.toLowerCase() : value;
}

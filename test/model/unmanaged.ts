/** What nobody manages, as facts: each can be asked of a workspace before a run and after it, and must not have changed. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { FORMS, having, OPTION_LISTS, rowsOf, rulesIn, textsIn, type Workspace } from "./workspace.ts";

/** Something that a run must leave as it is. */
interface Fact {
  readonly what: string;
  readonly of: (live: Workspace) => Json;
}

/** What a run from one workspace to another has changed and nobody asked for, in sentences. */
export function trespasses(document: Fields, before: Workspace, after: Workspace): readonly string[] {
  return factsOf(document, before).flatMap(({ what, of }) => {
    const [old, now] = [JSON.stringify(of(before)), JSON.stringify(of(after))];
    return old === now ? [] : [`${what} was ${old} and is ${now}`];
  });
}

function factsOf(document: Fields, before: Workspace): readonly Fact[] {
  return [
    { what: "the incidents", of: ({ incidents }) => incidents },
    ...answers(document, before),
    ...OPTION_LISTS.flatMap((list) => optionFacts(list, document, before)),
    ...fieldFacts(document, before),
    ...formFacts(document, before),
    ...runbookFacts(document, before),
    ...catalogFacts(document, before),
    ...ruleFacts(document, before),
    ...namedFacts(document, before),
    ...agentFacts(document, before),
  ];
}

/** Rows as they are; a list that nobody manages. */
const whole = (name: keyof Workspace): Fact => ({ what: `the unmanaged ${name}`, of: (live) => live[name] });

/** Columns of the row with an id, which must stay the row with that id. */
function columns(list: keyof Workspace, id: Json | undefined, names: readonly string[]): Fact {
  return {
    what: `${list} ${String(id)}`,
    of: (live) => {
      const row = live[list].find((one) => one.id === id);
      return row === undefined ? null : ["id", ...names].map((name) => [name, row[name] ?? null]);
    },
  };
}

/** The columns that an entry does not state. */
function unstated(list: keyof Workspace, row: Fields, entry: Fields, names: readonly string[]): Fact {
  return columns(
    list,
    row.id,
    names.filter((name) => entry[name] === undefined),
  );
}

/** The declared entry that means a row. */
function declaring(entries: readonly Fields[], row: Fields, others: readonly Fields[] = []): Fields | undefined {
  const bySlug = entries.find(({ slug }) => slug !== undefined && slug === row.slug);
  if (bySlug !== undefined) return bySlug;
  const named = entries.filter(({ slug }) => slug === undefined);
  const byName = named.find(({ name }) => name === row.name);
  const isFree = ({ name }: Fields) => !others.some((other) => other.name === name);
  return byName ?? named.find((entry) => entry.renamed_from === row.name && isFree(entry));
}

function answers(document: Fields, before: Workspace): readonly Fact[] {
  const renames = new Map(
    rowsOf(document.custom_fields).flatMap(({ options }) =>
      rowsOf(options).map(({ label, renamed_from }) => [renamed_from, label] as const),
    ),
  );
  const chosen = new Set(before.incidents.flatMap(({ custom_values }) => textsIn(custom_values ?? null)));
  return before.options
    .filter(({ id }) => chosen.has(String(id)))
    .map(({ id }) => ({
      what: `the label of the option ${String(id)}, which incidents hold`,
      of: (live) => {
        const label = live.options.find((one) => one.id === id)?.label;
        return renames.get(label) ?? label ?? null;
      },
    }));
}

const OPTION_COLUMNS = ["slug", "name", "description", "color", "enabled", "is_default", "lifecycle_stage"];

function optionFacts(list: (typeof OPTION_LISTS)[number], document: Fields, before: Workspace): readonly Fact[] {
  if (document[list] === undefined) return [whole(list)];
  const declared = rowsOf(document[list]);
  const rows = before[list];
  const left = rows.filter((row) => declaring(declared, row) === undefined);
  const alone = left.filter(({ enabled, slug }) => enabled === false || slug === "incident_lead");
  const staying = alone.map(({ id }) => id);
  const hasDefault = declared.some((entry) => entry.default === true);
  return [
    {
      what: `the relative order of what nobody declares of ${list}`,
      of: (live) => live[list].map(({ id }) => id ?? null).filter((id) => staying.includes(id)),
    },
    ...alone.map(({ id }) => columns(list, id, OPTION_COLUMNS)),
    ...rows.flatMap((row) => {
      const entry = declaring(declared, row);
      if (entry === undefined) return [];
      const state = hasDefault ? [] : ["is_default"];
      return [unstated(list, row, entry, ["slug", "description", "color", "lifecycle_stage", ...state])];
    }),
  ];
}

function fieldFacts(document: Fields, before: Workspace): readonly Fact[] {
  if (document.custom_fields === undefined) return [whole("custom_fields"), whole("options")];
  return before.custom_fields.flatMap((row) => {
    const entry = declaring(rowsOf(document.custom_fields), row);
    if (entry === undefined) return [];
    const options: Fact = {
      what: `the options of ${row.slug}`,
      of: ({ options }) => having(options, "field_id", row.id),
    };
    return [
      unstated("custom_fields", row, entry, ["slug", "description", "field_type", "option_source", "catalog_type_id"]),
      ...(entry.options === undefined ? [options] : []),
    ];
  });
}

function conditionsOf(owner: Json | undefined): (live: Workspace) => Json {
  return ({ conditions }) => having(conditions, "owner_id", owner);
}

function formFacts(document: Fields, before: Workspace): readonly Fact[] {
  const managed = isFields(document.forms) ? document.forms : {};
  return FORMS.flatMap((form): readonly Fact[] => {
    const declared = rowsOf(managed[form]);
    const stated = new Set(declared.map((entry) => entry.custom_field ?? entry.system_field));
    const rest: Fact = {
      what: `the unmanaged fields of the form ${form}`,
      of: ({ form_fields }) =>
        having(form_fields, "form", form).filter(
          ({ slug }) => !stated.has(slug) && before.form_fields.some((one) => one.form === form && one.slug === slug),
        ),
    };
    const parts = declared.map((entry): Fact => {
      const slug = entry.custom_field ?? entry.system_field;
      const open = ["visible", "required", "conditions"].filter((name) => entry[name] === undefined);
      const isThere = before.form_fields.some((one) => one.form === form && one.slug === slug);
      return {
        what: `what is not stated of the field ${slug} of the form ${form}`,
        of: ({ form_fields }) => {
          const row = form_fields.find((one) => one.form === form && one.slug === slug);
          return !isThere || row === undefined ? null : open.map((name) => [name, row[name] ?? null]);
        },
      };
    });
    return [rest, ...parts];
  });
}

function runbookFacts(document: Fields, before: Workspace): readonly Fact[] {
  const of = { what: "the conditions of runbooks", of: conditionsOfRunbooks };
  if (document.runbooks === undefined) return [whole("runbooks"), whole("steps"), of];
  return before.runbooks.flatMap((row): readonly Fact[] => {
    const entry = declaring(rowsOf(document.runbooks), row);
    if (entry === undefined) return [];
    const steps: Fact = { what: `the steps of ${row.slug}`, of: ({ steps }) => having(steps, "runbook_id", row.id) };
    const conditions: Fact = { what: `the conditions of ${row.slug}`, of: conditionsOf(row.id) };
    return [
      unstated("runbooks", row, entry, ["slug", "summary", "content", "external_url", "inputs", "aliases", "watch"]),
      ...(entry.steps === undefined ? [steps] : []),
      ...(entry.conditions === undefined ? [conditions] : []),
    ];
  });
}

function conditionsOfRunbooks({ conditions }: Workspace): Json {
  return having(conditions, "owner", "runbook");
}

function catalogFacts(document: Fields, before: Workspace): readonly Fact[] {
  if (document.catalog_types === undefined)
    return (["catalog_types", "attributes", "entries", "references"] as const).map(whole);
  return before.catalog_types.flatMap((row): readonly Fact[] => {
    const entry = declaring(rowsOf(document.catalog_types), row);
    if (entry === undefined && row.kind !== "system") return [];
    const { slug, id } = row;
    const attributes: Fact = {
      what: `the attributes of ${slug}`,
      of: (live) => having(live.attributes, "type_id", id),
    };
    const ids = new Set(having(before.entries, "type_id", id).map((one) => one.id));
    const entries: Fact = {
      what: `the entries of ${slug}`,
      of: (live) => [
        ...having(live.entries, "type_id", id),
        ...live.references.filter(({ entry_id }) => ids.has(entry_id)),
      ],
    };
    return [
      unstated("catalog_types", row, entry ?? {}, ["slug", "kind", "description", "icon", "color"]),
      ...(entry?.attributes === undefined ? [attributes] : []),
      ...(entry?.entries === undefined ? [entries] : entryFacts(entry, row, before)),
    ];
  });
}

/** Values of an entry that it does not state, as long as their attributes stay. */
function entryFacts(type: Fields, row: Fields, before: Workspace): readonly Fact[] {
  const isKept = (slug: Json | undefined) =>
    type.attributes === undefined ||
    row.kind === "system" ||
    rowsOf(type.attributes).some(({ name }) => String(name).toLowerCase().replaceAll(" ", "_") === slug);
  return having(before.entries, "type_id", row.id).flatMap((live): readonly Fact[] => {
    const entry = declaring(rowsOf(type.entries), live);
    if (entry === undefined) return [];
    const stated = isFields(entry.attributes) ? entry.attributes : {};
    return [
      columns("entries", live.id, ["slug", "type_id", "source", "external_id"]),
      {
        what: `what is not stated of the entry ${live.slug}`,
        of: ({ entries, references, attributes }) => {
          const values = entries.find(({ id }) => id === live.id)?.attributes;
          const open = Object.entries(isFields(values) ? values : {}).filter(
            ([name, value]) => stated[name] === undefined && isKept(name) && value !== null,
          );
          const named = new Map(attributes.map(({ id, slug }) => [id, slug]));
          const targets = having(references, "entry_id", live.id).filter(({ attribute_id }) => {
            const slug = named.get(attribute_id);
            return stated[String(slug)] === undefined && isKept(slug);
          });
          return [open, targets.map(({ target_entry_id }) => target_entry_id ?? null)];
        },
      },
    ];
  });
}

function ruleFacts(document: Fields, before: Workspace): readonly Fact[] {
  const rules = isFields(document.routing_rules) ? document.routing_rules : {};
  const sources = isFields(rules.sources) ? rules.sources : {};
  const scopes = before.alert_sources.map((row) => {
    const declared = declaring(rowsOf(document.alert_sources), row, before.alert_sources);
    return [String(row.id), sources[String(declared?.name ?? row.name)], row.name] as const;
  });
  return [["", rules.workspace, "the workspace"] as const, ...scopes]
    .filter(([, declared]) => declared === undefined)
    .map(([id, , name]) => ({ what: `the rules of ${name}`, of: (live) => rulesIn(live, id) }));
}

function namedFacts(document: Fields, before: Workspace): readonly Fact[] {
  return (["alert_sources", "webhooks", "api_keys"] as const).flatMap((list) => {
    const grants = (id: Json | undefined): Fact => ({
      what: `the grants of the service key ${String(id)}`,
      of: (live) => having(live.grants, "principal_id", id),
    });
    if (document[list] === undefined) {
      return [whole(list), ...(list === "api_keys" ? before.api_keys.map(({ id }) => grants(id)) : [])];
    }
    const isOn = list === "api_keys" ? "active" : "enabled";
    return before[list].flatMap((row) => {
      const entry = declaring(rowsOf(document[list]), row, before[list]);
      const all = ["name", "provider", "slug", "url", "subscribed_events", "secret", "created_at"];
      if (entry === undefined) return row[isOn] === false ? [columns(list, row.id, [...all, isOn])] : [];
      const isSilent = list === "api_keys" && entry.permissions === undefined;
      return [unstated(list, row, entry, all), ...(isSilent ? [grants(row.id)] : [])];
    });
  });
}

function agentFacts(document: Fields, before: Workspace): readonly Fact[] {
  const grants = (id: Json | undefined): Fact => ({
    what: `the grants of the agent ${String(id)}`,
    of: (live) => having(live.grants, "principal_id", id),
  });
  if (!isList(document.agents)) return [whole("agents"), ...before.agents.map(({ id }) => grants(id))];
  return before.agents.flatMap((row) => {
    const entry = declaring(rowsOf(document.agents), row);
    if (entry === undefined)
      return row.enabled === false ? [columns("agents", row.id, ["slug", "name", "enabled"])] : [];
    return [
      unstated("agents", row, entry, ["slug", "description", "created_at"]),
      ...(entry.grants === undefined ? [grants(row.id)] : []),
    ];
  });
}

/** Makes a document consistent with itself and with the workspace: what a careful author would write. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { FORMS, type Snapshot } from "../service.ts";
import { defined, rowsOf, slugOf, textsOf } from "./choice.ts";
import { documentOf } from "./projection.ts";

/** The forms whose fields a condition may read. */
const READABLE: Readonly<Record<string, readonly string[]>> = {
  declare: ["declare"],
  update: ["declare", "update"],
  resolve: ["declare", "update", "resolve"],
  cancel: ["declare", "update", "cancel"],
};

/** The lists of a document as they will be: declared where the document has them, else as they are live. */
class Outlook {
  readonly #declared: Fields;
  readonly #live: Fields;
  constructor(declared: Fields, live: Fields) {
    this.#declared = declared;
    this.#live = live;
  }

  rows(kind: string): readonly Fields[] {
    return rowsOf(this.#declared[kind] ?? this.#live[kind]);
  }

  slugs(kind: string): readonly string[] {
    return this.rows(kind)
      .filter(({ enabled }) => enabled !== false)
      .map(({ slug }) => String(slug));
  }

  /** The resource of a type, a field, as declared, with what it does not state as it is live. */
  row(kind: string, slug: Json | undefined): Fields | undefined {
    const declared = this.rows(kind).find((row) => row.slug === slug);
    const live = rowsOf(this.#live[kind]).find((row) => row.slug === slug);
    const isBuiltIn = live !== undefined && kind === "catalog_types" && live.name === undefined;
    if (declared === undefined && !isBuiltIn) return undefined;
    return { ...live, ...declared };
  }

  entries(type: Json | undefined): readonly Fields[] {
    return rowsOf(this.row("catalog_types", type)?.entries);
  }

  /** The live values of an entry. */
  values(type: Json | undefined, slug: Json | undefined): Fields {
    const live = rowsOf(this.#live.catalog_types).find((one) => one.slug === type);
    const values = rowsOf(live?.entries).find((one) => one.slug === slug)?.attributes;
    return isFields(values) ? values : {};
  }

  /** The attributes of a type, with the live members that the document omits. */
  attributes(type: Json | undefined): readonly Fields[] {
    const live = rowsOf(rowsOf(this.#live.catalog_types).find(({ slug }) => slug === type)?.attributes);
    return rowsOf(this.row("catalog_types", type)?.attributes).map((attribute) => ({
      ...live.find(({ name }) => name === attribute.name),
      ...attribute,
    }));
  }

  /** The choices of a custom field that has any. */
  choices(slug: Json | undefined): readonly string[] {
    const field = this.row("custom_fields", slug);
    if (field === undefined) return [];
    if (field.catalog_type != null) return this.entries(field.catalog_type).map((entry) => String(entry.slug));
    return isList(field.options) ? field.options.map((one) => String(isFields(one) ? one.label : one)) : [];
  }
}

/** The document without what it cannot mean. */
export function repaired(document: Fields, live: Snapshot): Fields {
  const projection = documentOf(live);
  const kept: Record<string, Json> = {};
  for (const [kind, value] of Object.entries(document)) kept[kind] = isList(value) ? unique(rowsOf(value)) : value;
  for (const kind of ["severities", "statuses"] as const) {
    if (kept[kind] !== undefined) kept[kind] = withDefault(kind, rowsOf(kept[kind]), rowsOf(projection[kind]));
  }
  if (kept.incident_roles !== undefined) {
    kept.incident_roles = rowsOf(kept.incident_roles).map((row) =>
      row.slug === "incident_lead" && row.enabled === false ? { ...row, enabled: true } : row,
    );
  }
  if (kept.catalog_types !== undefined) kept.catalog_types = types(rowsOf(kept.catalog_types), projection);
  if (kept.custom_fields !== undefined) kept.custom_fields = fields(rowsOf(kept.custom_fields), kept, projection);
  const outlook = new Outlook(kept, projection);
  if (kept.catalog_types !== undefined) {
    kept.catalog_types = rowsOf(kept.catalog_types).map((type) => withEntries(type, outlook));
  }
  if (isFields(kept.forms)) kept.forms = forms(kept.forms, outlook, live);
  if (kept.runbooks !== undefined) {
    kept.runbooks = rowsOf(kept.runbooks).map((row) => withConditions(row, outlook, () => true));
  }
  if (isFields(kept.routing_rules)) kept.routing_rules = rules(kept.routing_rules, outlook);
  if (kept.agents !== undefined) kept.agents = rowsOf(kept.agents).map((row) => withGrants(row, outlook));
  return kept;
}

/** The first of several resources with one key, or with one name. */
function unique(rows: readonly Fields[]): readonly Fields[] {
  const keys = new Set<string>();
  return rows
    .filter((row) => {
      const mine =
        row.slug === undefined
          ? [
              `${String(row.name)} ${String(row.id ?? row.prefix)}`,
              ...(row.renamed_from == null ? [] : [`from ${row.renamed_from}`]),
            ]
          : [`slug ${row.slug}`, ...(row.name === undefined ? [] : [`name ${String(row.name).toLowerCase()}`])];
      if (mine.some((key) => keys.has(key))) return false;
      for (const key of mine) keys.add(key);
      return row.slug !== "";
    })
    .map((row) => {
      const { renamed_from: former, ...rest } = row;
      return former !== undefined && rows.some(({ name }) => name === former) ? rest : row;
    });
}

function withDefault(kind: string, rows: readonly Fields[], live: readonly Fields[]): readonly Fields[] {
  const liveRow = (slug: Json | undefined) => live.find((row) => row.slug === slug);
  const stageOf = (row: Fields) => liveRow(row.slug)?.lifecycle_stage ?? row.lifecycle_stage;
  const staged = kind === "statuses" ? rows.map((row) => ({ ...row, lifecycle_stage: stageOf(row) ?? null })) : rows;
  const filled: Fields[] = [...staged];
  const stages = kind === "statuses" ? ["triage", "active", "closed", "canceled"] : [undefined];
  for (const stage of stages) {
    const mine = filled.filter((row) => stage === undefined || row.lifecycle_stage === stage);
    if (mine.some(({ enabled }) => enabled !== false)) continue;
    const [first] = mine;
    if (first !== undefined) filled[filled.indexOf(first)] = { ...first, enabled: true };
    else {
      const known = live.find((row) => stage === undefined || row.lifecycle_stage === stage);
      const { enabled: _enabled, default: _default, ...row } = known ?? { slug: "zeta", name: "Zeta" };
      filled.push({ ...row });
    }
  }
  const fits = (row: Fields) =>
    row.enabled !== false && (kind !== "statuses" || ["triage", "active"].includes(String(row.lifecycle_stage)));
  const chosen = filled.find((row) => row.default === true && fits(row)) ?? filled.find(fits);
  return filled.map(({ default: _default, ...row }, index) =>
    filled[index] === chosen ? { ...row, default: true } : row,
  );
}

function types(rows: readonly Fields[], projection: Fields): readonly Fields[] {
  const system = new Set(["team", "service", "environment", "functionality"]);
  const slugs = new Set([...system, ...rows.map(({ slug }) => String(slug))]);
  return rows.map((type) => {
    const live = rowsOf(projection.catalog_types).find(({ slug }) => slug === type.slug);
    if (system.has(String(type.slug))) {
      return defined({ slug: type.slug, entries: type.entries });
    }
    if (type.attributes === undefined) return type;
    const names = new Set<string>();
    const attributes = rowsOf(type.attributes).flatMap((attribute): readonly Fields[] => {
      const before = rowsOf(live?.attributes).find(({ name }) => name === attribute.name);
      // The type of an attribute never changes.
      const next = before !== undefined && before.attribute_type !== attribute.attribute_type ? before : attribute;
      if (names.has(String(next.name))) return [];
      names.add(String(next.name));
      if (next.attribute_type === "reference") return slugs.has(String(next.reference_type)) ? [next] : [];
      if (next.attribute_type !== "select") return [next];
      const options = [...new Set(textsOf(next.options))];
      return options.length === 0 ? [{ ...next, options: ["gold"] }] : [{ ...next, options }];
    });
    return { ...type, attributes };
  });
}

function fields(rows: readonly Fields[], kept: Fields, projection: Fields): readonly Fields[] {
  const outlook = new Outlook(kept, projection);
  return rows.flatMap((field): readonly Fields[] => {
    const live = rowsOf(projection.custom_fields).find(({ slug }) => slug === field.slug);
    const { field_type, option_source, catalog_type } = live ?? field;
    const { options: _options, catalog_type: _type, option_source: _source, ...rest } = field;
    const source = option_source === undefined ? {} : { option_source };
    if (catalog_type != null) {
      // A type that goes keeps nobody from declaring its field, but the field cannot name it.
      const isThere = outlook.row("catalog_types", catalog_type) !== undefined;
      return isThere ? [{ ...rest, field_type: field_type ?? null, ...source, catalog_type }] : [];
    }
    if (String(field_type).startsWith("catalog") || option_source === "catalog") return [];
    const base = { ...rest, field_type: field_type ?? null, ...source };
    if (!String(field_type).endsWith("select")) return [base];
    if (field.options === undefined) return live === undefined ? [{ ...base, options: ["EU"] }] : [base];
    const options = optionsOf(field, textsOf(live?.options));
    return [{ ...base, options: options.length === 0 ? (live?.options ?? ["EU"]) : options }];
  });
}

function optionsOf({ options }: Fields, live: readonly string[]): readonly Json[] {
  const labels = new Set<string>();
  const former = new Set<string>();
  const all = isList(options) ? options : [];
  const labelOf = (one: Json): string => String(isFields(one) ? one.label : one);
  const staying = new Set(all.map(labelOf));
  return all.flatMap((one): readonly Json[] => {
    const label = labelOf(one);
    if (labels.has(label)) return [];
    labels.add(label);
    const from = isFields(one) ? String(one.renamed_from) : undefined;
    if (from === undefined) return [label];
    // A rename of an option that stays, or to a label that is there, is none.
    const isRename = live.includes(from) && !live.includes(label) && !staying.has(from) && !former.has(from);
    former.add(from);
    return isRename ? [one] : [label];
  });
}

function withEntries(type: Fields, outlook: Outlook): Fields {
  if (type.entries === undefined) return type;
  const definitions = outlook.attributes(type.slug);
  const system = new Set(["team", "service", "environment", "functionality"]);
  const builtIn: Readonly<Record<string, readonly Fields[]>> = {
    service: [
      { name: "Description", attribute_type: "text" },
      { name: "Owner team", attribute_type: "reference", reference_type: "team" },
      { name: "Tier", attribute_type: "select", options: ["Critical", "Standard", "Internal"] },
    ],
    team: [{ name: "Description", attribute_type: "text" }],
    environment: [
      { name: "Description", attribute_type: "text" },
      { name: "Is production", attribute_type: "boolean" },
    ],
    functionality: [
      { name: "Description", attribute_type: "text" },
      { name: "Owner team", attribute_type: "reference", reference_type: "team" },
    ],
  };
  const known = system.has(String(type.slug)) ? (builtIn[String(type.slug)] ?? []) : definitions;
  const entries = unique(rowsOf(type.entries)).map((entry) => {
    const stated = isFields(entry.attributes) ? entry.attributes : undefined;
    const values = Object.fromEntries(
      Object.entries(stated ?? {}).flatMap(([key, value]): readonly [string, Json][] => {
        const definition = known.find(({ name }) => slugOf(String(name), true) === key);
        return definition !== undefined && fitsIn(value, definition, entry, type, outlook) ? [[key, value]] : [];
      }),
    );
    for (const definition of known) {
      const key = slugOf(String(definition.name), true);
      // A value that the file leaves alone may be an option that the file takes away.
      const live = outlook.values(type.slug, entry.slug)[key];
      const isLost =
        typeof live === "string" &&
        definition.attribute_type === "select" &&
        !textsOf(definition.options).includes(live);
      if ((definition.required === true || isLost) && values[key] === undefined) values[key] = valueFor(definition);
    }
    return stated === undefined && Object.keys(values).length === 0 ? entry : { ...entry, attributes: values };
  });
  return { ...type, entries };
}

function valueFor({ attribute_type, options }: Fields): Json {
  if (attribute_type === "number") return 1;
  if (attribute_type === "select") return textsOf(options)[0] ?? "gold";
  return attribute_type === "boolean" ? true : "Alpha";
}

function fitsIn(
  value: Json,
  { attribute_type, options, reference_type }: Fields,
  entry: Fields,
  type: Fields,
  outlook: Outlook,
): boolean {
  if (attribute_type === "text") return typeof value === "string";
  if (attribute_type === "number") return typeof value === "number";
  if (attribute_type === "boolean") return typeof value === "boolean";
  if (attribute_type === "select") return textsOf(options).includes(String(value));
  if (attribute_type !== "reference" || typeof value !== "string") return false;
  const isItself = reference_type === type.slug && value === entry.slug;
  return !isItself && unique(outlook.entries(reference_type)).some(({ slug }) => slug === value);
}

function forms(declared: Fields, outlook: Outlook, live: Snapshot): Fields {
  const attached = (form: string): readonly string[] => [
    ...live.form_fields.filter((row) => row.form === form && row.source === "custom").map(({ slug }) => String(slug)),
    ...rowsOf(declared[form]).flatMap(({ custom_field }) => (custom_field === undefined ? [] : String(custom_field))),
  ];
  return Object.fromEntries(
    FORMS.flatMap((form): readonly (readonly [string, Json])[] => {
      if (!isList(declared[form])) return [];
      const names = new Set<string>();
      const rows = rowsOf(declared[form]).flatMap((row): readonly Fields[] => {
        const slug = String(row.custom_field ?? row.system_field);
        if (names.has(slug)) return [];
        names.add(slug);
        const before = live.form_fields.find(
          (one) => one.form === form && one.slug === slug && one.source === "custom",
        );
        const isKnown = row.custom_field === undefined || outlook.row("custom_fields", slug) !== undefined;
        if (!isKnown) return [];
        const isSystem = row.custom_field === undefined;
        if (isSystem && (slug === "severity" || slug === "status")) {
          const { conditions: _conditions, ...rest } = row;
          return [{ ...rest, visible: true, required: true }];
        }
        const visible = row.visible ?? (isSystem ? undefined : before?.visible);
        const required = visible === false && row.required === true ? { required: false } : {};
        const reads = (field: string) => (READABLE[form] ?? []).some((one) => attached(one).includes(field));
        return [withConditions({ ...row, ...required }, outlook, reads)];
      });
      return [[form, rows]];
    }),
  );
}

function withConditions(row: Fields, outlook: Outlook, reads: (field: string) => boolean): Fields {
  if (row.conditions === undefined) return row;
  const conditions = rowsOf(row.conditions).flatMap((condition): readonly Fields[] => {
    const { condition_field, custom_field } = condition;
    const known =
      condition_field === "severity"
        ? outlook.slugs("severities")
        : condition_field === "incident_type"
          ? outlook.slugs("incident_types")
          : reads(String(custom_field))
            ? outlook.choices(custom_field)
            : [];
    const values = [...new Set(textsOf(condition.values))].filter((value) => known.includes(value));
    return values.length === 0 ? [] : [{ ...condition, values }];
  });
  return { ...row, conditions };
}

function rules(declared: Fields, outlook: Outlook): Fields {
  const sources = new Set(outlook.rows("alert_sources").map(({ name }) => String(name)));
  const whole = (value: Json | undefined): Json =>
    rowsOf(value).map((rule) => {
      const outcome = isFields(rule.outcome) ? rule.outcome : {};
      const teams = [...rowsOf(outcome.invite), ...(isFields(outcome.notify) ? [outcome.notify] : [])].flatMap(
        ({ team, type }) => (type === "team" ? [team] : []),
      );
      const isWhole =
        (outcome.severity === undefined || outlook.slugs("severities").includes(String(outcome.severity))) &&
        teams.every((team) => outlook.entries("team").some(({ slug }) => slug === team));
      return isWhole ? rule : { ...rule, outcome: { action: "drop" } };
    });
  const scoped = Object.entries(isFields(declared.sources) ? declared.sources : {}).filter(([name]) =>
    sources.has(name),
  );
  return {
    ...(declared.workspace === undefined ? {} : { workspace: whole(declared.workspace) }),
    ...(declared.sources === undefined
      ? {}
      : { sources: Object.fromEntries(scoped.map(([name, list]) => [name, whole(list)])) }),
  };
}

function withGrants(agent: Fields, outlook: Outlook): Fields {
  if (agent.grants === undefined) return agent;
  const places = outlook.entries("environment").map(({ slug }) => String(slug));
  const abilities = new Set<string>();
  const grants = rowsOf(agent.grants).flatMap((grant): readonly Fields[] => {
    if (abilities.has(String(grant.ability))) return [];
    abilities.add(String(grant.ability));
    if (grant.environments === undefined) return [grant];
    const environments = textsOf(grant.environments).filter((place) => places.includes(place));
    const { environments: _environments, ...rest } = grant;
    return [environments.length === 0 ? rest : { ...grant, environments }];
  });
  return { ...agent, grants };
}

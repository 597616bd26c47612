/** The files that declare something, made to hold together: what is mentioned is there, and every list is one that a service could have. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { type Declarations, LISTS, type List, oneOf, type Picked, STAGES } from "./declarations.ts";
import { rowsOf, type Workspace } from "./workspace.ts";

/** The document that a person would write now, seeing what is live: mentions of what is not managed are of what is there. */
export function documentOf({ managed, picked }: Declarations, live: Workspace): Fields {
  const written = (at: string): readonly Fields[] | undefined => {
    const list = LISTS.find((one) => one.at === at);
    return list === undefined || !managed.has(at)
      ? undefined
      : (picked.get(at) ?? []).map((entry) => entryOf(list, entry));
  };
  const severities = withDefault(enabledOnce(written("severities"), "critical"), () => true);
  const statuses = withDefault(staged(written("statuses")), ({ lifecycle_stage: stage }) =>
    ["triage", "active"].includes(String(stage)),
  );
  const types = written("incident_types");
  const catalog = catalogOf(written);
  const fields = written("custom_fields")?.filter(
    ({ catalog_type: type }) => type === undefined || catalog?.some(({ slug }) => slug === type) === true,
  );
  const words: Words = {
    severity: usable(severities, live.severities),
    incident_type: usable(types, live.incident_types),
    region: labelsOf((fields ?? []).find(({ slug }) => slug === "region")),
    teams: rowsOf((catalog ?? []).find(({ slug }) => slug === "team")?.entries).map(({ slug }) => String(slug)),
  };
  const hasField = (entry: Fields) =>
    entry.custom_field === undefined || (fields ?? []).some(({ slug }) => slug === entry.custom_field);
  const formFields = (slug: string) => {
    const list = written(`forms/${slug}`)?.filter(hasField);
    const readable = list?.some((entry) => entry.custom_field === "region") === true ? words : { ...words, region: [] };
    return list?.map((entry) =>
      withConditions(entry, entry.custom_field === "region" ? { ...words, region: [] } : readable),
    );
  };
  const forms = defined({ declare: formFields("declare"), resolve: formFields("resolve") });
  const sources = written("alert_sources");
  const names = new Set((sources ?? live.alert_sources).map(({ name }) => name));
  const rulesOf = (at: string) => written(`routing_rules/${at}`)?.map((rule) => withOutcome(rule, words));
  const ofSources = Object.fromEntries(
    ["Datadog", "Grafana"].flatMap((key) => {
      const rules = rulesOf(`sources/${key}`);
      const name = [key, again(key)].find((one) => names.has(one));
      return rules === undefined || name === undefined ? [] : [[name, rules]];
    }),
  );
  const rules = defined({
    workspace: rulesOf("workspace"),
    sources: Object.keys(ofSources).length > 0 ? ofSources : undefined,
  });
  return defined({
    severities,
    statuses,
    incident_types: types,
    incident_roles: written("incident_roles"),
    catalog_types: catalog,
    custom_fields: fields,
    forms: Object.keys(forms).length > 0 ? forms : undefined,
    runbooks: written("runbooks")?.map((entry) => withConditions(entry, words)),
    alert_sources: sources,
    routing_rules: Object.keys(rules).length > 0 ? rules : undefined,
    webhooks: written("webhooks"),
    api_keys: written("api_keys"),
    agents: written("agents"),
  });
}

/** The second name of an entry that is known by its name. */
const again = (name: string): string => `${name} again`;

/** What can be mentioned. */
interface Words {
  readonly severity: readonly string[];
  readonly incident_type: readonly string[];
  readonly region: readonly string[];
  readonly teams: readonly string[];
}

function entryOf(list: List, { key, variant, renamed }: Picked): Fields {
  const entry = list.entry(key, variant);
  if (renamed === undefined) return entry;
  const [name, former] = renamed ? [again(key), key] : [key, again(key)];
  return { ...entry, name, renamed_from: former };
}

function defined(fields: Readonly<Record<string, Json | undefined>>): Fields {
  return Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

/** A list of which at least one entry is enabled. */
function enabledOnce(list: readonly Fields[] | undefined, otherwise: string): readonly Fields[] | undefined {
  if (list === undefined || list.some(({ enabled }) => enabled !== false)) return list;
  const [first, ...rest] = list;
  return first === undefined ? [{ slug: otherwise, name: "Critical" }] : [{ ...first, enabled: true }, ...rest];
}

/** Statuses of which each stage has an enabled one. */
function staged(list: readonly Fields[] | undefined): readonly Fields[] | undefined {
  const missing = ["triage", "active", "closed", "canceled"].flatMap((stage): readonly Fields[] => {
    if (list?.some((entry) => entry.lifecycle_stage === stage && entry.enabled !== false) === true) return [];
    const slug = Object.keys(STAGES).find(
      (one) => STAGES[one] === stage && list?.some((entry) => entry.slug === one) !== true,
    );
    return slug === undefined ? [] : [{ slug, name: slug, lifecycle_stage: stage }];
  });
  const filled = list === undefined ? undefined : [...list, ...missing];
  // Where every status of a stage is declared and disabled, its first one is enabled.
  return filled?.map((entry, index) => {
    const mine = filled.filter(({ lifecycle_stage }) => lifecycle_stage === entry.lifecycle_stage);
    const isFirst = filled.findIndex(({ lifecycle_stage }) => lifecycle_stage === entry.lifecycle_stage) === index;
    return isFirst && mine.every(({ enabled }) => enabled === false) ? { ...entry, enabled: true } : entry;
  });
}

/** The first enabled entry that may be the default becomes it. */
function withDefault(
  list: readonly Fields[] | undefined,
  fits: (entry: Fields) => boolean,
): readonly Fields[] | undefined {
  const chosen = list?.find((entry) => entry.enabled !== false && fits(entry));
  return list?.map((entry) => (entry === chosen ? { ...entry, default: true } : entry));
}

function usable(declared: readonly Fields[] | undefined, live: readonly Fields[]): readonly string[] {
  return (declared ?? live).filter(({ enabled }) => enabled !== false).map(({ slug }) => String(slug));
}

function labelsOf(field: Fields | undefined): readonly string[] {
  const options = isList(field?.options) ? field.options : [];
  return options.map((one) => String(isFields(one) ? one.label : one));
}

function withConditions(entry: Fields, words: Words): Fields {
  if (entry.conditions === undefined) return entry;
  const conditions = rowsOf(entry.conditions).flatMap(({ of, operator, take }): readonly Fields[] => {
    if (of !== "severity" && of !== "incident_type" && of !== "region") return [];
    const values = words[of].slice(0, Number(take));
    if (values.length === 0) return [];
    const field = of === "region" ? { condition_field: "custom_field", custom_field: of } : { condition_field: of };
    return [{ ...field, operator: operator ?? "one_of", values }];
  });
  return { ...entry, conditions };
}

function withOutcome(rule: Fields, { severity, teams }: Words): Fields {
  const outcome = isFields(rule.outcome) ? rule.outcome : {};
  const drop = { ...rule, outcome: { action: "drop" } };
  if (outcome.severity !== undefined) {
    const slug = outcome.severity === "first" ? severity[0] : severity.at(-1);
    return slug === undefined ? drop : { ...rule, outcome: { ...outcome, severity: slug } };
  }
  const team = isFields(outcome.notify) ? outcome.notify.team : undefined;
  return team === undefined || teams.includes(String(team)) ? rule : drop;
}

/** The types with their attributes and entries; a reference into a type or to an entry that is not declared is left out. */
function catalogOf(written: (at: string) => readonly Fields[] | undefined): readonly Fields[] | undefined {
  const types = written("catalog_types");
  const others: Readonly<Record<string, string>> = { product: "platform", platform: "product" };
  const team = written("catalog_types/team/entries");
  const made = types?.map((type): Fields => {
    const slug = String(type.slug);
    const other = others[slug] ?? "";
    const isThere = types.some((one) => one.slug === other);
    const attributes = isList(type.attributes)
      ? rowsOf(type.attributes).flatMap((attribute): readonly Fields[] => {
          if (attribute.reference_type === undefined) return [attribute];
          return isThere ? [{ ...attribute, reference_type: other }] : [];
        })
      : undefined;
    const targets = written(`catalog_types/${other}/entries`);
    const entries = written(`catalog_types/${slug}/entries`)?.map((entry) => {
      if (!isFields(entry.attributes)) return entry;
      const known = new Set((attributes ?? []).map(({ name }) => String(name).toLowerCase().replaceAll(" ", "_")));
      const { part_of: target, ...values } = entry.attributes;
      const chosen =
        targets === undefined || targets.length === 0 ? undefined : oneOf(targets, target === "first" ? 0 : 1);
      const kept = Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
      const isReferring = target !== undefined && known.has("part_of") && chosen !== undefined && isThere;
      return { ...entry, attributes: isReferring ? { ...kept, part_of: chosen.slug ?? null } : kept };
    });
    return defined({ ...type, attributes, entries });
  });
  return made === undefined
    ? undefined
    : [...made, ...(team === undefined ? [] : [{ slug: "team", entries: plain(team) }])];
}

/** Entries of a type that has none of these attributes. */
function plain(entries: readonly Fields[]): readonly Fields[] {
  return entries.map(({ attributes: _attributes, ...entry }) => entry);
}

/** Edits of the files, by numbers that are interpreted in the document as it is then. */

import { type Fields, isFields, isList, type Json } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import {
  ABILITIES,
  COLORS,
  EVENTS,
  HOOKS,
  LABELS,
  NAMES,
  oneOf,
  PERMISSIONS,
  pick,
  rowsOf,
  SOURCES,
  STAGES,
  slugOf,
  some,
  TEXTS,
  textsOf,
} from "./choice.ts";

/** What an edit does to a list of the files. */
export const EDITS = [
  "switch off",
  "remove",
  "remove",
  "add",
  "add",
  "change",
  "change",
  "rename",
  "move",
  "release",
  "empty",
  "drop",
  "begin",
] as const;

export interface Edit {
  readonly does: (typeof EDITS)[number];
  /** The name of the lists of which one is edited. Default: any. */
  readonly of?: string;
  readonly list: number;
  readonly at: number;
  readonly variant: number;
  readonly bits: number;
}

/** A place in a document. */
type Path = readonly (string | number)[];

/** The members that identify a resource; they are never dropped. */
const KEYS = new Set(["slug", "name", "title", "label", "system_field", "custom_field", "ability", "id", "prefix"]);
/** The members without which a resource has no meaning. */
const NEEDED = new Set([
  "outcome",
  "field_type",
  "attribute_type",
  "lifecycle_stage",
  "url",
  "reference_type",
  "option_source",
  "condition_field",
  "operator",
  "values",
  "value",
  "field",
]);
/** Lists whose items are options, resources, conditions or steps. */
const isEditable = (name: string | number | undefined): boolean =>
  !["values", "value", "subscribed_events", "environments", "aliases"].includes(String(name));

/** The document after an edit; the same one if there is nothing to edit. */
export function edited(document: Fields, edit: Edit): Fields {
  if (edit.does === "begin") return begun(document, edit);
  const needsItem = !["add", "release"].includes(edit.does);
  const paths = listsIn(document, []).filter(
    (one) =>
      (edit.of === undefined || edit.of === one.at(-1)) && (!needsItem || rowsOrTexts(at(document, one)).length > 0),
  );
  const path = pick(paths, edit.list);
  if (path === undefined) return document;
  const list = rowsOrTexts(at(document, path));
  if (edit.does === "release") return released(document, path) as Fields;
  const next = editedList(list, path, edit, document);
  return placed(document, path, next) as Fields;
}

/** The document in which a source has its first rules. */
function begun(document: Fields, edit: Edit): Fields {
  const { routing_rules: rules } = document;
  if (!isFields(rules)) return document;
  const sources = isFields(rules.sources) ? rules.sources : {};
  const name = oneOf(SOURCES, edit.at);
  const first = freshItem(["routing_rules"], edit, document);
  if (sources[name] !== undefined || first === undefined) return document;
  return { ...document, routing_rules: { ...rules, sources: { ...sources, [name]: [first] } } };
}

/** The items of a list; empty if it is no list. */
function rowsOrTexts(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

function editedList(list: readonly Json[], path: Path, edit: Edit, document: Fields): readonly Json[] {
  const { does, at: place, variant } = edit;
  if (does === "empty") return [];
  if (does === "add") {
    const fresh = freshItem(path, edit, document);
    return fresh === undefined ? list : list.toSpliced(place % (list.length + 1), 0, fresh);
  }
  const index = place % Math.max(1, list.length);
  const item = list[index];
  if (item === undefined) return list;
  if (does === "remove") return list.toSpliced(index, 1);
  if (does === "move") return list.toSpliced(index, 1).toSpliced(variant % list.length, 0, item);
  if (does === "rename") return list.with(index, renamed(item, path, edit));
  if (!isFields(item)) return list;
  if (does === "switch off") return path.length > 1 ? list : list.with(index, switchedOff(item, path, edit));
  return list.with(index, does === "drop" ? dropped(item, variant) : changed(item, path, edit));
}

/** The paths of the lists in a document, the outer ones first. */
function listsIn(value: Json | undefined, path: Path): readonly Path[] {
  if (isList(value)) {
    const inner = value.flatMap((item, index) => (isFields(item) ? listsIn(item, [...path, index]) : []));
    return isEditable(path.at(-1)) ? [path, path, path, ...inner] : inner;
  }
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    ["arguments", "outcome", "permissions"].includes(name) ? [] : listsIn(member, [...path, name]),
  );
}

function at(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((held, step) => {
    if (typeof step === "number") return isList(held) ? held[step] : undefined;
    return isFields(held) ? held[step] : undefined;
  }, value);
}

function placed(value: Json | undefined, [step, ...rest]: Path, next: Json): Json {
  if (step === undefined) return next;
  if (typeof step === "number")
    return isList(value) ? value.with(step, placed(value[step], rest, next)) : (value ?? null);
  return isFields(value) ? { ...value, [step]: placed(value[step], rest, next) } : (value ?? null);
}

/** The document without a list, which is then not managed. */
function released(value: Json | undefined, [step, ...rest]: Path): Json {
  if (typeof step === "number") return isList(value) ? value.with(step, released(value[step], rest)) : (value ?? null);
  if (step === undefined || !isFields(value)) return value ?? null;
  if (rest.length > 0) return { ...value, [step]: released(value[step], rest) };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== step));
}

function renamed(item: Json, path: Path, { variant, bits }: Edit): Json {
  const list = path.at(-1);
  if (list === "options" && typeof path[0] === "string" && path[0] === "custom_fields") {
    const label = isFields(item) ? (item.label ?? null) : item;
    return { label: oneOf(LABELS, variant), renamed_from: label };
  }
  if (!isFields(item)) return item;
  if (item.slug !== undefined) return { ...item, name: oneOf(NAMES, variant) };
  const pool: Readonly<Record<string, readonly [string, ...string[]]>> = {
    alert_sources: SOURCES,
    webhooks: HOOKS,
    api_keys: HOOKS,
  };
  const names = pool[String(list)];
  if (names === undefined || item.id !== undefined || item.prefix !== undefined) return item;
  const name = oneOf(names, variant);
  if (name === item.name) return item;
  const next = { ...item, name, renamed_from: item.name ?? null };
  // What is switched off at once may change in other ways too.
  return bits % 3 === 0 ? { ...changedIn(next, ["url", "permissions"], bits >> 2), [switchOf(list)]: false } : next;
}

/** The resource switched off, with another name, address or permission, and with one more grant. */
function switchedOff(item: Fields, path: Path, { variant, bits }: Edit): Fields {
  if (UNSTATED[String(path[0])]?.some((name) => name === switchOf(path[0])) !== true) return item;
  const off = { ...changedIn(item, ["url", "permissions"], bits), [switchOf(path[0])]: false };
  if (path[0] !== "agents" || item.grants === undefined) return off;
  return { ...off, grants: [...rowsOf(item.grants), { ability: oneOf(ABILITIES, variant) }] };
}

/** The field that switches the resources of a list off. */
function switchOf(list: Path[number] | undefined): string {
  return list === "api_keys" ? "active" : "enabled";
}

/** The resource with some of its fields changed, as far as it has them. */
function changedIn(item: Fields, names: readonly string[], bits: number): Fields {
  const stated = names.filter((name) => item[name] !== undefined);
  return { ...item, ...Object.fromEntries(stated.map((name) => [name, CHANGES[name]?.(item[name], bits) ?? null])) };
}

function dropped(item: Fields, variant: number): Fields {
  const names = Object.keys(item).filter((name) => !KEYS.has(name) && !NEEDED.has(name));
  const chosen = pick(names, variant);
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== chosen));
}

/** The resource with one of its fields changed. */
function changed(item: Fields, path: Path, { variant, bits }: Edit): Fields {
  const names = Object.keys(item).filter((name) => CHANGES[name] !== undefined);
  const unstated = path.length === 1 ? (UNSTATED[String(path[0])] ?? []) : [];
  // More often than the many others: what a resource need not state is where mistakes are.
  const name = pick([...names, ...unstated, ...unstated], variant);
  if (name === undefined) return item;
  return { ...item, [name]: CHANGES[name]?.(item[name], bits) ?? null };
}

/** Fields that a resource of a kind may have, and often does not state. */
export const UNSTATED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(OPTION_LISTS.map((list) => [list, ["enabled", "description"]])),
  custom_fields: ["description"],
  runbooks: ["summary"],
  alert_sources: ["enabled"],
  webhooks: ["enabled"],
  api_keys: ["active"],
  agents: ["enabled", "description"],
};

const toggled = (value: Json | undefined): Json => value === false;

const CHANGES: Readonly<Record<string, (value: Json | undefined, bits: number) => Json>> = {
  enabled: toggled,
  active: toggled,
  visible: toggled,
  required: (value) => value !== true,
  description: (_value, bits) => oneOf(["", ...TEXTS], bits),
  summary: (_value, bits) => oneOf(TEXTS, bits),
  color: (_value, bits) => oneOf(COLORS, bits),
  url: (_value, bits) => `https://hook.example.com/new/${bits % 3}`,
  subscribed_events: (_value, bits) => some(EVENTS, bits),
  permissions: (_value, bits) => oneOf(PERMISSIONS, bits),
  instruction: (_value, bits) => oneOf(TEXTS, bits),
  operator: (value) => (value === "one_of" ? "not_one_of" : value === "not_one_of" ? "one_of" : (value ?? null)),
  outcome: (_value, bits) => oneOf(OUTCOMES, bits),
  environments: (value, bits) => some(textsOf(value), bits),
  attributes: (value, bits) => {
    if (!isFields(value)) return value ?? null;
    const name = pick(Object.keys(value), bits);
    if (name === undefined) return value;
    const now = value[name];
    const next = typeof now === "number" ? bits % 9 : typeof now === "boolean" ? !now : oneOf(VALUES, bits);
    return { ...value, [name]: next };
  },
};

/** Values of attributes; those that do not fit are taken out again. */
const VALUES = ["gold", "silver", "Alpha", "alpha", "beta", "gamma"] as const;

/** Outcomes, with severities and teams that may not be there. */
const OUTCOMES: readonly [Fields, ...Fields[]] = [
  { action: "drop" },
  { action: "auto_create_incident", severity: "critical" },
  { action: "auto_create_incident", severity: "alpha" },
  { action: "notify_only", notify: { type: "team", team: "beta" } },
  { action: "notify_only", notify: { type: "channel", channel_id: "34" } },
];

/** A new item for a list. */
function freshItem(path: Path, { variant, bits }: Edit, document: Fields): Json | undefined {
  const list = path.at(-1);
  const name = oneOf(NAMES, variant);
  const slugged = (isWord: boolean, more: Fields = {}): Fields => ({
    slug: bits % 4 === 0 ? slugOf(oneOf(NAMES, bits >> 2), isWord) : slugOf(name, isWord),
    name,
    ...more,
  });
  switch (path[0]) {
    case "severities":
      return slugged(false, { color: oneOf(COLORS, bits), ...(bits % 5 === 0 ? { default: true } : {}) });
    case "statuses":
      return slugged(false, { lifecycle_stage: oneOf(STAGES, bits) });
    case "custom_fields": {
      if (list === "options") return oneOf(LABELS, variant);
      const type = pick(rowsOf(document.catalog_types), bits)?.slug ?? "team";
      const kinds: readonly [Fields, ...Fields[]] = [
        { field_type: "text" },
        { field_type: "single_select", options: some(LABELS, bits | 1) },
        { field_type: "catalog_reference", catalog_type: type },
        { field_type: "multi_select", catalog_type: type },
      ];
      return slugged(true, oneOf(kinds, bits));
    }
    case "forms":
    case "runbooks":
      if (list === "conditions") return freshCondition(document, variant, bits);
      if (list === "steps") return { title: name };
      if (path[0] === "runbooks") return slugged(true, { summary: oneOf(TEXTS, bits) });
      return {
        custom_field: slugOf(name, true),
        visible: true,
        required: bits % 2 === 0,
        conditions: bits % 3 === 0 ? [freshCondition(document, variant, bits)] : [],
      };
    case "catalog_types":
      if (list === "entries")
        return slugged(true, {
          attributes: { tier: oneOf(VALUES, bits), owner: oneOf(VALUES, bits), owner_team: oneOf(VALUES, bits) },
        });
      if (list === "attributes") return freshAttribute(bits);
      if (list === "options") return oneOf(LABELS, variant);
      return slugged(true, { attributes: [freshAttribute(bits)], ...(bits % 2 === 0 ? { entries: [] } : {}) });
    case "alert_sources":
      return { name: oneOf(SOURCES, variant), provider: "generic", ...(bits % 4 === 0 ? { enabled: false } : {}) };
    case "routing_rules":
      if (list === "conditions") return { field: "service", operator: "is_one_of", value: [name] };
      return {
        ...(bits % 2 === 0 ? {} : { conditions: [{ field: "service", operator: "starts_with", value: name }] }),
        outcome: oneOf(OUTCOMES, variant),
      };
    case "webhooks":
      return { name: oneOf(HOOKS, variant), url: "https://hook.example.com/x", subscribed_events: some(EVENTS, bits) };
    case "api_keys":
      return { name: oneOf(HOOKS, variant), permissions: oneOf(PERMISSIONS, bits) };
    case "agents":
      if (list === "grants") return { ability: oneOf(ABILITIES, variant), environments: some(["alpha", "beta"], bits) };
      return slugged(false, bits % 2 === 0 ? { grants: [] } : {});
    default:
      if (!OPTION_LISTS.some((one) => one === path[0])) return undefined;
      return slugged(false, bits % 3 === 0 ? { enabled: false } : {});
  }
}

function freshAttribute(bits: number): Fields {
  const all: readonly [Fields, ...Fields[]] = [
    { name: "Notes", attribute_type: "text" },
    { name: "Tier", attribute_type: "select", options: ["gold", "silver"] },
    { name: "Owner", attribute_type: "reference", reference_type: oneOf(["team", "alpha", "beta"], bits >> 2) },
    { name: "Count", attribute_type: "number", ...(bits % 8 === 3 ? { required: true } : {}) },
  ];
  return oneOf(all, bits);
}

function freshCondition(document: Fields, variant: number, bits: number): Fields {
  const operator = bits % 2 === 0 ? "one_of" : "not_one_of";
  const field = pick(rowsOf(document.custom_fields), bits)?.slug ?? "alpha";
  const all: readonly [Fields, ...Fields[]] = [
    { condition_field: "severity", operator, values: ["critical", "alpha", "major"] },
    { condition_field: "incident_type", operator, values: ["data_issue", "alpha", "beta"] },
    { condition_field: "custom_field", custom_field: field, operator, values: [...LABELS, "alpha", "beta"] },
  ];
  return oneOf(all, variant);
}

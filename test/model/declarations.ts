/** What can be declared, for each list: which entries it may hold, and each of them in a few variants. */

import type { Fields, Json } from "../../src/core/json.ts";

/** An entry of a list: which one, how, and for kinds that are known by their name, under which of two names. */
export interface Picked {
  readonly key: string;
  readonly variant: number;
  /** Its second name; undefined: it never had another. */
  readonly renamed?: boolean;
}

/** One list of the files. */
export interface List {
  /** Where it stands: `severities`, `forms/declare`, `routing_rules/sources/Datadog`. */
  readonly at: string;
  /** The entries that it may hold. */
  readonly keys: readonly string[];
  /** Its entries are known by their names. */
  readonly named?: true;
  readonly entry: (key: string, variant: number) => Fields;
}

/** The stage of each status. */
export const STAGES: Readonly<Record<string, string>> = {
  triaging: "triage",
  fresh: "triage",
  investigating: "active",
  monitoring: "active",
  resolved: "closed",
  closed: "closed",
  canceled: "canceled",
};

/** The type of each field that nobody changes the type of. */
const TYPES: Readonly<Record<string, string>> = {
  region: "single_select",
  tier: "multi_select",
  ticket: "link",
  affected: "catalog_reference",
};

/** A label that was given up for another one, or a label. */
export const OPTIONS: readonly (readonly Json[])[] = [
  ["EU", "US"],
  ["EU", "US", "APAC"],
  ["US", "EU"],
  ["LATAM", "EU"],
  [{ label: "Europe", renamed_from: "EU" }, "US"],
  ["eu", "US", { label: "Asia", renamed_from: "APAC" }],
];

/** The text in which a slug's first letter is a capital. */
export const capital = (slug: string): string => `${slug.charAt(0).toUpperCase()}${slug.slice(1).replaceAll("_", " ")}`;

/** A name that leads to the slug, one that does not, or one with characters that a slug cannot hold. */
const NAMES: readonly ((slug: string) => string)[] = [
  capital,
  (slug) => `The ${slug} one`,
  (slug) => `${capital(slug)} & co.`,
];

/** One of several, by a number of any size. */
export function oneOf<T>(list: readonly T[], at: number): T {
  if (list.length === 0) throw new Error("there is nothing to choose from");
  return list[at % list.length] as T;
}

/** The fields of the variant: undefined ones are not stated. */
function entry(slug: string, variant: number, fields: Readonly<Record<string, Json | undefined>>): Fields {
  return stated({ slug, name: oneOf(NAMES, variant)(slug), ...fields });
}

function stated(fields: Readonly<Record<string, Json | undefined>>): Fields {
  return Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

const DESCRIPTIONS = [undefined, "Short.", "", "Two\nlines."];
const COLORS = [undefined, "#DC143C", "#ffa500"];
const ABILITIES = ["runbooks.read", "incidents.update", "incidents.read"];

const option = (slug: string, variant: number, more: Readonly<Record<string, Json | undefined>> = {}): Fields =>
  entry(slug, variant, {
    description: oneOf(DESCRIPTIONS, variant >> 2),
    enabled: oneOf([undefined, true, true, false], variant >> 1),
    ...more,
  });

/** Conditions are written with their words still open: `of` is put in when the document is made. */
const CONDITIONS: readonly Json[] = [
  [],
  [{ of: "severity", operator: "one_of", take: 1 }],
  [{ of: "severity", operator: "not_one_of", take: 2 }],
  [{ of: "incident_type", operator: "one_of", take: 1 }],
  [{ of: "region", operator: "one_of", take: 1 }],
  [
    { of: "region", operator: "not_one_of", take: 2 },
    { of: "severity", operator: "one_of", take: 1 },
  ],
];

const OUTCOMES: readonly Fields[] = [
  { action: "drop" },
  { action: "auto_create_incident", severity: "first" },
  { action: "auto_create_incident", severity: "last" },
  { action: "notify_only", notify: { type: "channel", channel_id: "C1" } },
  { action: "notify_only", notify: { type: "team", team: "payments" } },
];

const rules = (scope: string): List => ({
  at: `routing_rules/${scope}`,
  keys: ["a", "b", "c", "d"],
  entry: (key, variant) =>
    stated({
      name: key,
      enabled: oneOf([undefined, true, false], variant >> 3),
      conditions: oneOf<Json>([[{ field: "service", operator: "is_one_of", value: [key] }], []], variant >> 4),
      outcome: oneOf(OUTCOMES, variant),
    }),
});

const form = (slug: string, keys: readonly string[]): List => ({
  at: `forms/${slug}`,
  keys,
  entry: (key, variant) =>
    stated({
      [key === "region" || key === "tier" ? "custom_field" : "system_field"]: key,
      visible: oneOf([true, false, undefined], variant),
      required: variant % 3 !== 1 && variant % 2 === 0,
      conditions: oneOf<Json | undefined>([undefined, ...CONDITIONS], variant >> 1),
    }),
});

const entries = (type: string, keys: readonly string[]): List => ({
  at: `catalog_types/${type}/entries`,
  keys,
  entry: (key, variant) =>
    entry(key, variant, {
      attributes: oneOf<Json | undefined>(
        [
          undefined,
          { notes: `Note ${variant}` },
          { tier: "gold" },
          { tier: "silver", part_of: "first" },
          { part_of: "last" },
        ],
        variant >> 1,
      ),
    }),
});

/** Attributes of the two types that are not built in; "other" is the other of them. */
const ATTRIBUTES: readonly (readonly Fields[] | undefined)[] = [
  undefined,
  [{ name: "Notes", attribute_type: "text" }],
  [
    { name: "Tier", attribute_type: "select", options: ["gold", "silver"] },
    { name: "Notes", attribute_type: "text" },
  ],
  [
    { name: "Part of", attribute_type: "reference", reference_type: "other" },
    { name: "Tier", attribute_type: "select", options: ["gold", "silver"] },
  ],
  [{ name: "Part of", attribute_type: "reference", reference_type: "other" }],
];

/** Every list; those within another are only written where that one is. */
export const LISTS: readonly List[] = [
  {
    at: "severities",
    keys: ["critical", "major", "minor", "sev_1", "low"],
    entry: (slug, variant) => option(slug, variant, { color: oneOf(COLORS, variant) }),
  },
  {
    at: "statuses",
    keys: Object.keys(STAGES),
    entry: (slug, variant) => option(slug, variant, { lifecycle_stage: STAGES[slug] ?? "active" }),
  },
  { at: "incident_types", keys: ["service_outage", "data_issue", "security", "other"], entry: option },
  { at: "incident_roles", keys: ["scribe", "liaison", "commander"], entry: option },
  {
    at: "custom_fields",
    keys: ["region", "tier", "ticket", "impact", "affected"],
    entry: (slug, variant) => {
      const type = TYPES[slug] ?? oneOf(["text", "number"], variant);
      const options = type.endsWith("select") ? oneOf(OPTIONS, variant) : undefined;
      const more = {
        catalog_type: slug === "affected" ? "product" : undefined,
        description: oneOf(DESCRIPTIONS, variant >> 2),
      };
      return entry(slug, variant >> 1, { field_type: type, options, ...more });
    },
  },
  form("declare", ["summary", "incident_type", "region", "tier"]),
  form("resolve", ["summary", "region"]),
  {
    at: "runbooks",
    keys: ["db_failover", "comms"],
    entry: (slug, variant) =>
      entry(slug, variant, {
        summary: oneOf([undefined, "One.", "Two."], variant),
        steps: oneOf<Json | undefined>(
          [undefined, [], [{ title: "Look", instruction: "Please look" }, { title: "Act" }], [{ title: "Act" }]],
          variant >> 1,
        ),
        conditions: oneOf<Json | undefined>([undefined, ...CONDITIONS], variant >> 2),
      }),
  },
  {
    at: "catalog_types",
    keys: ["product", "platform"],
    entry: (slug, variant) => entry(slug, variant, { attributes: oneOf<Json | undefined>(ATTRIBUTES, variant >> 1) }),
  },
  entries("product", ["checkout", "search"]),
  entries("platform", ["eu_cluster", "us_cluster"]),
  entries("team", ["payments", "web"]),
  {
    at: "alert_sources",
    keys: ["Datadog", "Grafana"],
    named: true,
    entry: (name, variant) => stated({ name, enabled: oneOf([undefined, true, false], variant) }),
  },
  rules("workspace"),
  rules("sources/Datadog"),
  rules("sources/Grafana"),
  {
    at: "webhooks",
    keys: ["pager", "board"],
    named: true,
    entry: (name, variant) =>
      stated({
        name,
        url: `https://${name}.example.com/${variant % 2}`,
        subscribed_events: oneOf<Json | undefined>(
          [["incident.created"], undefined, ["lead.assigned", "incident.created"], []],
          variant >> 1,
        ),
        enabled: oneOf([undefined, true, false], variant),
      }),
  },
  {
    at: "api_keys",
    keys: ["deploy bot", "dashboard"],
    named: true,
    entry: (name, variant) =>
      stated({
        name,
        permissions: oneOf<Json | undefined>(
          [{ incidents: ["read"] }, undefined, { incidents: ["create", "read"], runbooks: ["read"] }],
          variant,
        ),
        active: oneOf([undefined, true, false], variant >> 1),
      }),
  },
  {
    at: "agents",
    keys: ["triage_bot", "scribe_bot"],
    entry: (slug, variant) =>
      entry(slug, variant, {
        description: oneOf(DESCRIPTIONS, variant >> 1),
        enabled: oneOf([undefined, true, false], variant >> 2),
        grants: oneOf<readonly string[] | undefined>(
          [undefined, ABILITIES.slice(0, 2), ABILITIES.slice(1), []],
          variant,
        )?.map((ability): Fields => ({ ability })),
      }),
  },
];

/** What the files say: which lists they have, and what stands in each. A list that they do not have is remembered. */
export interface Declarations {
  readonly managed: ReadonlySet<string>;
  readonly picked: ReadonlyMap<string, readonly Picked[]>;
}

/** An edit of the files. */
export interface Edit {
  readonly list: string;
  readonly does: "add" | "remove" | "move" | "change" | "rename" | "manage" | "release";
  readonly at: number;
  readonly variant: number;
}

/** The declarations after an edit; an edit that has nothing to work on changes nothing. */
export function edited(before: Declarations, { list: at, does, at: place, variant }: Edit): Declarations {
  const list = LISTS.find((one) => one.at === at);
  if (list === undefined) throw new Error(`there is no list ${at}`);
  const managed = new Set(before.managed);
  if (does === "release") managed.delete(at);
  else managed.add(at);
  const picked = new Map(before.picked);
  picked.set(at, editedList(list, before.picked.get(at) ?? [], does, place, variant));
  return { managed, picked };
}

function editedList(
  { keys, named }: List,
  before: readonly Picked[],
  does: Edit["does"],
  place: number,
  variant: number,
): readonly Picked[] {
  const at = place % Math.max(1, before.length);
  const chosen = before[at];
  const free = keys.filter((key) => !before.some((one) => one.key === key));
  if (does === "add") {
    return free.length === 0
      ? before
      : before.toSpliced(place % (before.length + 1), 0, { key: oneOf(free, variant), variant });
  }
  if (chosen === undefined || does === "manage" || does === "release") return before;
  const rest = before.toSpliced(at, 1);
  if (does === "remove") return rest;
  if (does === "move") return rest.toSpliced(variant % before.length, 0, chosen);
  if (does === "rename" && named === true) return before.with(at, { ...chosen, renamed: chosen.renamed !== true });
  return before.with(at, { ...chosen, variant });
}

/** Random valid configurations: every referenced resource is declared, every stage has a status, one resource is the default. */

import fc from "fast-check";
import type { Fields, Json } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../option-lists.ts";

const capital = (slug: string) => `${slug.charAt(0).toUpperCase()}${slug.slice(1).replaceAll("_", " ")}`;

/** A name that matches the slug, a different one, or one with characters that a slug cannot contain. */
const named = (slug: string) => fc.constantFrom(capital(slug), `The ${slug} one`, `${capital(slug)} & co.`);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

function defined(fields: Record<string, Json | undefined>): Fields {
  return Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

function entries(
  slugs: readonly string[],
  least: number,
  more: (slug: string) => fc.Arbitrary<Fields>,
): fc.Arbitrary<readonly Fields[]> {
  return fc
    .shuffledSubarray([...slugs], { minLength: least })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((slug) => fc.tuple(named(slug), more(slug)).map(([name, fields]) => ({ slug, name, ...fields }))),
      ),
    );
}

const described = fc.record({ description: optional(fc.constantFrom("", "Short.", "Two\nlines.")) }).map(defined);

/** Makes the first enabled resource (of the stage, if given) the default. */
function withDefault(list: readonly Fields[], fits: (entry: Fields) => boolean, pick: number): readonly Fields[] {
  const able = list.filter((entry) => entry.enabled !== false && fits(entry));
  const chosen = able[pick % Math.max(1, able.length)];
  return list.map((entry) => (entry === chosen ? { ...entry, default: true } : entry));
}

const SEVERITIES = ["critical", "major", "minor", "sev_1", "low"];
const severities = fc
  .tuple(
    entries(SEVERITIES, 1, () =>
      fc
        .record({ color: optional(fc.constantFrom("#DC143C", "#ffa500")), enabled: optional(fc.boolean()) })
        .map(defined),
    ),
    fc.nat(),
  )
  .map(([list, pick]) =>
    withDefault(
      list.map((entry, index) => (index === 0 ? { ...entry, enabled: true } : entry)),
      () => true,
      pick,
    ),
  );

const STAGES: Readonly<Record<string, readonly string[]>> = {
  triage: ["triaging", "fresh"],
  active: ["investigating", "monitoring"],
  closed: ["resolved", "closed"],
  canceled: ["canceled"],
};
const statuses = fc
  .tuple(
    ...Object.entries(STAGES).map(([stage, slugs]) =>
      entries(slugs, 1, () => fc.constant<Fields>({ lifecycle_stage: stage })),
    ),
  )
  .chain((lists) => fc.tuple(fc.shuffledSubarray(lists.flat(), { minLength: lists.flat().length }), fc.nat()))
  .map(([list, pick]) =>
    withDefault(list, ({ lifecycle_stage }) => lifecycle_stage === "triage" || lifecycle_stage === "active", pick),
  );

/** Slugs of the lists of options without a default; a list that is not here has those of roles. */
const SLUGS: Readonly<Record<string, readonly string[]>> = {
  incident_types: ["service_outage", "data_issue", "security", "other"],
};
const OTHER_LISTS = OPTION_LISTS.filter((list) => list !== "severities" && list !== "statuses");
const otherOptions = fc.record(
  Object.fromEntries(
    OTHER_LISTS.map((list) => [list, entries(SLUGS[list] ?? ["scribe", "liaison", "commander"], 0, () => described)]),
  ),
);

const LABELS = ["EU", "US", "APAC", "LATAM", "eu west"];
const customFields = entries(["region", "tier", "ticket", "impact"], 0, (slug) =>
  slug === "ticket"
    ? fc.constant<Fields>({ field_type: "link" })
    : slug === "impact"
      ? fc.constant<Fields>({ field_type: "text", description: "What it does." })
      : fc
          .shuffledSubarray(LABELS, { minLength: 1 })
          .map((options): Fields => ({ field_type: slug === "region" ? "single_select" : "multi_select", options })),
);

const condition = (severityList: readonly Fields[], fieldList: readonly Fields[]) => {
  const enabled = severityList.filter(({ enabled }) => enabled !== false).map(({ slug }) => String(slug));
  const bySeverity = fc
    .tuple(fc.constantFrom("one_of", "not_one_of"), fc.subarray(enabled, { minLength: 1 }))
    .map(([operator, values]): Fields => ({ condition_field: "severity", operator, values }));
  const selects = fieldList.filter(({ options }) => Array.isArray(options));
  if (selects.length === 0) return fc.array(bySeverity, { maxLength: 1 });
  const byField = fc
    .constantFrom(...selects)
    .chain((field) => fc.tuple(fc.constant(field), fc.subarray(field.options as string[], { minLength: 1 })))
    .map(
      ([field, values]): Fields => ({
        condition_field: "custom_field",
        custom_field: field.slug ?? null,
        operator: "one_of",
        values,
      }),
    );
  return fc.array(fc.oneof(bySeverity, byField), { maxLength: 2 });
};

const sources = fc
  .subarray(["Datadog", "Grafana", "Northflank"])
  .map((names) => names.map((name): Fields => ({ name, provider: "generic" })));

const rule = (severityList: readonly Fields[]) =>
  fc
    .record({
      conditions: fc.array(
        fc.record({
          field: fc.constantFrom("service", "team"),
          operator: fc.constant("is_one_of"),
          value: fc.subarray(["billing", "web", "db"], { minLength: 1 }),
        }),
        { maxLength: 2 },
      ),
      enabled: optional(fc.boolean()),
      outcome: fc.oneof(
        fc
          .constantFrom(...severityList.map(({ slug }) => String(slug)))
          .map((severity): Fields => ({ action: "auto_create_incident", severity })),
        fc.constant<Fields>({ action: "drop" }),
        fc
          .constantFrom("C1", "C2")
          .map((channel_id): Fields => ({ action: "notify_only", notify: { type: "channel", channel_id } })),
      ),
    })
    .map(defined);

const webhooks = fc.subarray(["pager", "board"]).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc
        .record({
          name: fc.constant(name),
          url: fc.constantFrom("https://a.example.com/x", "https://b.example.com/y"),
          subscribed_events: fc.shuffledSubarray(["incident.created", "incident.resolved", "lead.assigned"]),
          enabled: optional(fc.boolean()),
        })
        .map(defined),
    ),
  ),
);

const apiKeys = fc.subarray(["deploy bot", "dashboard"]).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc
        .record({
          name: fc.constant(name),
          permissions: fc.record({
            incidents: fc.shuffledSubarray(["read", "create", "update"], { minLength: 1 }),
          }) as fc.Arbitrary<Fields>,
          active: optional(fc.boolean()),
        })
        .map(defined),
    ),
  ),
);

const agents = entries(["triage_bot", "scribe_bot"], 0, () =>
  fc
    .record({
      description: optional(fc.constant("Reads.")),
      grants: optional(
        fc
          .subarray(["runbooks.read", "incidents.update"])
          .map((abilities) => abilities.map((ability): Fields => ({ ability }))),
      ),
    })
    .map(defined),
);

const attributesOf = (other: string): readonly Fields[] => [
  { name: "Notes", attribute_type: "text" },
  { name: "Tier", attribute_type: "select", options: ["gold", "silver"], required: false },
  { name: `Part of ${other}`, attribute_type: "reference", reference_type: other },
];

/** Two types that may refer to each other, and the built-in teams and environments, with entries that refer to each other. */
const catalog = fc
  .record({
    both: fc.boolean(),
    product: fc.subarray(["checkout", "search", "billing"]),
    platform: fc.subarray(["eu_cluster", "us_cluster"]),
    teams: fc.subarray(["payments", "web"]),
    places: fc.subarray(["production", "staging"]),
    tier: fc.constantFrom("gold", "silver"),
    chosen: fc.shuffledSubarray([0, 1, 2], { minLength: 1 }),
    pick: fc.nat(),
  })
  .map(({ both, product, platform, teams, places, tier, chosen, pick }): readonly Fields[] => {
    const attributes = (other: string) => chosen.flatMap((at) => attributesOf(other)[at] ?? []);
    const values = (slug: string, others: readonly string[], index: number): Fields => ({
      ...(chosen.includes(0) ? { notes: `Note ${index + pick}` } : {}),
      ...(chosen.includes(1) ? { tier } : {}),
      ...(chosen.includes(2) && others.length > 0
        ? { [`part_of_${slug}`]: others[(index + pick) % others.length] ?? "" }
        : {}),
    });
    const entry = (slug: string, attributes: Fields): Fields => ({ slug, name: capital(slug), attributes });
    return [
      ...(both
        ? [
            {
              slug: "product",
              name: "Product",
              attributes: attributes("platform"),
              entries: product.map((slug, index) => entry(slug, values("platform", platform, index))),
            },
          ]
        : []),
      {
        slug: "platform",
        name: "Platform",
        attributes: attributes(both ? "product" : "platform"),
        entries: platform.map((slug, index) => entry(slug, values("product", [], index))),
      },
      { slug: "team", entries: teams.map((slug) => ({ slug, name: capital(slug) })) },
      { slug: "environment", entries: places.map((slug) => ({ slug, name: capital(slug) })) },
    ];
  });

/** A configuration that manages some kinds, including every kind that they refer to. */
export const configuration: fc.Arbitrary<Fields> = fc
  .tuple(severities, statuses, otherOptions, customFields, sources, catalog)
  .chain(([severityList, statusList, others, fieldList, sourceList, catalogTypes]) =>
    fc
      .record({
        forms: fc.subarray([...fieldList]).chain((attached) =>
          fc
            .tuple(
              ...attached.map((field) =>
                condition(severityList, []).map(
                  (conditions): Fields => ({
                    custom_field: field.slug ?? null,
                    visible: true,
                    required: false,
                    conditions,
                  }),
                ),
              ),
            )
            .map(
              (list): Fields => ({
                declare: [{ system_field: "summary", visible: true, required: list.length > 1 }, ...list],
              }),
            ),
        ),
        runbooks: entries(["db_failover", "comms"], 0, () =>
          condition(severityList, fieldList).chain((conditions) =>
            fc
              .record({
                summary: fc.constantFrom("One.", "Two."),
                steps: fc
                  .shuffledSubarray(["Look", "Decide", "Act"])
                  .map((titles) =>
                    titles.map((title): Fields => ({ title, instruction: `Please ${title}` })),
                  ) as fc.Arbitrary<Json>,
                conditions: fc.constant<Json>([...conditions]),
              })
              .map(defined),
          ),
        ),
        workspace: fc.array(rule(severityList), { maxLength: 5 }),
        ofSources: fc.tuple(
          ...sourceList.map(({ name }) =>
            fc.array(rule(severityList), { maxLength: 4 }).map((rules) => [String(name), rules] as const),
          ),
        ),
        webhooks,
        apiKeys,
        agents,
        owned: fc.subarray([
          ...OTHER_LISTS,
          "forms",
          "runbooks",
          "webhooks",
          "api_keys",
          "agents",
          "routing_rules",
          "catalog_types",
        ]),
      })
      .map(({ forms, runbooks, workspace, ofSources, webhooks: hooks, apiKeys: keys, agents: bots, owned }): Fields => {
        const all: Fields = {
          severities: severityList,
          statuses: statusList,
          ...others,
          catalog_types: catalogTypes,
          custom_fields: fieldList,
          forms,
          runbooks,
          alert_sources: sourceList,
          routing_rules: { workspace, sources: Object.fromEntries(ofSources) },
          webhooks: hooks,
          api_keys: keys,
          agents: bots,
        };
        const always = ["severities", "statuses", "custom_fields", "alert_sources"];
        return Object.fromEntries(
          Object.entries(all).filter(([name]) => always.includes(name) || owned.includes(name)),
        );
      }),
  );

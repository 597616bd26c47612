/** What people do on the service, past the configuration: through its public interface, so it may refuse. */

import type { Fields, Json } from "../../src/core/json.ts";
import { capital, LISTS, OPTIONS, oneOf, STAGES } from "./declarations.ts";
import type { ModelService } from "./service.ts";
import { having, OPTION_LISTS, rulesIn, type Workspace } from "./workspace.ts";

/** A deed: which, on the how-manieth entry, and how. */
export interface Hand {
  readonly does: string;
  readonly at: number;
  readonly variant: number;
}

/** What was done, as somebody asked for it or the next thing that there is something to do with, and the answer. */
export async function byHand({ does, at, variant }: Hand, service: ModelService): Promise<Done> {
  const scene = { live: service.look(), at, variant };
  const first = DEED_NAMES.indexOf(does);
  for (const [name, deed] of [...NAMED_DEEDS.slice(first), ...NAMED_DEEDS]) {
    const request = deed(scene);
    if (request === undefined) continue;
    const [method, path, body] = request;
    const status = await service.hand(method, path, body);
    return { does: name, status, request: `${method} ${path} ${JSON.stringify(body ?? {})}` };
  }
  throw new Error("there is always something to do");
}

/** A deed, the request that it was, and the status of its answer. */
export interface Done {
  readonly does: string;
  readonly request: string;
  readonly status: number;
}

type Request = readonly [method: string, path: string, body?: Fields];

interface Scene {
  readonly live: Workspace;
  readonly at: number;
  readonly variant: number;
}

type Deed = (scene: Scene) => Request | undefined;

/** A name that somebody may declare as well, in one of its variants, or one that nobody declares. */
function nameOf(at: string, variant: number): string {
  const list = LISTS.find((one) => one.at === at);
  if (list === undefined || variant % 3 === 2) return `By hand ${(variant >> 2) % 3}`;
  const entry = list.entry(oneOf(list.keys, variant >> 2), variant % 3 === 0 ? 0 : variant);
  return String(entry.name);
}

function chosen(rows: readonly Fields[], at: number): Fields | undefined {
  return rows.length === 0 ? undefined : oneOf(rows, at);
}

/** The fields of an option that somebody changes. */
const CHANGES: readonly Fields[] = [
  { name: "Renamed by hand" },
  { description: "By hand." },
  { color: "#123456" },
  { enabled: false },
  { enabled: true },
  { default: true },
];

const options = Object.fromEntries(
  OPTION_LISTS.flatMap((list): readonly (readonly [string, Deed])[] => [
    [
      `create in ${list}`,
      ({ at, variant }) => [
        "POST",
        `/${list}`,
        {
          name: nameOf(list, variant),
          ...(list === "statuses" ? { lifecycle_stage: stageOf(variant) } : {}),
          ...(at % 2 === 0 ? { position: 1 + (at % 4) } : {}),
        },
      ],
    ],
    [`change in ${list}`, changing(list, (live) => live[list], "slug", CHANGES)],
    [`delete in ${list}`, deleting(list, (live) => live[list], "slug")],
    [
      `move in ${list}`,
      ({ live, at, variant }) => {
        const row = chosen(live[list], at);
        return row === undefined
          ? undefined
          : ["PATCH", `/${list}/${row.slug}`, { position: 1 + (variant % live[list].length) }];
      },
    ],
  ]),
);

/** The stage that a declared status of the name would have: nobody makes two stages of one slug. */
function stageOf(variant: number): string {
  const keys = Object.keys(STAGES);
  return STAGES[oneOf(keys, variant >> 2)] ?? "active";
}

function changing(
  path: string,
  rows: (live: Workspace) => readonly Fields[],
  member: string,
  changes: readonly Fields[],
): Deed {
  return ({ live, at, variant }) => {
    const row = chosen(rows(live), at);
    return row === undefined ? undefined : ["PATCH", `/${path}/${row[member]}`, oneOf(changes, variant)];
  };
}

function deleting(path: string, rows: (live: Workspace) => readonly Fields[], member: string): Deed {
  return ({ live, at }) => {
    const row = chosen(rows(live), at);
    return row === undefined ? undefined : ["DELETE", `/${path}/${row[member]}`];
  };
}

const fieldOf = (slug: string, live: Workspace) => live.custom_fields.find((row) => row.slug === slug);

/** The scope and its query, for rules. */
function scopeOf({ live, at }: Scene): readonly [id: string, query: string] {
  const row = at % 2 === 0 ? undefined : chosen(live.alert_sources, at >> 1);
  return row === undefined ? ["", ""] : [String(row.id), `?source=${encodeURIComponent(String(row.name))}`];
}

function ruleOf({ live, variant }: Scene): Fields {
  const severity = chosen(live.severities, variant >> 1);
  const outcome =
    variant % 2 === 0 ? { action: "drop" } : { action: "auto_create_incident", severity_id: severity?.id ?? null };
  const condition = { field: "service", operator: "is_one_of", value: [oneOf(["a", "b", "hand"], variant >> 2)] };
  return { enabled: variant % 5 !== 0, conditions: variant % 4 === 0 ? [] : [condition], outcome };
}

function onRule(method: "PATCH" | "DELETE"): Deed {
  return (scene) => {
    const [id, query] = scopeOf(scene);
    const row = chosen(rulesIn(scene.live, id), scene.variant);
    if (row === undefined) return undefined;
    const path = `/routing_rules/${row.priority}${query}`;
    return method === "DELETE" ? [method, path] : [method, path, ruleOf(scene)];
  };
}

function conditionsIn({ live, variant }: Scene): Json {
  const severity = chosen(having(live.severities, "enabled", true), variant);
  const region = fieldOf("region", live);
  const label = chosen(having(live.options, "field_id", region?.id), variant >> 1)?.label;
  if (variant % 3 === 0) return [];
  return variant % 3 === 1 || label === undefined
    ? [{ condition_field: "severity", operator: "one_of", values: [severity?.slug ?? ""] }]
    : [{ condition_field: "custom_field", custom_field: "region", operator: "one_of", values: [label] }];
}

const principal = ({ live, at }: Scene, list: "agents" | "api_keys"): Fields | undefined => {
  const row = chosen(live[list], at);
  return row === undefined
    ? undefined
    : { principal_kind: list === "agents" ? "agent" : "api_key", principal_id: row.id ?? null };
};

const ABILITIES = ["runbooks.read", "incidents.update", "severities.read"];

const others: Readonly<Record<string, Deed>> = {
  "create a custom field": ({ variant }) => {
    const slug = oneOf(["region", "tier", "ticket", "hand"], variant);
    const type = { region: "single_select", tier: "multi_select", ticket: "link" }[slug] ?? "text";
    const isSelect = type.endsWith("select");
    const options = isSelect ? { options: ["US", "By hand", "EU"].slice(variant % 2) } : {};
    return [
      "POST",
      "/custom_fields",
      { name: capital(slug), field_type: type, option_source: isSelect ? "fixed" : "none", ...options },
    ];
  },
  "change a custom field": changing("custom_fields", (live) => live.custom_fields, "slug", [
    { name: "Renamed by hand" },
    { description: "By hand." },
  ]),
  "delete a custom field": deleting("custom_fields", (live) => live.custom_fields, "slug"),
  "change the options": ({ live, at, variant }) => {
    const row = chosen(
      live.custom_fields.filter(({ option_source }) => option_source === "fixed"),
      at,
    );
    if (row === undefined) return undefined;
    const labels = having(live.options, "field_id", row.id).map(({ label }) => String(label));
    const wanted = [
      [...labels, "By hand"],
      labels.slice(1),
      labels.toReversed(),
      oneOf(OPTIONS, variant >> 2).filter((one) => typeof one === "string"),
    ];
    return ["PATCH", `/custom_fields/${row.slug}`, { options: oneOf(wanted, variant) }];
  },
  "change a form": (scene) => {
    const form = oneOf(["declare", "resolve", "update"], scene.at);
    const [summary, region] = [{ system_field: "summary" }, { custom_field: "region" }];
    const field = scene.variant % 2 === 0 || fieldOf("region", scene.live) === undefined ? summary : region;
    const flags = { visible: scene.variant % 4 !== 0, required: scene.variant % 8 > 3 };
    return ["PATCH", `/forms/${form}`, { ...field, ...flags }];
  },
  "set the conditions of a form field": (scene) => {
    const body = { system_field: "summary", conditions: conditionsIn(scene) };
    return ["PATCH", `/forms/${oneOf(["declare", "resolve"], scene.at)}`, body];
  },
  "create a runbook": (scene) => {
    const more = {
      summary: "By hand.",
      content: "Long.",
      steps: [{ title: "By hand" }],
      conditions: conditionsIn(scene),
    };
    return ["POST", "/runbooks", { name: nameOf("runbooks", scene.variant), ...more }];
  },
  "change a runbook": (scene) => {
    const row = chosen(scene.live.runbooks, scene.at);
    const changes = [
      { name: "Renamed by hand" },
      { steps: [{ title: "By hand" }] },
      { conditions: conditionsIn(scene) },
    ];
    return row === undefined
      ? undefined
      : ["PATCH", `/runbooks/${row.slug}`, oneOf<Fields>(changes, scene.variant >> 2)];
  },
  "delete a runbook": deleting("runbooks", (live) => live.runbooks, "slug"),
  "create a catalog type": ({ variant }) => [
    "POST",
    "/catalog/types",
    { name: nameOf("catalog_types", variant), attributes: [{ name: "Notes", attribute_type: "text" }] },
  ],
  "change a catalog type": changing("catalog/types", (live) => live.catalog_types, "slug", [
    { description: "By hand." },
    { name: "Renamed by hand" },
  ]),
  "delete a catalog type": deleting("catalog/types", (live) => live.catalog_types, "slug"),
  "create a catalog entry": ({ live, at, variant }) => {
    const slug = oneOf(["team", "product", "platform", "service"], at);
    const type = live.catalog_types.find((row) => row.slug === slug);
    const known = having(live.attributes, "type_id", type?.id).some((row) => row.slug === "notes");
    const attributes = known ? { notes: "By hand." } : {};
    const name = nameOf(`catalog_types/${slug}/entries`, variant);
    return ["POST", `/catalog/types/${slug}/entries`, { name, attributes }];
  },
  "change a catalog entry": changing("catalog/entries", (live) => live.entries, "id", [
    { name: "Renamed by hand" },
    { name: "By hand", attributes: {} },
  ]),
  "delete a catalog entry": deleting("catalog/entries", (live) => live.entries, "id"),
  "create an alert source": ({ variant }) => ["POST", "/alert_sources", { name: nameOf("alert_sources", variant) }],
  "change an alert source": changing("alert_sources", (live) => live.alert_sources, "slug", [
    { enabled: false },
    { enabled: true },
    { name: "Renamed by hand" },
    { name: "Datadog again" },
  ]),
  "delete an alert source": deleting("alert_sources", (live) => live.alert_sources, "slug"),
  "append a rule": (scene) => ["POST", `/routing_rules${scopeOf(scene)[1]}`, ruleOf(scene)],
  "change a rule": onRule("PATCH"),
  "delete a rule": onRule("DELETE"),
  "create a webhook": ({ variant }) => [
    "POST",
    "/webhooks",
    { name: nameOf("webhooks", variant), url: "https://hand.example.com/", subscribed_events: ["incident.created"] },
  ],
  "change a webhook": changing("webhooks", (live) => live.webhooks, "id", [
    { enabled: false },
    { url: "https://hand.example.com/2" },
    { subscribed_events: ["lead.assigned", "incident.resolved"] },
    { name: "Renamed by hand" },
  ]),
  "delete a webhook": deleting("webhooks", (live) => live.webhooks, "id"),
  "create a service key": ({ variant }) => [
    "POST",
    "/api_keys",
    { name: nameOf("api_keys", variant), permissions: { severities: ["read"] } },
  ],
  "create an agent": ({ variant }) => ["POST", "/agents", { name: nameOf("agents", variant) }],
  "change an agent": changing("agents", (live) => live.agents, "slug", [
    { enabled: false },
    { description: "By hand." },
    { name: "Renamed by hand" },
  ]),
  "delete an agent": deleting("agents", (live) => live.agents, "slug"),
  "grant an ability": (scene) => {
    const who = principal(scene, scene.variant % 4 === 0 ? "api_keys" : "agents");
    return who === undefined ? undefined : ["POST", "/grants", { ...who, ability: oneOf(ABILITIES, scene.variant) }];
  },
  "take a grant back": ({ live, at }) => {
    const owners = new Set([...live.agents, ...live.api_keys].map(({ id }) => id));
    const row = chosen(
      live.grants.filter(({ principal_id }) => owners.has(principal_id)),
      at,
    );
    return row === undefined ? undefined : ["DELETE", `/grants/${row.id}`];
  },
  "declare an incident": ({ live, at, variant }) => {
    const severity = chosen(having(live.severities, "enabled", true), at);
    const type = variant % 2 === 0 ? undefined : chosen(having(live.incident_types, "enabled", true), variant >> 1);
    const status = variant % 3 === 0 ? undefined : chosen(having(live.statuses, "enabled", true), variant);
    const region = live.form_fields.find(
      ({ form, slug, visible }) => form === "declare" && slug === "region" && visible === true,
    );
    const label = chosen(having(live.options, "field_id", fieldOf("region", live)?.id), variant)?.label;
    return [
      "POST",
      "/incidents",
      {
        idempotency_key: `key ${live.incidents.length}`,
        name: "Something broke",
        summary: "Why.",
        severity_id: severity?.id ?? "",
        ...(type === undefined ? {} : { incident_type_id: type.id ?? null }),
        ...(status === undefined ? {} : { status_id: status.id ?? null }),
        ...(region === undefined || label === undefined ? {} : { custom_fields: { region: label } }),
      },
    ];
  },
};

const NAMED_DEEDS: readonly (readonly [string, Deed])[] = [...Object.entries(options), ...Object.entries(others)];

/** Everything that people do. */
export const DEED_NAMES: readonly string[] = NAMED_DEEDS.map(([name]) => name);

/** Requests of people: they make the workspace of a case, and edit it between two runs. The service may refuse them. */

import type { Fields, Json } from "../../../src/core/json.ts";
import { OPTION_LISTS } from "../../support/option-lists.ts";
import { type DifferentialService, FORMS, type ListName } from "../service.ts";
import { attributesOf, conditionsOf, type Deed, ruleBody, type Scene, STEPS, scopeOf, valuesOf } from "./bodies.ts";
import {
  ABILITIES,
  COLORS,
  defined,
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
  some,
  TEXTS,
} from "./choice.ts";

type Request = readonly [method: string, path: string, body?: Fields];

type Maker = (scene: Scene) => Promise<Request | undefined>;

/** Carries out a deed. Returns the request, and its status; undefined if there is nothing to do it with. */
export async function carryOut(deed: Deed, service: DifferentialService): Promise<string | undefined> {
  const maker = DEEDS[deed.does];
  if (maker === undefined) throw new Error(`there is no deed ${deed.does}`);
  const request = await maker({ ...deed, service });
  if (request === undefined) return undefined;
  const [method, path, body] = request;
  const status = await service.write(method, path, body);
  return status < 300 ? `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}` : undefined;
}

const nameOf = ({ variant }: Scene): string => oneOf(NAMES, variant);

/** A request to one of the rows of a list. */
function toRow(
  list: ListName,
  path: string,
  key: string,
  method: "PATCH" | "DELETE",
  body: (scene: Scene, row: Fields) => Promise<Fields | undefined> | Fields | undefined = () => undefined,
): Maker {
  return async (scene) => {
    const row = pick(await scene.service.list(list), scene.at);
    if (row === undefined) return undefined;
    const sent = await body(scene, row);
    if (sent === undefined && method === "PATCH") return undefined;
    const member = `/${path}/${encodeURIComponent(String(row[key]))}`;
    return sent === undefined ? [method, member] : [method, member, sent];
  };
}

function toRule(method: "PATCH" | "DELETE"): Maker {
  return async (scene) => {
    const [source, query] = await scopeOf(scene);
    const row = pick(
      (await scene.service.list("rules")).filter((one) => one.source === source),
      scene.bits,
    );
    if (row === undefined) return undefined;
    const path = `/routing_rules/${row.priority}${query}`;
    return method === "PATCH" ? [method, path, await ruleBody(scene)] : [method, path];
  };
}

const optionDeeds: Readonly<Record<string, Maker>> = Object.fromEntries(
  OPTION_LISTS.flatMap((list): readonly (readonly [string, Maker])[] => [
    [
      `create in ${list}`,
      async (scene) => [
        "POST",
        `/${list}`,
        {
          name: nameOf(scene),
          ...(list === "statuses" ? { lifecycle_stage: oneOf(STAGES, scene.bits) } : {}),
          ...(scene.at % 2 === 0 ? { position: scene.at >> 1 } : {}),
          ...(scene.bits % 4 === 3 ? { enabled: false } : {}),
        },
      ],
    ],
    [
      `change in ${list}`,
      toRow(list, list, "slug", "PATCH", (scene) => {
        const { bits } = scene;
        const changes: readonly [Fields, ...Fields[]] = [
          { name: nameOf(scene) },
          { enabled: false },
          { enabled: false },
          { enabled: true },
          { description: oneOf(TEXTS, scene.variant) },
          { color: oneOf(COLORS, scene.variant) },
          { default: true },
          { position: 1 + (scene.variant % 6) },
        ];
        return oneOf(changes, bits);
      }),
    ],
    [`delete in ${list}`, toRow(list, list, "slug", "DELETE")],
  ]),
);

const FIELD_TYPES = [
  "text",
  "single_select",
  "single_select",
  "multi_select",
  "catalog_reference",
  "number",
  "link",
] as const;

const DEEDS: Readonly<Record<string, Maker>> = {
  ...optionDeeds,
  "create a custom field": async (scene) => {
    const { service, bits, at } = scene;
    const field_type = oneOf(FIELD_TYPES, at);
    const isSelect = field_type.endsWith("select");
    const type = pick(await service.list("catalog_types"), bits);
    const isCatalog = field_type === "catalog_reference" || (isSelect && bits % 8 === 7);
    return [
      "POST",
      "/custom_fields",
      defined({
        name: nameOf(scene),
        field_type,
        option_source: isCatalog ? "catalog" : isSelect ? "fixed" : "none",
        options: isSelect && !isCatalog ? some(LABELS, bits | 1) : undefined,
        catalog_type: isCatalog ? (type?.slug ?? null) : undefined,
        description: bits % 2 === 0 ? oneOf(TEXTS, bits) : undefined,
      }),
    ];
  },
  // Two of them over one type are not told apart by the values of a condition.
  "create a custom field of entries": async (scene) => {
    const { service, bits, at } = scene;
    const types = await service.list("catalog_types");
    const entries = await service.list("entries");
    const filled = types.filter(({ slug }) => entries.some(({ type }) => type === slug));
    const type = pick(filled.length > 0 ? filled : types, bits % 2);
    const field_type = oneOf(["catalog_reference", "single_select", "multi_select"], at);
    return [
      "POST",
      "/custom_fields",
      { name: nameOf(scene), field_type, option_source: "catalog", catalog_type: type?.slug ?? null },
    ];
  },
  "change a custom field": toRow("custom_fields", "custom_fields", "slug", "PATCH", (scene, row) => {
    const { bits } = scene;
    const labels = rowsOf(row.options).map(({ label }) => String(label));
    if (bits % 3 === 0 || row.option_source !== "fixed") return { name: nameOf(scene) };
    if (bits % 3 === 1) return { options: [...new Set([...labels, oneOf(LABELS, scene.variant)])] };
    return { options: labels.slice(1).length === 0 ? labels : labels.slice(1) };
  }),
  "delete a custom field": toRow("custom_fields", "custom_fields", "slug", "DELETE"),
  "put a field on a form": async (scene) => {
    const field = pick(await scene.service.list("custom_fields"), scene.at);
    if (field === undefined) return undefined;
    const form = oneOf(FORMS, scene.variant >> 4);
    const conditions = scene.variant % 2 === 0 ? await conditionsOf(scene, form) : [];
    return [
      "PATCH",
      `/forms/${form}`,
      { custom_field: field.slug ?? null, visible: scene.bits % 3 !== 0, required: scene.bits % 6 === 1, conditions },
    ];
  },
  "change a field of a form": async (scene) => {
    const form = oneOf(FORMS, scene.variant >> 4);
    const row = pick(
      (await scene.service.list("form_fields")).filter((one) => one.form === form),
      scene.at,
    );
    if (row === undefined) return undefined;
    const key = row.source === "custom" ? "custom_field" : "system_field";
    const conditions = row.locked === true ? [] : await conditionsOf(scene, form);
    const isOff = row.locked !== true && scene.bits % 3 === 0;
    return [
      "PATCH",
      `/forms/${form}`,
      {
        [key]: row.slug ?? null,
        visible: !isOff,
        required: row.locked === true || (!isOff && scene.bits % 2 === 0),
        conditions,
      },
    ];
  },
  "create a runbook": async (scene) => [
    "POST",
    "/runbooks",
    defined({
      name: nameOf(scene),
      summary: scene.bits % 2 === 0 ? oneOf(TEXTS, scene.bits) : undefined,
      steps: scene.at % 2 === 0 ? oneOf(STEPS, scene.at >> 1) : undefined,
      conditions: await conditionsOf(scene),
      aliases: scene.bits % 5 === 0 ? ["failover"] : undefined,
    }),
  ],
  "change a runbook": toRow("runbooks", "runbooks", "slug", "PATCH", async (scene) => {
    const changes: readonly [Fields, ...Fields[]] = [
      { name: nameOf(scene) },
      { steps: oneOf(STEPS, scene.variant) },
      { conditions: await conditionsOf(scene) },
      { content: oneOf(TEXTS, scene.variant) },
    ];
    return oneOf(changes, scene.bits);
  }),
  "delete a runbook": toRow("runbooks", "runbooks", "slug", "DELETE"),
  "create a catalog type": async (scene) => [
    "POST",
    "/catalog/types",
    { name: nameOf(scene), description: oneOf(TEXTS, scene.bits), attributes: await attributesOf(scene) },
  ],
  "change a catalog type": toRow("catalog_types", "catalog/types", "slug", "PATCH", async (scene, row) => {
    const { bits } = scene;
    if (bits % 2 === 0) return { name: row.kind === "system" ? (row.name ?? null) : nameOf(scene) };
    const kept = rowsOf(row.attribute_definitions);
    const itself = scene.at % 3 === 0 ? row : undefined;
    const added = (await attributesOf(scene, itself)).filter(({ name }) => !kept.some((one) => one.name === name));
    return { attributes: [...kept, ...added.map((one): Fields => ({ ...one, required: false }))] };
  }),
  "delete a catalog type": toRow("catalog_types", "catalog/types", "slug", "DELETE"),
  "create an entry": async (scene) => {
    const type = pick(await scene.service.list("catalog_types"), scene.at);
    if (type === undefined) return undefined;
    return [
      "POST",
      `/catalog/types/${type.slug}/entries`,
      { name: nameOf(scene), attributes: await valuesOf(scene, type) },
    ];
  },
  "change an entry": toRow("entries", "catalog/entries", "id", "PATCH", async (scene, row) => {
    const type = (await scene.service.list("catalog_types")).find(({ slug }) => slug === row.type);
    const name = scene.variant % 3 === 0 ? nameOf(scene) : (row.name ?? null);
    return { name, attributes: type === undefined ? {} : await valuesOf(scene, type, row) };
  }),
  "delete an entry": toRow("entries", "catalog/entries", "id", "DELETE"),
  "create a source": async ({ variant }) => [
    "POST",
    "/alert_sources",
    { name: oneOf(SOURCES, variant), provider: "generic" },
  ],
  "change a source": toRow("alert_sources", "alert_sources", "slug", "PATCH", ({ variant, bits }) =>
    oneOf<Fields>([{ name: oneOf(SOURCES, variant) }, { enabled: false }, { enabled: true }], bits),
  ),
  "delete a source": toRow("alert_sources", "alert_sources", "slug", "DELETE"),
  "create a rule": async (scene) => {
    const [, query] = await scopeOf(scene);
    return ["POST", `/routing_rules${query}`, await ruleBody(scene)];
  },
  "change a rule": toRule("PATCH"),
  "delete a rule": toRule("DELETE"),
  "create a webhook": async ({ variant, bits }) => [
    "POST",
    "/webhooks",
    { name: oneOf(HOOKS, variant), url: `https://hook.example.com/${bits % 3}`, subscribed_events: some(EVENTS, bits) },
  ],
  "change a webhook": toRow("webhooks", "webhooks", "id", "PATCH", ({ variant, bits }) =>
    oneOf<Fields>([{ enabled: false }, { url: `https://other.example.com/${variant % 3}` }, { enabled: true }], bits),
  ),
  "delete a webhook": toRow("webhooks", "webhooks", "id", "DELETE"),
  "create a service key": async ({ variant, bits }) => [
    "POST",
    "/api_keys",
    { name: oneOf(HOOKS, variant), permissions: oneOf(PERMISSIONS, bits) },
  ],
  "change a service key": toRow("api_keys", "api_keys", "prefix", "PATCH", ({ bits }) =>
    oneOf<Fields>([{ active: false }, { permissions: { severities: ["read"] } }, { active: true }], bits),
  ),
  "create an agent": async (scene) => {
    const name = nameOf(scene).replaceAll("-", " ");
    return ["POST", "/agents", { name, ...(scene.bits % 2 === 0 ? { description: oneOf(TEXTS, scene.bits) } : {}) }];
  },
  "change an agent": toRow("agents", "agents", "slug", "PATCH", ({ bits, variant }) =>
    oneOf<Fields>([{ enabled: false }, { description: oneOf(TEXTS, variant) }, { enabled: true }], bits),
  ),
  "delete an agent": toRow("agents", "agents", "slug", "DELETE"),
  "grant an ability": async ({ service, at, variant, bits }) => {
    const agent = pick(await service.list("agents"), at);
    if (agent === undefined) return undefined;
    const places = (await service.list("entries")).filter(({ type }) => type === "environment");
    const environments = some(
      places.map(({ slug }) => slug ?? null),
      bits,
    );
    return [
      "POST",
      "/grants",
      { principal_kind: "agent", principal_id: agent.id ?? null, ability: oneOf(ABILITIES, variant), environments },
    ];
  },
  "take a grant back": async ({ service, at }) => {
    const row = pick(await service.list("grants"), at);
    return row === undefined ? undefined : ["DELETE", `/grants/${row.id}`];
  },
  "declare an incident": async ({ service, at, variant, bits }) => {
    const enabled = async (list: ListName) => (await service.list(list)).filter((row) => row.enabled === true);
    const type = bits % 2 === 0 ? undefined : pick(await enabled("incident_types"), variant);
    const status = bits % 3 === 0 ? undefined : pick(await enabled("statuses"), variant >> 1);
    const asked = (await service.list("form_fields")).filter(
      ({ form, source, visible }) => form === "declare" && source === "custom" && visible === true,
    );
    const fields = (await service.list("custom_fields")).filter(({ slug }) => asked.some((one) => one.slug === slug));
    const values = fields.flatMap(({ slug, options, field_type }): readonly [string, Json][] => {
      const chosen = pick(rowsOf(options), variant);
      if (chosen === undefined) return field_type === "text" ? [[String(slug), "Alpha"]] : [];
      const id = chosen.id ?? null;
      return [[String(slug), String(field_type).includes("multi") ? [id] : id]];
    });
    return [
      "POST",
      "/incidents",
      {
        idempotency_key: `key ${at} ${variant} ${bits}`,
        name: "Something broke",
        summary: "Why.",
        severity_id: pick(await enabled("severities"), at)?.id ?? null,
        ...(type === undefined ? {} : { incident_type_id: type.id ?? null }),
        ...(status === undefined ? {} : { status_id: status.id ?? null }),
        custom_fields: Object.fromEntries(values),
      },
    ];
  },
};

export const DEED_NAMES: readonly string[] = Object.keys(DEEDS);

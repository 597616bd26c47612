/** Bodies of requests that people send, by numbers that are interpreted in the workspace as it is then. */

import type { Fields, Json } from "../../../src/core/json.ts";
import type { DifferentialService, ListName } from "../service.ts";
import { oneOf, pick, rowsOf, some, TEXTS, textsOf } from "./choice.ts";

/** A deed by numbers, which are interpreted in the workspace as it is then. */
export interface Deed {
  readonly does: string;
  readonly at: number;
  readonly variant: number;
  readonly bits: number;
}

/** A deed, and where it is done. */
export interface Scene extends Deed {
  readonly service: DifferentialService;
}

/** Conditions of a runbook, or of a form: those of a form read mostly the custom fields that it has. */
export async function conditionsOf({ service, variant, bits }: Scene, form?: string): Promise<readonly Fields[]> {
  const operator = bits % 2 === 0 ? "one_of" : "not_one_of";
  const bySlug = async (condition_field: "severity" | "incident_type", list: ListName) => {
    const slugs = (await service.list(list)).filter(({ enabled }) => enabled === true).map(({ slug }) => slug ?? null);
    const values = some(slugs, bits >> 1);
    return values.length === 0 ? [] : [{ condition_field, operator, values }];
  };
  if (variant % 4 === 0) return bySlug("severity", "severities");
  if (variant % 4 === 1) return bySlug("incident_type", "incident_types");
  const fields = (await service.list("custom_fields")).filter(({ options }) => rowsOf(options).length > 0);
  const onForm = (await service.list("form_fields")).filter((row) => row.form === form || row.form === "declare");
  const readable = fields.filter(({ slug }) => onForm.some((row) => row.slug === slug && row.source === "custom"));
  const field = pick(form === undefined || readable.length === 0 ? fields : readable, variant >> 2);
  if (field === undefined) return [];
  const ids = some(
    rowsOf(field.options).map(({ id }) => id ?? null),
    bits >> 1,
  );
  const byField: Fields = { condition_field: "custom_field", custom_field: field.slug ?? null, operator, values: ids };
  const others = variant % 4 === 3 ? await bySlug("severity", "severities") : [];
  return ids.length === 0 ? others : [byField, ...others];
}

/** Attributes of a catalog type; one that is there may refer to itself. */
export async function attributesOf({ service, at, variant }: Scene, itself?: Fields): Promise<readonly Fields[]> {
  const target = itself ?? pick(await service.list("catalog_types"), at);
  const all: readonly Fields[] = [
    { name: "Notes", attribute_type: "text" },
    { name: "Tier", attribute_type: "select", options: ["gold", "silver"] },
    { name: "Owner", attribute_type: "reference", reference_type: target?.slug ?? null },
    { name: "Count", attribute_type: "number", required: variant % 3 === 0 },
  ];
  return some(all, variant);
}

/** Values of an entry by the attributes of its type; one that is there may refer to itself. */
export async function valuesOf({ service, bits, variant }: Scene, type: Fields, itself?: Fields): Promise<Fields> {
  const values: Record<string, Json> = {};
  for (const [index, { slug, attribute_type, options, reference_type, required }] of rowsOf(
    type.attribute_definitions,
  ).entries()) {
    const key = String(slug);
    if (required !== true && Math.floor(bits / 2 ** index) % 2 === 0) continue;
    if (attribute_type === "text") values[key] = oneOf(TEXTS, variant + index);
    if (attribute_type === "number") values[key] = variant % 7;
    if (attribute_type === "boolean") values[key] = variant % 2 === 0;
    if (attribute_type === "select") values[key] = pick(textsOf(options), variant + index) ?? null;
    if (attribute_type !== "reference") continue;
    const targets = (await service.list("entries")).filter((one) => one.type === reference_type);
    const isOwn = itself !== undefined && reference_type === type.slug && variant % 4 === 0;
    const target = isOwn ? itself : pick(targets, variant + index);
    if (target !== undefined) values[key] = target.id ?? null;
  }
  return values;
}

/** Steps of a runbook. */
export const STEPS: readonly [readonly Fields[], ...(readonly Fields[])[]] = [
  [{ title: "Look", instruction: "Please look" }, { title: "Act" }],
  [{ title: "Act" }],
  [{ title: "Alpha" }, { title: "34", tool: "page", arguments: { to: "EU" } }],
];

export async function ruleBody({ service, at, variant, bits }: Scene): Promise<Fields> {
  const severity = pick(await service.list("severities"), at >> 1);
  const team = pick(
    (await service.list("entries")).filter(({ type }) => type === "team"),
    at >> 1,
  );
  const outcomes: readonly [Fields, ...Fields[]] = [
    { action: "drop" },
    { action: "auto_create_incident", ...(severity === undefined ? {} : { severity_id: severity.id ?? null }) },
    { action: "notify_only", notify: { type: "channel", channel_id: "C1" } },
    team === undefined
      ? { action: "drop" }
      : { action: "notify_only", notify: { type: "team", entry_id: team.id ?? null } },
    team === undefined
      ? { action: "attach_to_incident" }
      : { action: "auto_create_incident", invite: [{ type: "team", entry_id: team.id ?? null }] },
  ];
  const value = some(["Alpha", "billing", "web"], 1 + (bits % 7));
  const conditions = [[], [{ field: "service", operator: "is_one_of", value }]][bits % 3 === 0 ? 0 : 1] ?? [];
  return { enabled: bits % 5 !== 4, conditions, outcome: oneOf(outcomes, variant) };
}

/** The query of one of the scopes of rules. */
export async function scopeOf({ service, at }: Scene): Promise<readonly [source: string, query: string]> {
  const source = at % 2 === 0 ? undefined : pick(await service.list("alert_sources"), at >> 1);
  return source === undefined ? ["", ""] : [String(source.name), `?source=${encodeURIComponent(String(source.name))}`];
}

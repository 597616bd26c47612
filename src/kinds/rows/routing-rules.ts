/** Routing rules: first match wins, per scope; a rule is its place in the list. */

import { type Fields, fieldsIn, isFields, isList, type Json, objectsIn } from "../../core/json.ts";
import { defineKind } from "../model/define-kind.ts";
import type { Kind } from "../model/kind.ts";
import type { IdLookup, Reference, Wire, WireFields } from "../model/lookup.ts";
import { ENRICHING_TYPES } from "../routing/context.ts";

export const routingRules: Kind = defineKind({
  name: "routing_rules",
  title: "routing rule",
  scopes: { patterns: ["/workspace", "/sources/*"], kind: "alert_sources" },
  identity: { keys: [], labels: ["name"], idFields: ["priority"] },
  endpoint: {
    list: { path: "/routing_rules", query: { source: "{scope}" } },
    member: { path: "/routing_rules/{id}", query: { source: "{scope}" } },
    permission: "policies",
  },
  lifecycle: { order: "rank", allowsDuplicates: true, required: ["outcome"] },
  references: {
    dependsOn: ["alert_sources", "severities", "catalog_entries"],
    checkedAgainst: (fields) => (namesAttribute(fields) ? ["catalog_types"] : []),
    of: (_lookup, scope) => (fields) => [
      ...(scope === "" ? [] : [{ at: "", kind: "alert_sources", scope: "", key: scope }]),
      ...outcomeReferences(fields.outcome),
    ],
  },
  codec: {
    decode: (lookup) => (row) => ({
      ...row,
      enabled: row.enabled ?? true,
      conditions: row.conditions ?? [],
      outcome: isFields(row.outcome) ? decodeOutcome(row.outcome, lookup) : (row.outcome ?? null),
    }),
    encode: (lookup) => (fields) =>
      isFields(fields.outcome) ? { ...fields, outcome: encodeOutcome(fields.outcome, lookup) } : fields,
  },
  rule: { conditions: "conditions", enabled: "enabled", effect: "outcome" },
  fields: {
    conditions: { computedDefault: () => [] },
    enabled: { computedDefault: () => true },
    outcome: {},
  },
});

/** Whether a rule names an attribute such as `service.tier`, or the owner of something that every workspace need not have. */
function namesAttribute({ conditions, outcome }: Fields): boolean {
  const owned = routingTargets(fieldsIn(outcome)).map(({ target }) => target.of);
  return (
    objectsIn(conditions).some(({ field }) => String(field).includes(".")) ||
    owned.some((name) => typeof name === "string" && !ENRICHING_TYPES.includes(name))
  );
}

/** The targets of an outcome, with where they stand in it. */
export function routingTargets(outcome: Fields): readonly { readonly at: string; readonly target: Fields }[] {
  const notify = isFields(outcome.notify) ? [{ at: "/outcome/notify", target: outcome.notify }] : [];
  const invite = isList(outcome.invite)
    ? outcome.invite.flatMap((target, index) => (isFields(target) ? [{ at: `/outcome/invite/${index}`, target }] : []))
    : [];
  return [...notify, ...invite];
}

function outcomeReferences(outcome: Json | undefined): readonly Reference[] {
  if (!isFields(outcome)) return [];
  const severity =
    typeof outcome.severity === "string"
      ? [{ at: "/outcome/severity", kind: "severities", scope: "", key: outcome.severity }]
      : [];
  const teams = routingTargets(outcome).flatMap(({ at, target }) =>
    typeof target.team === "string"
      ? [{ at: `${at}/team`, kind: "catalog_entries", scope: "team", key: target.team }]
      : [],
  );
  return [...severity, ...teams];
}

function decodeOutcome(outcome: Fields, lookup: IdLookup): Fields {
  const { severity_id, ...rest } = outcome;
  const severity =
    typeof severity_id === "string" ? { severity: lookup.key("severities", severity_id, "") ?? severity_id } : {};
  return mapTargets({ ...rest, ...severity }, (target) => {
    const { entry_id, ...others } = target;
    return typeof entry_id === "string"
      ? { ...others, team: lookup.key("catalog_entries", entry_id, "team") ?? entry_id }
      : target;
  }) as Fields;
}

function encodeOutcome(outcome: Fields, lookup: IdLookup): WireFields {
  const { severity, ...rest } = outcome;
  const id = typeof severity === "string" ? { severity_id: lookup.id("severities", severity) } : {};
  return mapTargets({ ...rest, ...id }, (target) => {
    const { team, ...others } = target;
    return typeof team === "string" ? { ...others, entry_id: lookup.id("catalog_entries", team, "team") } : target;
  });
}

function mapTargets(outcome: WireFields, change: (target: Fields) => WireFields): WireFields {
  const { notify, invite } = outcome;
  return {
    ...outcome,
    ...(isTarget(notify) ? { notify: change(notify) } : {}),
    ...(Array.isArray(invite)
      ? { invite: invite.map((target: Wire) => (isTarget(target) ? change(target) : target)) }
      : {}),
  };
}

function isTarget(value: Wire | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

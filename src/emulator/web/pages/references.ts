/** Routing rules in words, and references to a resource: each resource that refers to it, with the page of the referrer. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { agentTable } from "../../modules/access/agents.ts";
import { serviceKeyTable } from "../../modules/access/api-keys.ts";
import { grantTable } from "../../modules/access/grant.ts";
import { permissionSetTable } from "../../modules/access/permission-sets.ts";
import {
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes,
} from "../../modules/catalog/catalog-tables.ts";
import { customFieldTable } from "../../modules/custom-fields/custom-field-tables.ts";
import { conditionTable } from "../../modules/forms/conditions.ts";
import { formFieldTable } from "../../modules/forms/form-fields.ts";
import { identifierOf, incidents } from "../../modules/incident-record/incident.ts";
import { severityTable } from "../../modules/option-lists/option-lists.ts";
import { members } from "../../modules/people.ts";
import { alertSourceTable } from "../../modules/routing/alert-sources.ts";
import { routingRuleSets, routingRuleTable, workspaceScope } from "../../modules/routing/routing-rule-sets.ts";
import { runbookTable } from "../../modules/runbooks/runbooks.ts";
import type { Database, RowFilter } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";

/** One reference, or the number of further ones of the same sort. */
interface ResourceUse {
  /** The resource that uses it, such as `runbook Database is slow`. */
  readonly name: string;
  /** The part of it, such as `condition on severity`. */
  readonly via: string;
  /** Its page; absent for a number of resources. */
  readonly href?: string;
}

/** Catalog entries and incidents to name, of each sort; the others are counted. */
const maximumNamed = 50;

/** The resources that refer to the one with this id. */
export function findUses(database: Database, id: string): readonly ResourceUse[] {
  return [
    ...conditionUses(database, id),
    ...ruleUses(database, id),
    ...catalogUses(database, id),
    ...database.list(formFieldTable, { custom_field_id: id }).map(({ form }) => formUse(form, "field")),
    ...grantUses(database, id),
    ...incidentUses(database, id),
  ];
}

function formUse(form: string, via: string): ResourceUse {
  return { name: `${form} form`, via, href: `/forms/${form}` };
}

function conditionUses(database: Database, id: string): readonly ResourceUse[] {
  return database
    .list(conditionTable)
    .filter(({ values, custom_field_id }) => values.includes(id) || custom_field_id === id)
    .map(({ owner, owner_id, condition_field }) => {
      const via = `condition on ${condition_field.replace("_", " ")}`;
      if (owner === "form_field")
        return formUse(database.find(formFieldTable, { id: owner_id })?.form ?? "declare", via);
      const name = database.find(runbookTable, { id: owner_id })?.name ?? "deleted";
      return { name: `runbook ${name}`, via, href: `/configuration/runbooks/${owner_id}` };
    });
}

function ruleUses(database: Database, id: string): readonly ResourceUse[] {
  return database.list(routingRuleSets).flatMap(({ id: rule_set_id, scope }) =>
    database
      .list(routingRuleTable, { rule_set_id })
      .filter(({ outcome }) => scope === id || holds(outcome, id))
      .map((rule) => ({
        name: ruleName(database, rule.id),
        via: scope === id ? "rule of the source" : "outcome",
        href: `/configuration/routing_rules/${rule.id}`,
      })),
  );
}

function catalogUses(database: Database, id: string): readonly ResourceUse[] {
  return [
    ...database.list(catalogAttributes, { reference_type_id: id }).map(({ type_id, name }) => ({
      name: `catalog type ${database.find(catalogTypes, { id: type_id })?.name ?? "deleted"}`,
      via: `attribute ${name}`,
      href: `/configuration/catalog_types/${type_id}`,
    })),
    ...database.list(customFieldTable, { catalog_type_id: id }).map((field) => ({
      name: `custom field ${field.name}`,
      via: "source of its choices",
      href: `/configuration/custom_fields/${field.id}`,
    })),
    ...named(database, catalogEntries, { type_id: id }, (entry) => ({
      name: `catalog entry ${entry.name}`,
      via: "entry of the type",
      href: `/configuration/catalog_entries/${entry.id}`,
    })),
    ...named(database, catalogReferences, { target_entry_id: id }, ({ entry_id, attribute_id }) => ({
      name: `catalog entry ${database.find(catalogEntries, { id: entry_id })?.name ?? "deleted"}`,
      via: `attribute ${database.find(catalogAttributes, { id: attribute_id })?.name ?? "deleted"}`,
      href: `/configuration/catalog_entries/${entry_id}`,
    })),
  ];
}

/** The first rows as uses, and the number of the others. */
function named<Row extends { readonly id: string }>(
  database: Database,
  table: Table<Row>,
  where: RowFilter<Row>,
  describe: (row: Row) => ResourceUse,
): readonly ResourceUse[] {
  const rows = database.list(table, where, { limit: maximumNamed }).map(describe);
  return [...rows, ...others(database.count(table, where) - rows.length, rows[0]?.via)];
}

function others(count: number, via = ""): readonly ResourceUse[] {
  return count > 0 ? [{ name: `${count} more`, via }] : [];
}

/** Incidents that have the resource as a value, or as the field of one. */
function incidentUses(database: Database, id: string): readonly ResourceUse[] {
  const clause = `WHERE severity_id = ? OR status_id = ? OR incident_type_id = ?
    OR EXISTS (SELECT 1 FROM json_tree(custom_values) AS held WHERE held.atom = ? OR held.key = ?)`;
  const values = [id, id, id, id, id];
  const newest = database.query(incidents, `${clause} ORDER BY number DESC LIMIT ?`, [...values, maximumNamed]);
  const total = database.scalar(`SELECT COUNT(*) FROM incidents ${clause}`, values);
  const rows = newest.map((incident) => ({
    name: `${identifierOf(incident)} ${incident.name}`,
    via: "incident",
    href: `/incidents/${identifierOf(incident)}`,
  }));
  return [...rows, ...others(total - rows.length, "incident")];
}

/** Grants of the principal, of the permission set, or limited to the environment that the catalog entry describes. */
function grantUses(database: Database, id: string): readonly ResourceUse[] {
  const set = database.find(permissionSetTable, { id })?.slug;
  const entry = database.find(catalogEntries, { id });
  const type = entry && database.find(catalogTypes, { id: entry.type_id });
  const environment = type?.slug === "environment" ? entry?.slug : undefined;
  return database
    .list(grantTable)
    .filter(({ principal_id, permission_set, environments }) => {
      const isOfSet = set !== undefined && permission_set === set;
      return principal_id === id || isOfSet || (environment !== undefined && environments.includes(environment));
    })
    .map(({ principal_id, ability, permission_set }) => {
      const owner =
        database.find(agentTable, { id: principal_id }) ?? database.find(serviceKeyTable, { id: principal_id });
      return { name: `grant of ${owner?.name ?? "a person"}`, via: ability ?? permission_set ?? "", href: "/access" };
    });
}

/** Whether a text is anywhere in the value. */
function holds(value: Json, text: string): boolean {
  if (typeof value !== "object" || value === null) return value === text;
  return Object.values(value).some((member: Json) => holds(member, text));
}

/** The name of the rule with this id: `Rule 2 of Datadog`. */
export function ruleName(database: Database, id: string): string {
  const rule = database.find(routingRuleTable, { id });
  const scope = rule && database.find(routingRuleSets, { id: rule.rule_set_id })?.scope;
  const source = scope === undefined ? undefined : database.find(alertSourceTable, { id: scope });
  const owner = scope === workspaceScope ? "the workspace" : (source?.name ?? "a deleted source");
  return `Rule ${rule?.priority ?? "that is deleted"} of ${owner}`;
}

/** The action of an outcome, followed by its other properties: `auto create incident, severity: Critical, invite: team Payments`. */
export function outcomeText(database: Database, { action, severity_id, notify, invite, ...others }: Fields): string {
  const severity = typeof severity_id === "string" ? database.find(severityTable, { id: severity_id }) : undefined;
  const properties = {
    severity: severity?.name ?? severity_id,
    notify: isFields(notify) ? targetText(database, notify) : notify,
    invite: isList(invite) ? invite.map((target) => targetText(database, target)).join(" and ") : invite,
    ...others,
  };
  const parts = Object.entries(properties).flatMap(([name, value]) =>
    value == null || value === "" ? [] : [`${name}: ${plainText(value)}`],
  );
  return [String(action).replaceAll("_", " "), ...parts].join(", ");
}

/** A target in words; one of an unknown type as JSON. */
function targetText(database: Database, target: Json): string {
  if (!isFields(target)) return plainText(target);
  const { type, entry_id, of, member_id, channel_id } = target;
  const id = plainText(entry_id ?? member_id ?? channel_id ?? of ?? null);
  if (type === "team") return `team ${database.find(catalogEntries, { id })?.name ?? id}`;
  if (type === "owning_team") return `the team that owns the ${id}`;
  if (type === "member") return database.find(members, { id })?.name ?? `member ${id}`;
  return type === "channel" ? `channel ${id}` : plainText(target);
}

function plainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

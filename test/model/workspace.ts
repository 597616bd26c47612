/** Everything that a workspace holds, as the service keeps it: what no answer tells, and in which order, included. */

import { type Fields, isFields, isList, type Json } from "../../src/core/json.ts";
import { agentTable } from "../../src/emulator/modules/access/agents.ts";
import { serviceKeyTable } from "../../src/emulator/modules/access/api-keys.ts";
import { grantTable } from "../../src/emulator/modules/access/grant.ts";
import {
  catalogAttributes,
  catalogEntries,
  catalogReferences,
  catalogTypes,
} from "../../src/emulator/modules/catalog/catalog-tables.ts";
import { customFieldOptions, customFieldTable } from "../../src/emulator/modules/custom-fields/custom-field-tables.ts";
import { conditionTable } from "../../src/emulator/modules/forms/conditions.ts";
import { formFields, formFieldTable } from "../../src/emulator/modules/forms/form-fields.ts";
import { incidents } from "../../src/emulator/modules/incident-record/incident.ts";
import { incidentRoleTable } from "../../src/emulator/modules/option-lists/incident-roles.ts";
import { incidentTypeTable } from "../../src/emulator/modules/option-lists/incident-types.ts";
import { severityTable } from "../../src/emulator/modules/option-lists/severities.ts";
import { statusTable } from "../../src/emulator/modules/option-lists/statuses.ts";
import { alertSourceTable } from "../../src/emulator/modules/routing/alert-sources.ts";
import { routingRuleSets, routingRuleTable } from "../../src/emulator/modules/routing/routing-rule-sets.ts";
import { runbookSteps, runbookTable } from "../../src/emulator/modules/runbooks/runbook-tables.ts";
import { webhookTable } from "../../src/emulator/modules/webhooks/webhooks.ts";
import type { Database } from "../../src/emulator/store/database.ts";
import type { Table } from "../../src/emulator/store/table.ts";

/** The rows of every table of the configuration, and the incidents. */
export type Workspace = { readonly [Name in OptionList | OtherTable]: readonly Fields[] };

/** The lists whose entries have places. */
export const OPTION_LISTS = ["severities", "statuses", "incident_types", "incident_roles"] as const;

type OptionList = (typeof OPTION_LISTS)[number];
type OtherTable =
  | "custom_fields"
  | "options"
  | "form_rows"
  | "form_fields"
  | "conditions"
  | "runbooks"
  | "steps"
  | "catalog_types"
  | "attributes"
  | "entries"
  | "references"
  | "alert_sources"
  | "rule_sets"
  | "rules"
  | "webhooks"
  | "api_keys"
  | "agents"
  | "grants"
  | "incidents";

/** The forms, of which exactly four exist. */
export const FORMS = ["declare", "update", "resolve", "cancel"] as const;

/** Reads all of it; no request is made. */
export function workspaceIn(database: Database): Workspace {
  const rows = <Row extends { readonly id: string }>(table: Table<Row>, order = "rowid") =>
    database.list(table, {}, { order }) as readonly object[] as readonly Fields[];
  return {
    severities: rows(severityTable, "position"),
    statuses: rows(statusTable, "position"),
    incident_types: rows(incidentTypeTable, "position"),
    incident_roles: rows(incidentRoleTable, "position"),
    custom_fields: rows(customFieldTable),
    options: rows(customFieldOptions, "field_id, position"),
    form_rows: rows(formFieldTable),
    form_fields: FORMS.flatMap((form) =>
      formFields(database, form).map(
        ({ slug, visible, required, conditions }): Fields => ({
          form,
          slug,
          visible,
          required,
          conditions: conditions as readonly object[] as readonly Fields[],
        }),
      ),
    ),
    conditions: rows(conditionTable, "owner_id, position"),
    runbooks: rows(runbookTable),
    steps: rows(runbookSteps, "runbook_id, position"),
    catalog_types: rows(catalogTypes),
    attributes: rows(catalogAttributes, "type_id, position"),
    entries: rows(catalogEntries),
    references: rows(catalogReferences, "entry_id, attribute_id, position"),
    alert_sources: rows(alertSourceTable),
    rule_sets: rows(routingRuleSets),
    rules: rows(routingRuleTable, "rule_set_id, priority"),
    webhooks: rows(webhookTable),
    api_keys: rows(serviceKeyTable).filter(({ built_in }) => built_in !== true),
    agents: rows(agentTable),
    grants: rows(grantTable),
    incidents: rows(incidents),
  };
}

/** The objects in a list; none where there is no list. */
export function rowsOf(value: Json | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

/** The rows in which a column has a value. */
export function having(rows: readonly Fields[], column: string, value: Json | undefined): readonly Fields[] {
  return rows.filter((row) => row[column] === value);
}

/** The rules of a scope, in order: the id of an alert source, "" for the workspace. */
export function rulesIn({ rule_sets, rules }: Workspace, scope: string): readonly Fields[] {
  const [set] = having(rule_sets, "scope", scope);
  return set === undefined ? [] : having(rules, "rule_set_id", set.id);
}

/** Every text that a value holds, at any depth. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isFields(value) ? Object.values(value).flatMap(textsIn) : [];
}

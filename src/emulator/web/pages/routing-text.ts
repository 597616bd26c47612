/** Routing rules in words. */

import { type Fields, isFields, isList, type Json } from "../../../core/json.ts";
import { catalogEntries } from "../../modules/catalog/catalog-tables.ts";
import { severityTable } from "../../modules/option-lists/option-lists.ts";
import { members } from "../../modules/people.ts";
import { alertSourceTable } from "../../modules/routing/alert-sources.ts";
import { routingRuleSets, routingRuleTable, workspaceScope } from "../../modules/routing/routing-rule-sets.ts";
import type { Database } from "../../store/database.ts";

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

/**
 * Alert sources: addressed by an endpoint path that the service generates. Deleting a source deletes its rule set and
 * its alerts.
 */

import { randomBytes } from "node:crypto";
import { requireFound } from "../../http/http-error.ts";
import type { RowOf } from "../../resource/field.ts";
import { resourceModule } from "../../resource/resource.ts";
import { tableOf } from "../../resource/schemas.ts";
import type { ServiceModule } from "../../service/module.ts";
import type { Database } from "../../store/database.ts";
import type { Table } from "../../store/table.ts";
import { alerts } from "./alert.ts";
import { removeRuleSet } from "./routing-rule-sets.ts";

/** The systems that send alerts. */
const providers = ["generic", "northflank", "datadog", "grafana", "alertmanager"] as const;

const fields = {
  id: { value: { type: "string", format: "uuid" } },
  name: {
    value: { type: "string", examples: ["Grafana"] },
    input: "Unique in the workspace; routing rules name the source by it.",
    reading: "name",
    required: true,
    unique: true,
  },
  provider: {
    value: { type: "string", enum: providers as typeof providers },
    input: "The system that sends the alerts; generic when left out.",
    sentIn: "create",
    reading: "choice",
    initial: "generic",
  },
  enabled: { value: { type: "boolean" }, input: "false stops taking alerts.", sentIn: "update", initial: true },
  slug: {
    value: {
      type: "string",
      description: "The endpoint path: alerts are posted to /api/v1/alerts/ and this.",
      examples: ["hV5mZc0kR2uXwq7Yb1Tn9sLd"],
    },
    unique: true,
    initial: (): string => randomBytes(18).toString("base64url"),
    liveNames: ["endpoint_path", "slug"],
  },
} as const;

export type AlertSourceRow = RowOf<typeof fields>;

export const alertSourceTable: Table<AlertSourceRow> = tableOf("alert_sources", fields);

/** The module of /api/v1/alert_sources. */
export const alertSources: ServiceModule = resourceModule({
  title: "AlertSource",
  path: "alert_sources",
  ability: "alerts",
  fields,
  table: alertSourceTable,
  address: "slug",
  order: "name",
  listsDisabledOnRequest: true,
  summaries: {
    list: "Lists the alert sources by name.",
    create: "Creates an alert source, enabled.",
    update: "Renames an alert source, or switches it off or on.",
    delete: "Deletes an alert source with its rule set and its alerts.",
  },
  afterRemove({ database }, { id }) {
    removeRuleSet(database, id);
    database.remove(alerts, { source_id: id });
  },
});

/** The source with this name, under which routing refers to it. Throws 404 if there is none. */
export function findAlertSource(database: Database, name: string): AlertSourceRow {
  return requireFound(database.find(alertSourceTable, { name }));
}

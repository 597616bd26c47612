/** Outcomes of routing rules in words. */

import type { Fields } from "../../../core/json.ts";
import { severityTable } from "../../modules/option-lists/severities.ts";
import type { Database } from "../../store/database.ts";

/** The action, followed by the other properties: `auto create incident, severity: Critical`. */
export function outcomeText(database: Database, { action, severity_id, ...others }: Fields): string {
  const severity = typeof severity_id === "string" ? database.find(severityTable, { id: severity_id }) : undefined;
  const properties = severity === undefined ? { severity_id, ...others } : { severity: severity.name, ...others };
  const parts = Object.entries(properties).flatMap(([name, value]) =>
    value == null ? [] : [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`],
  );
  return [String(action).replaceAll("_", " "), ...parts].join(", ");
}

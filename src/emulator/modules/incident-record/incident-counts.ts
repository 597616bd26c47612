/** The number of incidents by status and severity, so that totals take as long with many incidents as with few. */

import type { Database } from "../../store/database.ts";
import type { StoredValue } from "../../store/table.ts";

const count = (row: "NEW" | "OLD", change: 1 | -1): string =>
  `INSERT INTO incident_counts (status_id, severity_id, count) VALUES (${row}.status_id, ${row}.severity_id, ${change})
    ON CONFLICT DO UPDATE SET count = count + ${change}`;

/**
 * The statements that create the counts, and the triggers that keep them. The last statement counts the incidents of a file from
 * a version without counts.
 */
export const incidentCountsSql: string = `
  CREATE TABLE IF NOT EXISTS incident_counts (
    status_id TEXT NOT NULL, severity_id TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (status_id, severity_id)
  ) WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS count_added_incident AFTER INSERT ON incidents BEGIN ${count("NEW", 1)}; END;
  CREATE TRIGGER IF NOT EXISTS count_removed_incident AFTER DELETE ON incidents BEGIN ${count("OLD", -1)}; END;
  CREATE TRIGGER IF NOT EXISTS count_moved_incident AFTER UPDATE OF status_id, severity_id ON incidents
    BEGIN ${count("OLD", -1)}; ${count("NEW", 1)}; END;
  INSERT OR IGNORE INTO incident_counts SELECT status_id, severity_id, COUNT(*) FROM incidents GROUP BY 1, 2`;

/** Conditions in SQL that all hold, on the columns `status_id` and `severity_id`. */
export interface IncidentFilter {
  readonly tests: readonly string[];
  readonly values: readonly StoredValue[];
}

/** The number of incidents that match the filter. */
export function countIncidents(database: Database, { tests, values }: IncidentFilter): number {
  return database.scalar(`SELECT SUM(count) FROM incident_counts ${whereAll(tests)}`, values);
}

/** The WHERE clause of conditions that all hold. */
export function whereAll(tests: readonly string[]): string {
  return tests.length === 0 ? "" : `WHERE ${tests.join(" AND ")}`;
}

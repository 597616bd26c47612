/** The incident that a path names. */

import { requireFound } from "../../http/http-error.ts";
import { type IncidentRow, incidents } from "../../modules/incident-record/incident.ts";
import type { Database } from "../../store/database.ts";

/** The incident with this identifier or id, such as `INC-1`. Throws 404 if there is none. */
export function findByName(database: Database, name: string): IncidentRow {
  const number = /^INC-(\d{1,15})$/i.exec(name)?.[1];
  return requireFound(database.find(incidents, number === undefined ? { id: name } : { number: Number(number) }));
}

/** Loads a seed's people and incidents into a workspace. */

import { validationError } from "../http/http-error.ts";
import { type IncidentRow, incidents } from "../modules/incident-record/incident.ts";
import { links } from "../modules/incidents/links.ts";
import { members } from "../modules/people.ts";
import { changeSettings } from "../modules/workspace-settings.ts";
import type { Database } from "../store/database.ts";
import { loadIncident } from "./load-incident.ts";
import type { SeedData, SeedIncident, SeedPerson } from "./seed-data.ts";
import { SeedReferences } from "./seed-references.ts";
import { stableId } from "./stable-ids.ts";

/** Loads everything or nothing, and returns the number of incidents. Throws 422 with the field of the first error. */
export function loadSeed(database: Database, seed: SeedData, now: Date): number {
  return database.transaction(() => {
    if (seed.workspace !== undefined) changeSettings(database, seed.workspace);
    for (const [index, person] of (seed.people ?? []).entries()) loadPerson(database, person, `people[${index}]`);
    const all = (seed.incidents ?? []).map((incident, at) => [`incidents[${at}]`, incident] as const);
    const rows = all.map(([field, incident]) => loadIncident(new SeedReferences(database, field, now), incident, now));
    for (const [at, [field, incident]] of all.entries()) loadLinks(database, field, incident, rows[at]);
    return rows.length;
  });
}

/** Adds the person, or changes the one with the same email address. */
function loadPerson(
  database: Database,
  { name, email, chat_user_id, role = "member" }: SeedPerson,
  field: string,
): void {
  const address = email.toLowerCase();
  const known = database.find(members, { email: address });
  const owner = database.find(members, { chat_user_id });
  if (owner !== undefined && owner.id !== known?.id) {
    throw validationError({ field: `${field}.chat_user_id`, message: "has already been taken" });
  }
  const row = { name, email: address, chat_user_id, role };
  if (known === undefined) database.insert(members, { ...row, id: stableId("members", address) });
  else database.update(members, known.id, row);
}

function loadLinks(
  database: Database,
  field: string,
  { links: seeds = [] }: SeedIncident,
  row: IncidentRow | undefined,
): void {
  for (const [index, { incident, relationship }] of seeds.entries()) {
    const other = database.find(incidents, { number: Number(incident.replace(/^INC-/, "")) });
    if (other === undefined || row === undefined || other.id === row.id) {
      throw validationError({ field: `${field}.links[${index}].incident`, message: "names no other incident" });
    }
    const link = { incident_id: row.id, other_incident_id: other.id, relationship };
    if (database.find(links, link) === undefined) {
      database.insert(links, { id: stableId("incident_links", row.id, other.id, relationship), ...link });
    }
  }
}

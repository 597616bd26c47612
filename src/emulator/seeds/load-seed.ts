/** Loads a seed's people and incidents into a workspace. */

import { validationError } from "../http/http-error.ts";
import { type IncidentRow, incidents } from "../modules/incident-record/incident.ts";
import { links } from "../modules/incidents/links.ts";
import { statusTable } from "../modules/option-lists/option-lists.ts";
import { members } from "../modules/people.ts";
import { changeSettings } from "../modules/workspace-settings.ts";
import type { Database } from "../store/database.ts";
import { loadIncident } from "./load-incident.ts";
import type { SeedData, SeedIncident, SeedPerson, SeedScenario } from "./seed-data.ts";
import { readDuration, SeedReferences } from "./seed-references.ts";
import { stableId } from "./stable-ids.ts";

/** Loads everything or nothing, and returns the number of incidents. Throws 422 with the field of the first error. */
export function loadSeed(database: Database, seed: SeedData, now: Date): number {
  return database.transaction(() => {
    if (seed.workspace !== undefined) changeSettings(database, seed.workspace);
    for (const [index, person] of (seed.people ?? []).entries()) loadPerson(database, person, `people[${index}]`);
    const stated = (seed.incidents ?? []).map((incident, index): readonly [string, SeedIncident] => [
      `incidents[${index}]`,
      incident,
    ]);
    const statuses = { live: firstStatus(database, "active"), closed: firstStatus(database, "closed") };
    const invented = (seed.scenarios ?? []).flatMap((scenario, index) => {
      const field = `scenarios[${index}]`;
      return scenarioIncidents(scenario, field, statuses, now).map((incident, at): readonly [string, SeedIncident] => [
        `${field}.incidents[${at % scenario.incidents.length}]`,
        incident,
      ]);
    });
    const all = [...stated, ...invented];
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

function firstStatus(database: Database, stage: "active" | "closed"): string | undefined {
  const filter = { lifecycle_stage: stage, enabled: true } as const;
  return database.list(statusTable, filter, { order: "position", limit: 1 })[0]?.slug;
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

/** The slugs of a workspace's first live and first closed status. */
interface ScenarioStatuses {
  readonly live: string | undefined;
  readonly closed: string | undefined;
}

const maximumIncidents = 200_000;

/** The incidents, oldest first. `{n}` in a name is the incident's number. Throws 422 for an interval of nothing and for too many incidents. */
function scenarioIncidents(
  scenario: SeedScenario,
  field: string,
  { live, closed }: ScenarioStatuses,
  now: Date,
): readonly SeedIncident[] {
  const [interval, period] = [readDuration(scenario.every), readDuration(scenario.for)];
  const count = Math.floor(period / interval);
  if (!(count <= maximumIncidents)) {
    throw validationError({ field: `${field}.every`, message: `would make more than ${maximumIncidents} incidents` });
  }
  return Array.from({ length: count }, (_, at): SeedIncident => {
    const template = scenario.incidents[at % scenario.incidents.length];
    if (template === undefined) throw new Error("a scenario has no incident");
    const { resolved_after, name, ...rest } = template;
    const declared = now.getTime() - period + at * interval;
    const resolved = resolved_after === undefined ? Number.POSITIVE_INFINITY : declared + readDuration(resolved_after);
    const isResolved = resolved <= now.getTime();
    const status = isResolved ? closed : live;
    return {
      ...rest,
      name: name.replaceAll("{n}", String(at + 1)),
      ...(status === undefined ? {} : { status }),
      declared_at: new Date(declared).toISOString(),
      ...(isResolved ? { resolved_at: new Date(resolved).toISOString() } : {}),
    };
  });
}

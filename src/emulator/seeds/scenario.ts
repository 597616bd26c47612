/** Incidents of a scenario: one at each interval of a period that ends now. */

import { validationError } from "../http/http-error.ts";
import type { SeedIncident, SeedScenario } from "./seed-data.ts";
import { readDuration } from "./seed-time.ts";

/** The slugs of a workspace's first live and first closed status. */
export interface ScenarioStatuses {
  readonly live: string | undefined;
  readonly closed: string | undefined;
}

const maximumIncidents = 200_000;

/** The incidents, oldest first. `{n}` in a name is the incident's number. Throws 422 for an interval of nothing and for too many incidents. */
export function scenarioIncidents(
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

/** Ranks of severities before and after the plan, which integrations may compare. */

import type { PastIncident } from "./past-incident.ts";

/** Ranks of a severity; null while it does not exist. A higher rank is more severe. */
export interface RankChange {
  readonly severity: string;
  readonly before: number | null;
  readonly after: number | null;
  /** Recent incidents with the severity. */
  readonly incidents: number;
}

/** The ranks with the number of incidents of each severity, in the same order. */
export function rankChanges(
  ranks: readonly Omit<RankChange, "incidents">[],
  incidents: readonly PastIncident[],
): readonly RankChange[] {
  return ranks.map((rank) => ({
    ...rank,
    incidents: incidents.filter(({ severity }) => severity === rank.severity).length,
  }));
}

/** Ranks of severities before and after the plan: integrations may compare them. */

import type { PastIncident } from "./incident.ts";

/** A severity's rank; null where the severity is not there. Higher means more severe. */
export interface RankChange {
  readonly severity: string;
  readonly before: number | null;
  readonly after: number | null;
  /** Recent incidents that hold it. */
  readonly incidents: number;
}

/** Each severity's ranks with the number of incidents that hold it, in the order given. */
export function rankChanges(
  ranks: readonly Omit<RankChange, "incidents">[],
  incidents: readonly PastIncident[],
): readonly RankChange[] {
  return ranks.map((rank) => ({
    ...rank,
    incidents: incidents.filter(({ severity }) => severity === rank.severity).length,
  }));
}

/** What every part of planning looks at: the resolved state, its matching, its graph, and what is known besides. */

import type { IncidentUsage } from "../match/incident-usage.ts";
import type { LastApplied } from "../match/last-applied.ts";
import type { Matching } from "../match/match.ts";
import type { ReferenceGraph } from "../match/reference-graph.ts";
import type { ResolvedState } from "../match/resolved-state.ts";

/** The input of planning, read only. */
export interface PlanContext {
  readonly state: ResolvedState;
  readonly matching: Matching;
  readonly graph: ReferenceGraph;
  readonly usage: IncidentUsage;
  readonly lastApplied: LastApplied;
}

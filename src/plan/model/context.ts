/** The context of planning: the resolved state, its matching, its graph of references, incident usage and what was last applied. */

import type { ExemptPlace } from "../../config/settings/exemptions.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { IncidentUsage } from "../../workspace/match/incident-usage.ts";
import type { LastApplied } from "../../workspace/match/last-applied.ts";
import type { Matching } from "../../workspace/match/match.ts";
import type { ReferenceGraph } from "../../workspace/match/reference-graph.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { Operation } from "./plan.ts";

/** The input of planning, read only. */
export interface PlanContext {
  readonly state: ResolvedState;
  readonly matching: Matching;
  readonly graph: ReferenceGraph;
  readonly usage: IncidentUsage;
  readonly lastApplied: LastApplied;
  /** The places that the settings ignore in the managed lists. */
  readonly ignored: readonly ExemptPlace[];
  /** Live resources that stay, because other systems or people made them in a list that the files share with them. */
  readonly madeByOthers: readonly ExemptPlace[];
  /** The reasons why made resources are left alone that cannot be matched without doubt. */
  readonly unsettled: readonly Diagnostic[];
  /** The remaining operations of an interrupted run that is continued. Ranked lists go on with its writes. */
  readonly interrupted?: readonly Operation[];
}

/** The values that the page of a plan draws, from the rows that the plan has read: nothing is requested for them. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { RoutingRule } from "../../kinds/routing/rules.ts";
import type { Plan } from "../../plan/model/plan.ts";
import type { LastAppliedHashes } from "../../workspace/match/last-applied.ts";
import type { ReferenceEdge, ReferenceGraph } from "../../workspace/match/reference-graph.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { DeclarationRules } from "../impact/form.ts";

/** The diagrams of a plan. */
export interface Diagrams {
  /** References from and to the changed resources. */
  readonly references: readonly ReferenceEdge[];
  readonly ladders: readonly Ladder[];
  readonly ruleLists: readonly RuleListDiagram[];
  /** Absent if the plan does not change the declare form, or has not read it. */
  readonly form?: FormDiagram;
}

/** A list in the order of its positions, before and after the plan. */
export interface Ladder {
  readonly kind: string;
  readonly rungs: readonly Rung[];
}

/** A resource in such a list. */
export interface Rung {
  readonly address: string;
  readonly name: string;
  readonly color?: string;
  /** Positions, counted from 1; null if the resource is not in the list or is disabled. */
  readonly before: number | null;
  readonly after: number | null;
}

/** A list of routing rules before and after the plan. Values from the environment are left out of the conditions, which are then undecided. */
export interface RuleListDiagram {
  /** The address of the list: `routing_rules/workspace`. */
  readonly address: string;
  /** The rules are of one alert source: if it has none, those of the workspace apply. */
  readonly isOfSource: boolean;
  readonly before: readonly RoutingRule[];
  readonly after: readonly RoutingRule[];
}

/** The declare form before and after the plan. */
export interface FormDiagram {
  readonly before: DeclarationRules;
  readonly after: DeclarationRules;
  /** Names of severities, incident types and custom fields: `severity/critical`, `custom_field/region`. */
  readonly names: ReadonlyMap<string, string>;
}

/** The parts of a plan that its diagrams are made from. */
export interface DiagramSource {
  readonly plan: Plan;
  readonly configuration: Configuration;
  readonly state: ResolvedState;
  readonly graph: ReferenceGraph;
  /** Hashes of the last apply, which say what came from the environment. */
  readonly hashes: LastAppliedHashes;
}

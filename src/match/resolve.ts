/** The resolved workspace: configuration and observation, matched, with their references. It is made once for each round of reading. */

import type { Configuration } from "../config/load/configuration.ts";
import type { Kind } from "../kinds/kind.ts";
import { Matching } from "./match.ts";
import type { Observation } from "./observation.ts";
import { ReferenceGraph } from "./reference-graph.ts";
import { ResolvedState } from "./resolved-state.ts";

/** A resolved state with its matching and its graph of references. */
export interface ResolvedWorkspace {
  readonly state: ResolvedState;
  readonly matching: Matching;
  readonly graph: ReferenceGraph;
}

/** Resolves and matches a configuration with what was read. */
export function resolve(
  configuration: Configuration,
  kinds: readonly Kind[],
  observation: Observation,
): ResolvedWorkspace {
  const state = new ResolvedState(kinds, configuration, observation);
  return { state, matching: new Matching(state), graph: new ReferenceGraph(state) };
}

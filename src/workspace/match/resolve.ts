/** The resolved workspace: configuration and observation, matched, with their references. It is made once for each round of reading. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { ExemptPlace } from "../../config/settings/exemptions.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { ignoredPlaces, withoutExempt, withoutExemptFields } from "./exempt.ts";
import { Matching, madeByOthers } from "./match.ts";
import type { Observation } from "./observation.ts";
import { ReferenceGraph } from "./reference-graph.ts";
import { ResolvedState } from "./resolved-state.ts";

/** A resolved state with its matching and its graph of references. Ignored and accepted differences are not in it. */
export interface ResolvedWorkspace {
  readonly state: ResolvedState;
  readonly matching: Matching;
  readonly graph: ReferenceGraph;
  /** The places that the settings ignore in the managed lists. */
  readonly ignored: readonly ExemptPlace[];
  /** Live resources that stay, because other systems or people made them in a list that the files share with them. */
  readonly madeByOthers: readonly ExemptPlace[];
}

/** Resolves and matches a configuration with what was read. */
export function resolve(
  configuration: Configuration,
  kinds: readonly Kind[],
  observation: Observation,
): ResolvedWorkspace {
  const own = withoutExempt(configuration, kinds);
  let state = new ResolvedState(kinds, own, observation);
  let matching = new Matching(state);
  const ignored = ignoredPlaces(configuration, state, matching);
  // Which fields to leave alone is known only for resources that exist.
  const compared = withoutExemptFields(own, matching);
  if (compared !== own) {
    state = new ResolvedState(kinds, compared, observation);
    matching = new Matching(state);
  }
  return { state, matching, graph: new ReferenceGraph(state), ignored, madeByOthers: madeByOthers(matching) };
}

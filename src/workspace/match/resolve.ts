/** The resolved workspace: configuration and observation, matched, with their references. It is made once for each round of reading. */

import type { Configuration } from "../../config/resources/configuration.ts";
import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { type ExemptPlace, exemptionsOf } from "../../config/settings/exemptions.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { addressPrefix, listName, wireKeyOf } from "../../kinds/model/resource.ts";
import { ignoredPlaces, withoutExempt, withoutExemptFields } from "./exempt.ts";
import { withLiveItemNames } from "./item-names.ts";
import { Matching, madeByOthers, type Unsettled } from "./match.ts";
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
  /** The reasons why resources are left alone that cannot be matched without doubt, and those that reference them. */
  readonly unsettled: readonly Diagnostic[];
}

/** Resolves and matches a configuration with what was read. */
export function resolve(
  configuration: Configuration,
  kinds: readonly Kind[],
  observation: Observation,
): ResolvedWorkspace {
  let own = withoutExempt(configuration, kinds);
  let state = new ResolvedState(kinds, own, observation);
  let matching = new Matching(state);
  const unsettled: Diagnostic[] = [];
  for (let held = unsettledIn(matching); held.length > 0; held = unsettledIn(matching)) {
    unsettled.push(...held.map(({ reason }) => reason));
    own = withoutUnsettled(own, state, matching, held);
    state = new ResolvedState(kinds, own, observation);
    matching = new Matching(state);
  }
  const named = withLiveItemNames(own, matching);
  if (named !== own) {
    own = named;
    state = new ResolvedState(kinds, own, observation);
    matching = new Matching(state);
  }
  const ignored = ignoredPlaces(configuration, state, matching);
  // Which fields to leave alone is known only for resources that exist.
  const compared = withoutExemptFields(own, matching);
  if (compared !== own) {
    state = new ResolvedState(kinds, compared, observation);
    matching = new Matching(state);
  }
  const graph = new ReferenceGraph(state);
  return { state, matching, graph, ignored, madeByOthers: madeByOthers(matching), unsettled };
}

function unsettledIn({ lists }: Matching): readonly Unsettled[] {
  return lists.flatMap(({ unsettled }) => unsettled);
}

/** The configuration without the resources that are held back and those that reference them; what they are live stays as it is. */
function withoutUnsettled(
  configuration: Configuration,
  state: ResolvedState,
  matching: Matching,
  unsettled: readonly Unsettled[],
): Configuration {
  const names = (declared: DeclaredResource): readonly string[] =>
    state
      .listOf(declared)
      .referencesOf(declared.fields)
      .map(({ kind, scope, key }) => `${listName(kind, scope)}\n${key}`);
  const nameOf = ({ kind, scope, key }: DeclaredResource) => `${listName(kind.name, scope)}\n${key}`;
  const waiting = new Set(unsettled.map(({ declared }) => declared));
  const namesHeld = new Set([...waiting].map(nameOf));
  for (let before = 0; before !== waiting.size; ) {
    before = waiting.size;
    for (const declared of configuration.declared) {
      if (waiting.has(declared) || !names(declared).some((name) => namesHeld.has(name))) continue;
      waiting.add(declared);
      namesHeld.add(nameOf(declared));
    }
  }
  const live = matching.liveByDeclared();
  const matched = new Set(live.values());
  const kept = [
    ...[...waiting].flatMap((declared) => live.get(declared) ?? []),
    ...unsettled.flatMap((one) => (one.live === undefined || matched.has(one.live) ? [] : [one.live])),
  ];
  const { exemptions = exemptionsOf([]) } = configuration;
  const accepted = new Set([
    ...exemptions.accepted,
    ...[...waiting].map(({ kind, scope, address }) =>
      kind.lifecycle.order === "rank" ? addressPrefix(kind, scope) : address,
    ),
    ...kept.map((one) => addressPrefix(one.kind, one.scope) + wireKeyOf(one)),
  ]);
  return withoutExempt({ ...configuration, exemptions: { ...exemptions, accepted } }, [...state.kinds.values()]);
}

/**
 * The removals of a plan, decided together with the fields of the resources that remain: a remaining resource may reference a candidate
 * for removal, and a preserved option or attribute may reference another resource. The decision is repeated until it is stable.
 */

import type { DeclaredResource } from "../../config/resources/declared-resource.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import type { Fields } from "../../core/json.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import { differsFromLastApplied, wasNeverSent, wasProtected } from "../../workspace/match/last-applied.ts";
import { hiddenFields } from "../../workspace/match/reference-graph.ts";
import { type FilledFields, fillFields } from "../diff/fill.ts";
import type { Draft } from "../diff/step.ts";
import type { PlanContext } from "../model/context.ts";
import type { Warning } from "../model/plan.ts";
import { orderKinds } from "../order/sequence.ts";
import { decideRemovals, type RemainingResource, type Removal } from "./decide.ts";
import { draftRemoval } from "./draft.ts";

/** The removals of a plan, and the fields of matched resources that follow from them. */
export interface PlannedRemovals {
  readonly removals: readonly Removal[];
  /** The fields to give a matched resource. */
  fill(declared: DeclaredResource, live: LiveResource): FilledFields;
}

/** Decides the removals. */
export function planRemovals(context: PlanContext): PlannedRemovals {
  const undeclared = context.matching.lists.flatMap((list) => list.undeclared);
  let preserved: ReadonlySet<string> = new Set(preservedByPolicy(context));
  for (;;) {
    const filled = new Map<DeclaredResource, FilledFields>();
    const fill = (declared: DeclaredResource, live: LiveResource): FilledFields => {
      const fields = filled.get(declared) ?? fillFields(context, declared, live, preserved);
      filled.set(declared, fields);
      return fields;
    };
    const removals = decideRemovals(context, undeclared, () => remainingResources(context, fill));
    const preservedNow = removals.filter(({ action }) => action === "preserve").map(({ live }) => live.address);
    if (preservedNow.every((address) => preserved.has(address))) return { removals, fill };
    preserved = new Set([...preserved, ...preservedNow]);
  }
}

/** Drafts the removals, kind by kind, with warnings about resources that must stay. */
export function draftRemovals(
  { state, lastApplied }: PlanContext,
  { removals }: PlannedRemovals,
): { readonly drafts: readonly Draft[]; readonly warnings: readonly Warning[] } {
  const { settings } = state.configuration;
  const results = removals.map((removal) => draftRemoval(state, removal, removalPolicyOf(settings, removal.live.kind)));
  const order = orderKinds(state.kinds.values());
  return {
    drafts: results
      .flatMap(({ drafts }) => drafts)
      .sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind)),
    warnings: results.flatMap(({ drafts, warning }) => [
      ...(warning === undefined ? [] : [warning]),
      ...drafts.flatMap(({ change, live }) => protectionWarning(lastApplied, change.action, live)),
    ]),
  };
}

/** A warning that a resource to remove was protected by the line that is gone; empty if it was not. */
function protectionWarning(
  lastApplied: PlanContext["lastApplied"],
  action: Draft["change"]["action"],
  live: LiveResource | undefined,
): readonly Warning[] {
  if (live === undefined || action === "update" || !wasProtected(lastApplied, live.address)) return [];
  const { address } = live;
  const message = `${address} had protected: true when it was last applied, and its line is gone; to keep it, add its address to protected in incidentctl.yaml`;
  return [{ code: "W_PROTECTED", address, message }];
}

/** Addresses of resources that are not in the configuration and that this run preserves, referenced or not. */
function preservedByPolicy({ state, matching }: PlanContext): readonly string[] {
  return matching.lists.flatMap(({ kind, undeclared, otherUndeclared }) => {
    const kindOfList = state.kinds.get(kind);
    if (kindOfList === undefined) return [];
    const isPreserved = removalPolicyOf(state.configuration.settings, kindOfList) === "keep";
    return [...(isPreserved ? undeclared : []), ...otherUndeclared].map(({ address }) => address);
  });
}

/** Every resource as if nothing were removed: declared fields over live ones, and undeclared resources as they are. */
function remainingResources(context: PlanContext, fill: PlannedRemovals["fill"]): readonly RemainingResource[] {
  const { state, matching } = context;
  const declaredBy = matching.declaredByLive();
  const remaining = new Map<string, RemainingResource>();
  for (const kind of state.kinds.values()) {
    for (const live of state.all(kind.name)) {
      // Managed rules are those that are declared.
      if (kind.lifecycle.order === "rank" && state.isManaged(kind.name, live.scope)) continue;
      const declared = declaredBy.get(live);
      const address = declared?.address ?? live.address;
      const fields: Fields = declared === undefined ? live.fields : { ...live.fields, ...fill(declared, live).fields };
      const hidesReferences = hasHiddenReferences(context, live, declared);
      const { scope, unresolved = [] } = live;
      remaining.set(address, { kind, scope, address, fields, hidesReferences, unresolved });
    }
  }
  for (const { kind, scope, address, fields } of state.configuration.declared) {
    if (!remaining.has(address))
      remaining.set(address, { kind, scope, address, fields, hidesReferences: false, unresolved: [] });
  }
  return [...remaining.values()];
}

/** Whether the service does not return a field that holds references, and no apply has sent it either. */
function hasHiddenReferences(
  { lastApplied }: PlanContext,
  live: LiveResource,
  declared: DeclaredResource | undefined,
): boolean {
  return hiddenFields(live).some((name) => {
    const value = declared?.fields[name];
    if (declared === undefined || value === undefined) return true;
    const differs = differsFromLastApplied(lastApplied, declared.address, name, value);
    return differs === undefined || (!differs && wasNeverSent(lastApplied, declared.address, name, value));
  });
}

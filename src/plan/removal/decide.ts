/**
 * Decides about live resources that are not in the configuration: deleted if nothing references them, disabled otherwise, preserved if
 * neither is possible. A resource that may be referenced, because something could not be read, is not deleted.
 *
 * The references are those of the resources that remain after this plan, declared ones as declared and others as they are, and of the
 * counted incidents. A reference from a resource that is deleted as well does not count. A cycle of resources to delete is broken by
 * detaching one of them (`deletion-cycles.ts`).
 */

import { isLeftAlone } from "../../config/settings/exemptions.ts";
import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import type { RemovalPolicy } from "../../config/settings/settings.ts";
import { addTo } from "../../core/lists.ts";
import type { Kind } from "../../kinds/model/kind.ts";
import { isRemovable, type LiveResource } from "../../kinds/model/resource.ts";
import { incidentSearch } from "../../workspace/match/incident-search.ts";
import { type IncidentCount, incidentsUsing } from "../../workspace/match/incident-usage.ts";
import { wasDeletionRefused } from "../../workspace/match/last-applied.ts";
import type { HidingResource, ReferringResource } from "../../workspace/match/reference-graph.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import type { PlanContext } from "../model/context.ts";
import { cascadedAddresses, type Detach, Detachments, findCycle, type Referrers } from "./deletion-cycles.ts";

/** The decision about a live resource that is not in the configuration. */
export interface Removal {
  readonly live: LiveResource;
  readonly action: "delete" | "disable" | "preserve";
  /** Addresses of resources that reference it. */
  readonly usedBy: readonly string[];
  /** Addresses of resources that may reference it: the service does not return all of a reference. */
  readonly maybeUsedBy: readonly string[];
  /** Incidents that use it: none if no incident can, "unseen" if no list says which do. */
  readonly incidents: IncidentCount | "none" | "unseen" | "unread";
  /** If nothing is known to reference it: kinds that may, and could not be read. */
  readonly unread: readonly string[];
  /** Addresses of resources that are deleted with it. */
  readonly cascades: readonly string[];
  /** Sent before it is deleted. */
  readonly detach?: Detach;
  /** Sent before it is deleted, for resources that are deleted with it. */
  readonly detachCascaded: readonly Detach[];
  /** The service refused to delete it at the last apply. */
  readonly wasRefused: boolean;
}

/** A resource as it will be if it remains. */
export interface RemainingResource extends ReferringResource, HidingResource {}

/** Decides each removal. `remaining` gives every resource as it will be if it remains; it is called only if there are candidates. */
export function decideRemovals(
  context: PlanContext,
  undeclared: readonly LiveResource[],
  remaining: () => readonly RemainingResource[],
): readonly Removal[] {
  const policyOf = (live: LiveResource) => removalPolicyOf(context.state.configuration.settings, live.kind);
  const candidates = undeclared.filter(
    (live) => isRemovable(live, context.state.configuration) && policyOf(live) !== "keep",
  );
  if (candidates.length === 0) return [];
  return new RemovalDecision(context, candidates, policyOf, remaining()).decide();
}

class RemovalDecision {
  readonly #context: PlanContext;
  readonly #state: ResolvedState;
  readonly #candidates: readonly LiveResource[];
  readonly #policyOf: (live: LiveResource) => RemovalPolicy;
  readonly #actions: Map<LiveResource, Removal["action"]>;
  readonly #remaining: ReadonlyMap<string, RemainingResource>;
  readonly #referrers: Referrers;
  readonly #detachments: Detachments;
  /** Addresses of the resources to delete. */
  readonly #deleted: Set<string>;
  /** Address → the resources that it is deleted with. */
  readonly #deletedWith = new Map<string, Set<LiveResource>>();
  #hiding: readonly RemainingResource[] | undefined;

  constructor(
    context: PlanContext,
    candidates: readonly LiveResource[],
    policyOf: (live: LiveResource) => RemovalPolicy,
    remaining: readonly RemainingResource[],
  ) {
    this.#context = context;
    this.#state = context.state;
    this.#candidates = candidates;
    this.#policyOf = policyOf;
    this.#actions = new Map(candidates.map((live) => [live, initialAction(policyOf(live), live.kind)]));
    this.#remaining = new Map(remaining.map((resource) => [resource.address, resource]));
    this.#referrers = context.graph.referrers(remaining);
    this.#detachments = new Detachments(context, this.#referrers);
    const deleted = this.#toDelete();
    this.#deleted = new Set(deleted.map(({ address }) => address));
    for (const live of deleted) {
      for (const address of cascadedAddresses(this.#state, live)) {
        this.#deletedWith.set(address, (this.#deletedWith.get(address) ?? new Set()).add(live));
      }
    }
  }

  /** Repeats the decision until it is stable: a preserved resource preserves the resources that it references. */
  decide(): readonly Removal[] {
    const targetsByReferrer = this.#targetsByReferrer();
    for (;;) {
      const hidingBefore = this.#hidingResources;
      const queue = [...this.#toDelete()];
      for (const live of queue) {
        if (this.#mayDelete(live)) continue;
        this.#preserve(live);
        for (const address of [live.address, ...cascadedAddresses(this.#state, live)]) {
          queue.push(...(targetsByReferrer.get(address) ?? []));
        }
      }
      if (this.#hidingResources !== hidingBefore) continue;
      const cycle = findCycle(this.#state, this.#toDelete(), this.#referrers);
      if (cycle.length === 0) break;
      if (!this.#detachments.breakCycle(cycle)) for (const live of cycle) this.#preserve(live);
    }
    const candidates = new Set(this.#candidates);
    return this.#candidates.map((live) => this.#removal(live, candidates));
  }

  #removal(live: LiveResource, candidates: ReadonlySet<LiveResource>): Removal {
    const action = this.#actionOf(live);
    const isDeleted = action === "delete";
    const detach = this.#detachments.of(live);
    const referrers = this.#remainingReferrers(live);
    const certain = referrers.filter((address) => this.#isCertain(address, live));
    const usedBy = [...new Set([...certain, ...this.#exemptCascades(live), ...this.#itself(live)])];
    const incidents = this.#incidentsUsing(live);
    const isUsed = referrers.length > 0 || usedBy.length > 0 || countOf(incidents) > 0;
    return {
      live,
      action,
      usedBy,
      maybeUsedBy: referrers.filter((address) => !usedBy.includes(address)),
      incidents,
      unread: isDeleted || isUsed ? [] : this.#unknownReferrers(live),
      cascades: isDeleted ? cascadedAddresses(this.#state, live) : [],
      ...(detach === undefined ? {} : { detach }),
      detachCascaded: isDeleted ? this.#detachments.cascaded(live, candidates) : [],
      wasRefused: action === "preserve" && this.#wasRefused(live),
    };
  }

  #actionOf(live: LiveResource): Removal["action"] {
    return this.#actions.get(live) ?? "preserve";
  }

  #toDelete(): readonly LiveResource[] {
    return this.#candidates.filter((live) => this.#actionOf(live) === "delete");
  }

  #mayDelete(live: LiveResource): boolean {
    if (this.#actionOf(live) !== "delete") return true;
    if (this.#exemptCascades(live).length > 0) return false;
    if (this.#policyOf(live) !== "disable_or_delete") return true;
    if (this.#wasRefused(live)) return false;
    return (
      this.#remainingReferrers(live).length === 0 &&
      !this.#mayIncidentsUse(live) &&
      this.#unknownReferrers(live).length === 0
    );
  }

  #incidentsUsing(live: LiveResource): Removal["incidents"] {
    const search = incidentSearch(this.#context, live);
    if (search === undefined) return "none";
    if (search.by === "nothing") return "unseen";
    return incidentsUsing(this.#context.usage, live) ?? "unread";
  }

  /** Whether incidents use it, or may. The service refuses to delete what they use: it decides where disabling is no choice either. */
  #mayIncidentsUse(live: LiveResource): boolean {
    const incidents = this.#incidentsUsing(live);
    if (incidents === "unseen") return live.kind.lifecycle.disable !== undefined;
    return incidents === "unread" || countOf(incidents) > 0 || (incidents !== "none" && incidents.among !== undefined);
  }

  #preserve(live: LiveResource): void {
    this.#actions.set(live, withoutDeletion(live.kind));
    this.#detachments.undo(live);
    this.#deleted.delete(live.address);
    for (const address of cascadedAddresses(this.#state, live)) this.#deletedWith.get(address)?.delete(live);
    if (this.#remaining.get(live.address)?.hidesReferences === true) this.#hiding = undefined;
  }

  /** Addresses of resources that remain and reference it. */
  #remainingReferrers(live: LiveResource): readonly string[] {
    return [...(this.#referrers.get(live.address) ?? [])].filter(
      (address) => address !== live.address && !this.#isReferrerDeleted(address, live),
    );
  }

  /** A resource that stays, because it cannot be detached from itself. */
  #itself(live: LiveResource): readonly string[] {
    const isHeld = live.kind.references?.countsItself === true && this.#actionOf(live) !== "delete";
    return isHeld && this.#referrers.get(live.address)?.has(live.address) === true ? ["itself"] : [];
  }

  /** Whether a referrer certainly references it. */
  #isCertain(referrer: string, { address: target }: LiveResource): boolean {
    const resource = this.#remaining.get(referrer);
    const references = resource === undefined ? [] : this.#context.graph.referencesOf(resource);
    return references.some(({ reference, address }) => address === target && reference.isPossible !== true);
  }

  /** Addresses of resources that the service would delete with it, although they are ignored or accepted. */
  #exemptCascades(live: LiveResource): readonly string[] {
    const { exemptions } = this.#state.configuration;
    if (exemptions === undefined) return [];
    return cascadedAddresses(this.#state, live).filter((address) => isLeftAlone(exemptions, address));
  }

  /** Whether a referrer is deleted as well. One that is deleted only with its target counts as remaining if the target can be disabled. */
  #isReferrerDeleted(address: string, target: LiveResource): boolean {
    if (this.#deleted.has(address)) return true;
    const owners = this.#deletedWith.get(address) ?? new Set();
    if (target.kind.lifecycle.disable === undefined) return owners.size > 0;
    return owners.size > (owners.has(target) ? 1 : 0);
  }

  /** Whether it cannot be disabled, and the service would not delete it either. */
  #wasRefused({ kind, address }: LiveResource): boolean {
    return kind.lifecycle.disable === undefined && wasDeletionRefused(this.#context.lastApplied, address);
  }

  /** Remaining resources some of whose references are unknown; the same array until another resource is preserved. */
  get #hidingResources(): readonly RemainingResource[] {
    this.#hiding ??= [...this.#remaining.values()].filter(
      ({ address, hidesReferences, unresolved }) =>
        (hidesReferences || unresolved.length > 0) && !this.#deleted.has(address),
    );
    return this.#hiding;
  }

  /** Kinds that may reference the resource and could not be read. */
  #unknownReferrers(live: LiveResource): readonly string[] {
    const { graph } = this.#context;
    const hiding = this.#hidingResources.filter((resource) => graph.mayHide(resource, live.kind, live.scope));
    return [...new Set([...this.#state.unread(live.kind, live.scope), ...hiding.map(({ kind }) => kind.name)])];
  }

  /** Address of a referrer → the candidates that it references. */
  #targetsByReferrer(): ReadonlyMap<string, readonly LiveResource[]> {
    const targets = new Map<string, LiveResource[]>();
    for (const live of this.#candidates) {
      for (const address of this.#referrers.get(live.address) ?? []) addTo(targets, address, live);
    }
    return targets;
  }
}

/** The number of incidents that are known to use a resource. */
function countOf(incidents: Removal["incidents"]): number {
  return typeof incidents === "string" ? 0 : incidents.count;
}

function initialAction(policy: RemovalPolicy, kind: Kind): Removal["action"] {
  // What is to be kept is no candidate; should one be, it must not be deleted.
  if (policy === "keep") return "preserve";
  return policy === "disable" ? withoutDeletion(kind) : "delete";
}

/** The removal of a resource that is not to be deleted. */
function withoutDeletion({ lifecycle }: Kind): Removal["action"] {
  return lifecycle.disable === undefined ? "preserve" : "disable";
}

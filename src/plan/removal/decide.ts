/**
 * Decides about live resources that the configuration does not list: deleted if nothing refers to them, disabled otherwise, kept if
 * neither is possible. What may be referred to, because something could not be read, is not deleted.
 *
 * Who refers to a resource is known from the resources that remain after this plan, declared ones as declared and others as they are,
 * and from the incidents that were counted. Resources that are deleted together do not hold each other; a cycle among them is broken by
 * detaching one (`deletion-cycles.ts`).
 */

import { removalPolicyOf } from "../../config/settings/removal-policy.ts";
import type { RemovalPolicy } from "../../config/settings/settings.ts";
import type { Fields } from "../../core/json.ts";
import { type Kind, leadsTo, mayReference } from "../../kinds/kind.ts";
import { isRemovable, type ListName, type LiveResource } from "../../kinds/resource.ts";
import { incidentsUsing } from "../../match/incident-usage.ts";
import { wasDeletionRefused } from "../../match/last-applied.ts";
import type { ResolvedState } from "../../match/resolved-state.ts";
import type { PlanContext } from "../context.ts";
import { cascadedAddresses, type Detach, Detachments, findCycle, type Referrers } from "./deletion-cycles.ts";

/** The outcome for a live resource that the configuration does not list. */
export interface Removal {
  readonly live: LiveResource;
  readonly way: "delete" | "disable" | "keep";
  /** Addresses of resources that refer to it, and a count of incidents. */
  readonly usedBy: readonly string[];
  /** If nothing is known to refer to it: kinds and incidents that may, and could not be read. */
  readonly unread: readonly string[];
  /** Addresses of resources that are deleted with it. */
  readonly cascades: readonly string[];
  /** Sent before it is deleted. */
  readonly detach?: Detach;
  /** Sent before it is deleted, for resources that are deleted with it. */
  readonly detachInside: readonly Detach[];
  /** The service refused to delete it at the last apply. */
  readonly refused: boolean;
}

/** A resource as it will be if it remains. */
export interface RemainingResource {
  readonly kind: Kind;
  readonly scope: string;
  readonly address: string;
  readonly fields: Fields;
  /** Its references are not all known: a field that holds references cannot be read, and no apply has sent it. */
  readonly hidesReferences: boolean;
  /** Lists that could not be read and that some of its references lead to. */
  readonly unresolved: readonly ListName[];
}

/** Decides each removal. `remaining` gives every resource as it will be if it remains; it is called only if something may go. */
export function decideRemovals(
  context: PlanContext,
  unlisted: readonly LiveResource[],
  remaining: () => readonly RemainingResource[],
): readonly Removal[] {
  const policyOf = (live: LiveResource) => removalPolicyOf(context.state.configuration.settings, live.kind);
  const leaving = unlisted.filter((live) => isRemovable(live) && policyOf(live) !== "keep");
  if (leaving.length === 0) return [];
  return new RemovalDecision(context, leaving, policyOf, remaining()).decide();
}

class RemovalDecision {
  readonly #context: PlanContext;
  readonly #state: ResolvedState;
  readonly #leaving: readonly LiveResource[];
  readonly #policyOf: (live: LiveResource) => RemovalPolicy;
  readonly #ways: Map<LiveResource, Removal["way"]>;
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
    leaving: readonly LiveResource[],
    policyOf: (live: LiveResource) => RemovalPolicy,
    remaining: readonly RemainingResource[],
  ) {
    this.#context = context;
    this.#state = context.state;
    this.#leaving = leaving;
    this.#policyOf = policyOf;
    this.#ways = new Map(leaving.map((live) => [live, firstWay(policyOf(live), live.kind)]));
    this.#remaining = new Map(remaining.map((resource) => [resource.address, resource]));
    this.#referrers = context.graph.referrers(remaining);
    this.#detachments = new Detachments(context, this.#referrers);
    const deleted = this.#going();
    this.#deleted = new Set(deleted.map(({ address }) => address));
    for (const live of deleted) {
      for (const address of cascadedAddresses(this.#state, live)) {
        this.#deletedWith.set(address, (this.#deletedWith.get(address) ?? new Set()).add(live));
      }
    }
  }

  /** Repeats the decision until it is stable: a resource that stays keeps the resources that it refers to. */
  decide(): readonly Removal[] {
    const referredTo = this.#referredTo();
    for (;;) {
      const hiding = this.#hidingReferences;
      const open = [...this.#going()];
      for (const live of open) {
        if (this.#mayGo(live)) continue;
        this.#keep(live);
        for (const address of [live.address, ...cascadedAddresses(this.#state, live)]) {
          open.push(...(referredTo.get(address) ?? []));
        }
      }
      if (this.#hidingReferences !== hiding) continue;
      const cycle = findCycle(this.#state, this.#going(), this.#referrers);
      if (cycle.length === 0) break;
      if (!this.#detachments.breakCycle(cycle)) for (const live of cycle) this.#keep(live);
    }
    const all = new Set(this.#leaving);
    return this.#leaving.map((live) => this.#removal(live, all));
  }

  #removal(live: LiveResource, all: ReadonlySet<LiveResource>): Removal {
    const way = this.#wayOf(live);
    const isDeleted = way === "delete";
    const incidents = incidentsUsing(this.#context.usage, live) ?? 0;
    const counted = incidents > 0 ? [`${incidents} ${incidents === 1 ? "incident" : "incidents"}`] : [];
    const detach = this.#detachments.of(live);
    const usedBy = [...this.#holders(live), ...counted];
    return {
      live,
      way,
      usedBy,
      unread: isDeleted || usedBy.length > 0 ? [] : this.#unknownReferrers(live),
      cascades: isDeleted ? cascadedAddresses(this.#state, live) : [],
      ...(detach === undefined ? {} : { detach }),
      detachInside: isDeleted ? this.#detachments.inside(live, all) : [],
      refused: way === "keep" && this.#wasRefused(live),
    };
  }

  #wayOf(live: LiveResource): Removal["way"] {
    return this.#ways.get(live) ?? "keep";
  }

  #going(): readonly LiveResource[] {
    return this.#leaving.filter((live) => this.#wayOf(live) === "delete");
  }

  #mayGo(live: LiveResource): boolean {
    if (this.#wayOf(live) !== "delete" || this.#policyOf(live) !== "disable_or_delete") return true;
    if (this.#wasRefused(live)) return false;
    const incidents = incidentsUsing(this.#context.usage, live) ?? 0;
    return this.#holders(live).length === 0 && incidents === 0 && this.#unknownReferrers(live).length === 0;
  }

  #keep(live: LiveResource): void {
    this.#ways.set(live, live.kind.lifecycle.disable === undefined ? "keep" : "disable");
    this.#detachments.undo(live);
    this.#deleted.delete(live.address);
    for (const address of cascadedAddresses(this.#state, live)) this.#deletedWith.get(address)?.delete(live);
    if (this.#remaining.get(live.address)?.hidesReferences === true) this.#hiding = undefined;
  }

  /** Addresses of resources that remain and refer to it. */
  #holders(live: LiveResource): readonly string[] {
    return [...(this.#referrers.get(live.address) ?? [])].filter(
      (address) => address !== live.address && !this.#isGoing(address, live),
    );
  }

  /** Whether a referrer goes as well. One that goes only with the resource itself holds it, if that can be disabled instead. */
  #isGoing(address: string, target: LiveResource): boolean {
    if (this.#deleted.has(address)) return true;
    const owners = this.#deletedWith.get(address) ?? new Set();
    if (target.kind.lifecycle.disable === undefined) return owners.size > 0;
    return owners.size > (owners.has(target) ? 1 : 0);
  }

  /** Whether it cannot be disabled, and the service would not delete it either. */
  #wasRefused({ kind, address }: LiveResource): boolean {
    return kind.lifecycle.disable === undefined && wasDeletionRefused(this.#context.lastApplied, address);
  }

  /** Remaining resources some of whose references are unknown; the same list until another one stays. */
  get #hidingReferences(): readonly RemainingResource[] {
    this.#hiding ??= [...this.#remaining.values()].filter(
      ({ address, hidesReferences, unresolved }) =>
        (hidesReferences || unresolved.length > 0) && !this.#deleted.has(address),
    );
    return this.#hiding;
  }

  /** Kinds, and incidents, that may refer to the resource and could not be read. */
  #unknownReferrers(live: LiveResource): readonly string[] {
    const { references } = live.kind;
    const isUncounted = references?.countedBy !== undefined && incidentsUsing(this.#context.usage, live) === undefined;
    const hiding = this.#hidingReferences.filter((resource) => this.#mayHide(resource, live));
    return [
      ...new Set([
        ...this.#state.unread(live.kind, live.scope),
        ...hiding.map(({ kind }) => kind.name),
        ...(isUncounted ? ["incidents"] : []),
      ]),
    ];
  }

  /** Whether an unknown reference of a resource may be one to another resource. */
  #mayHide({ kind, hidesReferences, unresolved }: RemainingResource, live: LiveResource): boolean {
    if (!mayReference(kind, live.kind, live.scope)) return false;
    return (
      hidesReferences ||
      unresolved.some((list) => {
        const between = this.#state.kinds.get(list.kind);
        return between !== undefined && leadsTo(between, live.kind);
      })
    );
  }

  /** Address of a referrer → resources that are to go and that it refers to. */
  #referredTo(): ReadonlyMap<string, readonly LiveResource[]> {
    const targets = new Map<string, LiveResource[]>();
    for (const live of this.#leaving) {
      for (const address of this.#referrers.get(live.address) ?? []) {
        const list = targets.get(address);
        if (list === undefined) targets.set(address, [live]);
        else list.push(live);
      }
    }
    return targets;
  }
}

function firstWay(policy: RemovalPolicy, kind: Kind): Removal["way"] {
  if (policy === "disable") return kind.lifecycle.disable === undefined ? "keep" : "disable";
  return policy === "keep" ? "keep" : "delete";
}

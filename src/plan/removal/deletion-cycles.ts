/**
 * Resources to delete that reference each other in a cycle, or one that references itself: each would have to be deleted first. One of
 * them is detached: a PATCH before any deletion removes its references to the others. If none can be detached, they are preserved.
 */

import { type Fields, isFields, isList, pointerIsWithin } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import type { LiveResource } from "../../kinds/model/resource.ts";
import type { ResolvedState } from "../../workspace/match/resolved-state.ts";
import { hasValue } from "../diff/retained-options.ts";
import type { PlanContext } from "../model/context.ts";

/** A change that removes references from a resource before it is deleted. */
export interface Detach {
  readonly live: LiveResource;
  /** The fields to send, in the words of the files. */
  readonly fields: Fields;
  /** Addresses of the references that it removes. */
  readonly from: readonly string[];
}

/** A detach that breaks a cycle, and the children to detach first, because they hold values of the items that it removes. */
interface CycleBreak extends Detach {
  readonly children: readonly Detach[];
}

/** Address → the addresses of resources that reference it. */
export type Referrers = ReadonlyMap<string, Set<string>>;

/** The detachments of a plan. They are taken out of the referrers that the cycles are found in. */
export class Detachments {
  readonly #context: PlanContext;
  readonly #referrers: Referrers;
  readonly #detaches = new Map<LiveResource, Detach>();
  /** Resources that were detached once; none is detached twice. */
  readonly #detachedOnce = new Set<LiveResource>();

  constructor(context: PlanContext, referrers: Referrers) {
    this.#context = context;
    this.#referrers = referrers;
  }

  /** The requests that detach a resource before it is deleted. */
  of(live: LiveResource): Detach | undefined {
    return this.#detaches.get(live);
  }

  /** The requests that detach the children of a deleted resource, except children with a deletion of their own. */
  cascaded({ kind, key }: LiveResource, deleted: ReadonlySet<LiveResource>): readonly Detach[] {
    const children = (kind.references?.cascades ?? []).flatMap((name) => this.#context.state.live(name, key) ?? []);
    return children.filter((live) => !deleted.has(live)).flatMap((live) => this.#detaches.get(live) ?? []);
  }

  /** Detaches the resource of a cycle that takes the fewest requests; false if none can be detached. */
  breakCycle(cycle: readonly LiveResource[]): boolean {
    const addresses = new Set(cycle.map(({ address }) => address));
    const [shortest] = cycle
      .filter((live) => !this.#detachedOnce.has(live))
      .flatMap((live) => this.#breakAt(live, addresses) ?? [])
      .sort((left, right) => left.children.length - right.children.length);
    if (shortest === undefined) return false;
    this.#detachedOnce.add(shortest.live);
    for (const detach of [...shortest.children, shortest]) {
      this.#detaches.set(detach.live, detach);
      for (const address of detach.from) this.#referrers.get(address)?.delete(detach.live.address);
    }
    return true;
  }

  /** Takes back the detach of a resource, because it is preserved. */
  undo(live: LiveResource): void {
    for (const address of this.#detaches.get(live)?.from ?? []) this.#referrers.get(address)?.add(live.address);
    this.#detaches.delete(live);
  }

  #breakAt(live: LiveResource, cycle: ReadonlySet<string>): CycleBreak | undefined {
    const detach = this.#detach(live, (_pointer, address) => cycle.has(address));
    if (detach === undefined) return undefined;
    const children = this.#childrenToDetach(live, detach.fields);
    return children === undefined ? undefined : { ...detach, children };
  }

  /** A detach from these references; undefined if there are none, or a required value prevents it. */
  #detach(live: LiveResource, isDropped: (pointer: string, address: string) => boolean): Detach | undefined {
    const { kind, scope, address: own } = live;
    const { graph, state } = this.#context;
    const earlier = this.#detaches.get(live);
    const fields = { ...live.fields, ...earlier?.fields };
    const dropped = graph
      .referencesOf({ kind, scope, fields })
      .filter(
        ({ reference, address }) =>
          (address !== own || kind.references?.countsItself === true) && isDropped(reference.at, address),
      );
    if (dropped.length === 0) return undefined;
    const pointers = dropped.map(({ reference }) => reference.at);
    const rest = state.listOf(live).withoutReferences(fields, pointers);
    const addresses = [...(earlier?.from ?? []), ...dropped.map(({ address }) => address)];
    return rest === undefined ? undefined : { live, fields: rest, from: [...new Set(addresses)] };
  }

  /** Children that hold values of items which a detach drops; undefined if a required value prevents it. */
  #childrenToDetach({ kind, key, fields }: LiveResource, rest: Fields): readonly Detach[] | undefined {
    const holders = Object.entries(kind.fields ?? {}).flatMap(([name, { keyedItems }]) => {
      const [before, after] = [fields[name], rest[name]];
      if (keyedItems === undefined || !isList(before) || !isList(after)) return [];
      const removed = before
        .filter((item) => !after.includes(item))
        .flatMap((item) => (isFields(item) ? keyedItems.keyOf(item) : []));
      return (this.#context.state.live(keyedItems.kind, key) ?? []).flatMap((live) => {
        const values = { ...live.fields, ...this.#detaches.get(live)?.fields }[keyedItems.values];
        const pointers = removed
          .filter((item) => hasValue(values, item))
          .map((item) => `/${keyedItems.values}/${item}`);
        return pointers.length === 0 ? [] : [{ live, pointers }];
      });
    });
    const detaches = holders.flatMap(({ live, pointers }) => {
      const isRemovedValue = (at: string) => pointers.some((pointer) => pointerIsWithin(at, pointer));
      return this.#detach(live, isRemovedValue) ?? [];
    });
    return detaches.length === holders.length ? detaches : undefined;
  }
}

/**
 * Resources that can be deleted in no order, because each is referenced by one of them, and that cannot be disabled. Empty if there are
 * none.
 */
export function findCycle(
  state: ResolvedState,
  deleted: readonly LiveResource[],
  referrers: Referrers,
): readonly LiveResource[] {
  const owner = new Map(
    deleted.flatMap((live) => [live.address, ...cascadedAddresses(state, live)].map((address) => [address, live])),
  );
  const remaining = new Set(deleted);
  const nodes = deleted.map((live) => {
    const before = [...(referrers.get(live.address) ?? [])].flatMap((address) => owner.get(address) ?? []);
    const countsItself = live.kind.references?.countsItself === true;
    return { live, others: new Set(before.filter((other) => other !== live || countsItself)) };
  });
  const dependents = new Map<LiveResource, typeof nodes>();
  for (const node of nodes) for (const other of node.others) addTo(dependents, other, node);
  const deletable = nodes.filter(({ others }) => others.size === 0).map(({ live }) => live);
  for (const live of deletable) {
    remaining.delete(live);
    for (const { live: next, others } of dependents.get(live) ?? []) {
      others.delete(live);
      if (others.size === 0) deletable.push(next);
    }
  }
  return [...remaining].filter((live) => live.kind.lifecycle.disable === undefined);
}

/** Addresses of the resources that are deleted with one: those in the scope that it gives its name to. */
export function cascadedAddresses(state: ResolvedState, live: LiveResource): readonly string[] {
  return (live.kind.references?.cascades ?? []).flatMap((kind) =>
    (state.live(kind, live.key) ?? []).map(({ address }) => address),
  );
}

/**
 * Order by position with the fewest writes.
 *
 * The longest run of managed resources that are already in declared order stays; each other one is moved to directly after the nearest
 * resource before it in declared order that is in place. Resources that are not managed keep their relative order, because they are
 * never moved. A position is the one that is right when its request runs: every move is simulated on a model of the whole list, disabled
 * resources included.
 */

import { longestIncreasing } from "../../core/lists.ts";

/** The managed resources that have to move: the fewest possible, by the longest increasing subsequence. */
export function resourcesToMove(live: readonly string[], declared: readonly string[]): ReadonlySet<string> {
  const place = new Map(live.map((resource, index) => [resource, index]));
  const known = declared.filter((resource) => place.has(resource));
  const run = longestIncreasing(known.map((resource) => place.get(resource) ?? 0));
  const inOrder = new Set(run.map((index) => known[index]));
  return new Set(known.filter((resource) => !inOrder.has(resource)));
}

/** A list as it will be, request by request. */
export class PositionModel {
  readonly #list: string[];
  readonly #declared: readonly string[];
  readonly #inPlace: Set<string>;

  /** `live` holds every resource in order; `declared` the managed ones in declared order, new ones included. */
  constructor(live: readonly string[], declared: readonly string[]) {
    this.#list = [...live];
    this.#declared = declared;
    const moving = resourcesToMove(live, declared);
    const known = new Set(live);
    this.#inPlace = new Set(declared.filter((resource) => known.has(resource) && !moving.has(resource)));
  }

  /** Moves or inserts a resource, and returns the position to send, counted from 1. */
  place(resource: string): number {
    this.remove(resource);
    const before = this.#declared.slice(0, this.#declared.indexOf(resource));
    const predecessor = before.findLast((other) => this.#inPlace.has(other));
    const index = predecessor === undefined ? 0 : this.#list.indexOf(predecessor) + 1;
    this.#list.splice(index, 0, resource);
    this.#inPlace.add(resource);
    return index + 1;
  }

  /** Removes a deleted resource. */
  remove(resource: string): void {
    const index = this.#list.indexOf(resource);
    if (index >= 0) this.#list.splice(index, 1);
  }

  /** The list after everything so far. */
  get list(): readonly string[] {
    return this.#list;
  }
}

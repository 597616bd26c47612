/**
 * Matches live and declared resources of a list without names: equal ones first, in order, and the others between them one by one.
 * Only resources that share a key are compared, because lists are long.
 */

import { addTo } from "../../core/lists.ts";

/** Keys that equal resources share; others may share them too. */
export interface MatchKeys<D, L> {
  of(declared: D): string;
  /** Keys of the declared resources that may be equal; undefined: all. */
  among(live: L): readonly string[] | undefined;
}

/** Returns the live resources in order, each with its declared match. */
export function matchUnkeyed<D, L>(
  declared: readonly D[],
  live: readonly L[],
  keys: MatchKeys<D, L>,
  isSame: (declared: D, live: L) => boolean,
): readonly (readonly [L, D | undefined])[] {
  const free = new UnmatchedResources(declared, keys, isSame);
  const places = live.map((row) => free.take(row));
  let before = -1;
  return live.map((row, at) => {
    const place = places[at] ?? free.takeAt(before + 1);
    if (place === undefined) return [row, undefined];
    before = place;
    return [row, declared[place]];
  });
}

/** Declared resources without a match, by position. */
class UnmatchedResources<D, L> {
  readonly #declared: readonly D[];
  readonly #keys: MatchKeys<D, L>;
  readonly #isSame: (declared: D, live: L) => boolean;
  readonly #all: Set<number>;
  /** Positions in the order of the list; some may be taken. */
  readonly #byKey: ReadonlyMap<string, number[]>;

  constructor(declared: readonly D[], keys: MatchKeys<D, L>, isSame: (declared: D, live: L) => boolean) {
    this.#declared = declared;
    this.#keys = keys;
    this.#isSame = isSame;
    this.#all = new Set(declared.keys());
    const places = new Map<string, number[]>();
    for (const [place, entry] of declared.entries()) addTo(places, keys.of(entry), place);
    this.#byKey = places;
  }

  /** Takes the first equal resource. */
  take(live: L): number | undefined {
    const keys = this.#keys.among(live);
    const lists = keys === undefined ? [[...this.#all]] : keys.map((key) => this.#byKey.get(key) ?? []);
    const candidates = lists.flatMap((places) => {
      const at = places.findIndex((place) => this.#isFree(place, live));
      return at < 0 ? [] : [{ places, at, place: places[at] ?? 0 }];
    });
    const [first] = candidates.sort((left, right) => left.place - right.place);
    first?.places.splice(first.at, 1);
    return this.takeAt(first?.place);
  }

  takeAt(place: number | undefined): number | undefined {
    return place !== undefined && this.#all.delete(place) ? place : undefined;
  }

  #isFree(place: number, live: L): boolean {
    const entry = this.#declared[place];
    return entry !== undefined && this.#all.has(place) && this.#isSame(entry, live);
  }
}

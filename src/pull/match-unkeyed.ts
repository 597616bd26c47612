/**
 * Which live entries of a list continue which declared ones, where neither side has names: those that say the same, in order,
 * and between those one by one. Only entries that share a key are held against each other, since lists are long.
 */

/** What entries that say the same share. Others may share it too. */
export interface Keys<D, L> {
  of(declared: D): string;
  /** Those of the declared entries that may say the same; undefined: any. */
  among(live: L): readonly string[] | undefined;
}

/** Live entries, in their order, with the declared ones that they continue. */
export function continued<D, L>(
  declared: readonly D[],
  live: readonly L[],
  keys: Keys<D, L>,
  alike: (declared: D, live: L) => boolean,
): readonly (readonly [L, D | undefined])[] {
  const free = new Free(declared, keys, alike);
  const met = live.map((found) => free.take(found));
  let before = -1;
  return live.map((found, at) => {
    const place = met[at] ?? free.takeAt(before + 1);
    if (place === undefined) return [found, undefined];
    before = place;
    return [found, declared[place]];
  });
}

/** The declared entries that no live one has met, by their places. */
class Free<D, L> {
  readonly #declared: readonly D[];
  readonly #keys: Keys<D, L>;
  readonly #alike: (declared: D, live: L) => boolean;
  readonly #all: Set<number>;
  /** In the order of the list; some may be taken. */
  readonly #byKey = new Map<string, number[]>();

  constructor(declared: readonly D[], keys: Keys<D, L>, alike: (declared: D, live: L) => boolean) {
    this.#declared = declared;
    this.#keys = keys;
    this.#alike = alike;
    this.#all = new Set(declared.keys());
    for (const [place, entry] of declared.entries()) {
      const key = keys.of(entry);
      const places = this.#byKey.get(key);
      if (places === undefined) this.#byKey.set(key, [place]);
      else places.push(place);
    }
  }

  /** Takes the first that says the same. */
  take(live: L): number | undefined {
    const keys = this.#keys.among(live);
    const lists = keys === undefined ? [[...this.#all]] : keys.map((key) => this.#byKey.get(key) ?? []);
    const found = lists.flatMap((places) => {
      const at = places.findIndex((place) => this.#isFree(place, live));
      return at < 0 ? [] : [{ places, at, place: places[at] ?? 0 }];
    });
    const [first] = found.sort((left, right) => left.place - right.place);
    first?.places.splice(first.at, 1);
    return this.takeAt(first?.place);
  }

  takeAt(place: number | undefined): number | undefined {
    return place !== undefined && this.#all.delete(place) ? place : undefined;
  }

  #isFree(place: number, live: L): boolean {
    const [entry] = this.#declared.slice(place, place + 1);
    return entry !== undefined && this.#all.has(place) && this.#alike(entry, live);
  }
}

/**
 * Order by position with the fewest writes.
 *
 * The longest run of managed entries that already stand in the declared order stays; each other one is placed directly
 * after the nearest entry before it, in the declared order, that stands right. Entries that are not managed keep their
 * relative order, because only managed ones are ever moved. A position is the one that holds at the moment its request
 * runs: it is found by simulating every placement on a model of the whole list, retired entries included.
 */

/** The managed entries that have to move: the fewest, by the longest increasing subsequence. */
export function movers(live: readonly string[], wanted: readonly string[]): ReadonlySet<string> {
  const at = new Map(live.map((entry, index) => [entry, index]));
  const known = wanted.filter((entry) => at.has(entry));
  const kept = new Set(longestRun(known.map((entry) => at.get(entry) ?? 0)).map((index) => known[index]));
  return new Set(known.filter((entry) => !kept.has(entry)));
}

/** Indexes of a longest strictly increasing subsequence, in n log n. */
export function longestRun(values: readonly number[]): readonly number[] {
  const tails: number[] = [];
  const before: number[] = [];
  values.forEach((value, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = index;
  });
  const run: number[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) run.push(index);
  return run.reverse();
}

/** The list as it will stand, request by request. */
export class Places {
  readonly #list: string[];
  readonly #wanted: readonly string[];
  readonly #settled: Set<string>;

  /** `live` holds every entry in order; `wanted` the managed ones in declared order, new ones included. */
  constructor(live: readonly string[], wanted: readonly string[]) {
    this.#list = [...live];
    this.#wanted = wanted;
    const moving = movers(live, wanted);
    const known = new Set(live);
    this.#settled = new Set(wanted.filter((entry) => known.has(entry) && !moving.has(entry)));
  }

  /** Places an entry and tells the position to send, counted from 1. */
  place(entry: string): number {
    const old = this.#list.indexOf(entry);
    if (old >= 0) this.#list.splice(old, 1);
    const ahead = this.#wanted.slice(0, this.#wanted.indexOf(entry)).findLast((other) => this.#settled.has(other));
    const index = ahead === undefined ? 0 : this.#list.indexOf(ahead) + 1;
    this.#list.splice(index, 0, entry);
    this.#settled.add(entry);
    return index + 1;
  }

  /** Takes a deleted entry out. */
  remove(entry: string): void {
    const index = this.#list.indexOf(entry);
    if (index >= 0) this.#list.splice(index, 1);
  }

  /** The list after everything so far. */
  get list(): readonly string[] {
    return this.#list;
  }
}

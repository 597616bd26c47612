/** Pseudorandom numbers. */

/** A source of numbers in [0, 1). */
export type Random = () => number;

/** A source determined by a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One item of a list. Throws if the list is empty. */
export function pick<T>(random: Random, from: readonly T[]): T {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined) throw new Error("there is nothing to choose from");
  return chosen;
}

/** A random sample of at most this size, in the order of the list. */
export function sample<T>(random: Random, from: readonly T[], size: number): readonly T[] {
  if (from.length <= size) return from;
  const keyed = from.map((value, index) => ({ value, index, key: random() }));
  return keyed
    .sort((left, right) => left.key - right.key)
    .slice(0, size)
    .sort((left, right) => left.index - right.index)
    .map(({ value }) => value);
}

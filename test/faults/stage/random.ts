/** Numbers that look random and are the same for the same seed. */

/** A source of numbers in [0, 1). */
export type Random = () => number;

/** A source that a seed determines (xorshift with a multiplication: mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of several. Throws when there is none. */
export function pick<T>(random: Random, from: readonly T[]): T {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined) throw new Error("there is nothing to choose from");
  return chosen;
}

/** So many of them at most, spread by the seed, in their order. */
export function sample<T>(random: Random, from: readonly T[], size: number): readonly T[] {
  if (from.length <= size) return from;
  const keyed = from.map((value, index) => ({ value, index, key: random() }));
  return keyed
    .sort((left, right) => left.key - right.key)
    .slice(0, size)
    .sort((left, right) => left.index - right.index)
    .map(({ value }) => value);
}

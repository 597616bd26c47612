/**
 * Sample sizes of the longest tests. `npm run test:samples` uses the larger number and runs in continuous integration, a file that is run
 * by its name a thirtieth of it, and `npm test` a hundredth, to finish in minutes. The campaign uses the sizes in its variables.
 */

/** Whether the larger samples are tried. */
export const isLarger: boolean = process.env.SAMPLES === "larger";

/**
 * The seed of continuous integration, and outside campaigns of random tests in which what is still found is rare, and no change of the
 * day.
 */
export const FIXED_SEED = 20_261_122;

/** Divisor of a larger sample. */
const PART = process.env.TESTS === "quick" ? 100 : 30;

/** The number of samples: that of the campaign if its variable is set, else the larger number or a part of it, at least 1. */
export function sampleSize(larger: number, campaign?: string): number {
  if (campaign !== undefined) return Number(campaign);
  return isLarger ? larger : Math.ceil(larger / PART);
}

/** As many of the items as a sample has, at least `least`: other ones for each number `at`, all of them in a larger sample. */
export function someOf<Item>(items: readonly Item[], at: number, least = 1): readonly Item[] {
  const from = at % Math.max(1, items.length);
  return [...items.slice(from), ...items.slice(0, from)].slice(0, Math.max(least, sampleSize(items.length)));
}

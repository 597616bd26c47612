/**
 * Sample sizes of the longest tests. `npm test` uses small samples to finish in minutes; `npm run test:samples` uses
 * sixteen times as many and runs in continuous integration; the campaign uses the sizes in its variables.
 */

const isLarger = process.env.SAMPLES === "larger";

/** Divisor of a larger sample for `npm test`. */
const PART = 16;

/** The number of samples: that of the campaign if its variable is set, else the larger number or a sixteenth of it, at least 1. */
export function sampleSize(larger: number, campaign?: string): number {
  if (campaign !== undefined) return Number(campaign);
  return isLarger ? larger : Math.ceil(larger / PART);
}

/**
 * Sizes of the samples that the heaviest tests take. `npm test` takes few, so that it ends in minutes; `npm run test:samples` takes
 * five times as many and runs in continuous integration; the campaign takes as many as its variables say.
 */

const isLarger = process.env.SAMPLES === "larger";

/** The part that `npm test` takes of a larger sample. */
const PART = 5;

/** The number of samples: the campaign's when its variable is set, else the larger number or a fifth of it, and one at least. */
export function sampleSize(larger: number, campaign?: string): number {
  if (campaign !== undefined) return Number(campaign);
  return isLarger ? larger : Math.ceil(larger / PART);
}

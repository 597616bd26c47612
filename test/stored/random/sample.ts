/** How many random cases a test draws, and from which seed. */

const { CAMPAIGN_STORED: campaign, CAMPAIGN_SEED: seed } = process.env;

/** So many cases, or those of the campaign; of a new seed, unless one is given. */
export function drawn(plain: number): { readonly numRuns: number; readonly seed?: number } {
  const numRuns = campaign === undefined ? plain : Number(campaign);
  return seed === undefined ? { numRuns } : { numRuns, seed: Number(seed) };
}

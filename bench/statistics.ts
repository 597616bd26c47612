/** Numbers from repeated measurements. */

/** The middle value; of an even number of them the mean of the two in the middle. Throws when there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new Error("there is no median of nothing");
  return (lower + upper) / 2;
}

/**
 * How many times a cost is above straight-line growth: what `large` is, over what it would be if every further unit cost as much
 * as from `none` to `small`; `times` is how many times more units `large` has than `small`.
 */
export function overLinear(none: number, small: number, large: number, times: number): number {
  return large / (none + Math.max(0, small - none) * times);
}

/** Numbers from repeated measurements. */

/** The median. Throws if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new Error("there is no median of nothing");
  return (lower + upper) / 2;
}

/**
 * Growth of a cost relative to linear growth: the ratio of `large` to the cost if every further unit cost as much
 * as from `none` to `small`; `times` is how many times more units `large` has than `small`.
 */
export function overLinear(none: number, small: number, large: number, times: number): number {
  return large / (none + Math.max(0, small - none) * times);
}

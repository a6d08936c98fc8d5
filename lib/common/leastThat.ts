/** The least of the whole numbers above `low` and up to `high` that is good, where `high` is, and so is all above a good one. */
export function leastThat(isGood: (value: number) => boolean, low: number, high: number): number {
  if (high - low <= 1) return high;
  const middle = Math.floor((low + high) / 2);
  return isGood(middle) ? leastThat(isGood, low, middle) : leastThat(isGood, middle, high);
}

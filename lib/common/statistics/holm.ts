/**
 * Tests a family of comparisons with a family-wise error rate of 5 %: in 95 % of runs no false difference is reported (Holm 1979).
 *
 * All members are tested with the error divided by the number still open; significant ones are settled, and the rest are retested
 * as the smaller remaining family, until none is settled. Each keeps the interval of its last test, so that an interval excludes
 * equality exactly if the difference is significant, and each covers its true value at least as often as a single interval would. Unlike
 * Bonferroni's, the intervals do not hold simultaneously; the significance decisions do.
 *
 * @param size of the family
 * @param test one member, with its error divided by a number of comparisons
 * @param settles true if the result is a difference
 * @returns the result of each member, in order
 */
export function stepDown<T>(
  size: number,
  test: (member: number, comparisons: number) => T,
  settles: (found: T) => boolean,
): T[] {
  const results = new Array<T>(size);
  let open = Array.from({ length: size }, (_, member) => member);
  for (;;) {
    const before = open.length;
    for (const member of open) results[member] = test(member, before);
    open = open.filter((member) => !settles(results[member] as T));
    if (open.length === 0 || open.length === before) return results;
  }
}

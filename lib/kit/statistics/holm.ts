/**
 * Tests a family of comparisons so that none that is no difference is called one in 95 % of runs, whatever the others are (Holm 1979).
 *
 * All are tested as if there were as many as are still open; those that show a difference are settled, and the rest are tested again
 * as the smaller family that they are, until none is settled. Each keeps the interval of its last test, so that an interval leaves out
 * equality exactly where a difference is called real, and each holds its truth at least as often as a single one would. Unlike with
 * Bonferroni's, they do not hold all together: what holds together is what is called real.
 *
 * @param size of the family
 * @param test one member, with its error divided by so many comparisons
 * @param settles whether what was found is a difference
 * @returns what was found of each, in their order
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

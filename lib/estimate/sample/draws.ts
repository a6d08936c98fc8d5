/**
 * Chooses the stretches of a full scan that are compressed at every record size. The first record size is measured everywhere; the effect
 * of a larger one is similar across a file type, so measuring it on part of the bytes is enough and saves a second pass.
 */

/** Bytes measured at every size before anything is skipped: small trees are exact. */
const EXACT_BYTES = 16 * 2 ** 20;
/** Group sizes per type, one stretch drawn from each group: so many groups of each size, then groups of the last size. */
const GROUPS_OF_A_SIZE = 4;
const LARGEST_GROUP = 16;
const LEAST_STRETCH = 2 ** 20;

/** Bytes that are drawn or skipped together: whole records of every size. */
export const stretchBytes = (recordSizes: readonly number[]): number => Math.max(LEAST_STRETCH, ...recordSizes);

interface Group {
  size: number;
  /** Number of its stretches seen, and the one that is drawn. */
  come: number;
  drawn: number;
  /** Groups before it. */
  readonly before: number;
}

/** Draws one stretch from each group, separately for each type; the seed decides which. */
export class Draws {
  readonly #groups = new Map<string, Group>();
  #exactBytes = EXACT_BYTES;

  constructor(readonly random: () => number) {}

  /** The number of stretches of its type that the next one represents; 0 if it is skipped. */
  weightOf(type: string, bytes: number): number {
    if (this.#exactBytes > 0) {
      this.#exactBytes -= bytes;
      return 1;
    }
    let group = this.#groups.get(type);
    if (group === undefined || group.come === group.size) {
      const before = group === undefined ? 0 : group.before + 1;
      const size = Math.min(LARGEST_GROUP, 2 ** Math.floor(before / GROUPS_OF_A_SIZE));
      group = { size, come: 0, drawn: Math.floor(this.random() * size), before };
      this.#groups.set(type, group);
    }
    group.come += 1;
    return group.come - 1 === group.drawn ? group.size : 0;
  }
}

/**
 * Which stretches of a full scan are compressed in records of every size. The first record size is measured everywhere; what a larger one
 * changes is much the same all over a type of file, so that a part of the bytes tells it, and the scan need not do its work twice.
 */

/** Measured in every size before anything is left out: small trees are exact. */
const EXACT_BYTES = 16 * 2 ** 20;
/** Of each type, the stretches of which one is drawn: so many groups of each size, then groups of the last. */
const GROUPS_OF_A_SIZE = 4;
const LARGEST_GROUP = 16;
const LEAST_STRETCH = 2 ** 20;

/** The bytes that are drawn or left out together: whole records of every size. */
export function stretchBytes(recordSizes: readonly number[]): number {
  return Math.max(LEAST_STRETCH, ...recordSizes);
}

interface Group {
  size: number;
  /** How many of its stretches have come, and which of them is drawn. */
  come: number;
  drawn: number;
  /** Groups before it. */
  readonly before: number;
}

/** Draws one stretch of each group, of one type after the other; a seed decides which. */
export class Draws {
  readonly #groups = new Map<string, Group>();
  #exactBytes = EXACT_BYTES;

  constructor(readonly random: () => number) {}

  /** How many stretches of its type the next one stands for; 0 when it is left out. */
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

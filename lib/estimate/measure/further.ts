import { entryOf } from '../../common/collections';
import { studentQuantile } from '../../common/statistics/distributions';
import { addEach, dataOf, type RatioInterval, type Tally, tallyOf } from '../result';

/** Bound on the effect of a further record size on a stretch: the eighth that a record must save, plus a margin for sectors. */
export const DIFFERENCE_RANGE = 0.15;

/** Weighted sums over drawn stretches: their allocation at the first record size (`a`) and at a further one (`b`). */
class Evidence {
  count = 0;
  a = 0;
  b = 0;
  /** Weighted by the skipped stretches: weight × (weight − 1). */
  aa = 0;
  ab = 0;
  bb = 0;

  add(weight: number, a: number, b: number): void {
    const left = weight * (weight - 1);
    // A hole takes nothing at any size and carries no information.
    if (a > 0) this.count += 1;
    this.a += weight * a;
    this.b += weight * b;
    this.aa += left * a * a;
    this.ab += left * a * b;
    this.bb += left * b * b;
  }

  merge(other: Evidence): void {
    for (const sum of ['count', 'a', 'b', 'aa', 'ab', 'bb'] as const) this[sum] += other[sum];
  }

  /** Bytes at the further size per byte at the first. */
  get ratio(): number {
    return this.a > 0 ? this.b / this.a : 1;
  }

  /** Variance of the estimate for the skipped stretches: one draw from each group, around the common ratio. */
  get variance(): number {
    const { ratio } = this;
    return Math.max(0, this.bb - 2 * ratio * this.ab + ratio * ratio * this.aa);
  }
}

/** Statistics of stretches at further record sizes, for one file or for all files of a type. */
export class Further {
  /** One entry per record size except the first. */
  readonly #evidence: readonly Evidence[];
  /** Allocation of the skipped stretches at the first record size, and their logical bytes. */
  openBytes = 0;
  openLogicalBytes = 0;

  constructor(readonly sizes: number) {
    this.#evidence = Array.from({ length: sizes - 1 }, () => new Evidence());
  }

  /** @param weights of each stretch, 0 if it was skipped @param drawn allocation of the drawn stretches, for each record size */
  add(weights: readonly number[], drawn: readonly (readonly number[])[]): void {
    const [first = [], ...further] = drawn;
    const positive = weights.filter((weight) => weight > 0);
    for (const [index, stretches] of further.entries())
      for (const [at, weight] of positive.entries())
        this.#evidence[index]?.add(weight, first[at] ?? 0, stretches[at] ?? 0);
  }

  merge(other: Further): void {
    this.openBytes += other.openBytes;
    this.openLogicalBytes += other.openLogicalBytes;
    for (const [index, each] of this.#evidence.entries()) each.merge(other.#evidence[index] as Evidence);
  }

  ratio(size: number): number {
    return this.#evidence[size - 1]?.ratio ?? 1;
  }

  /**
   * Variance of the estimate for the skipped stretches, and the number of stretches behind it. Of n similar stretches, up to 1 in n may
   * still differ; without that term the interval of a rarely drawn type would be too narrow.
   */
  variance(size: number): { readonly variance: number; readonly count: number } {
    const { variance, count, ratio } = this.#evidence[size - 1] as Evidence;
    const range = Math.max(DIFFERENCE_RANGE, Math.abs(1 - ratio));
    return { variance: variance + ((this.openBytes * range) / Math.max(1, count)) ** 2, count };
  }
}

/** The skipped stretches, by type and size class, and the statistics of the drawn ones of their type. */
export class LeftOut {
  readonly #types = new Map<string, { readonly further: Further; readonly open: Map<string, number> }>();

  constructor(readonly sizes: number) {}

  add(type: string, sizeClass: string, file: Further): void {
    const { further, open } = entryOf(this.#types, type, () => ({ further: new Further(this.sizes), open: new Map() }));
    further.merge(file);
    if (file.openBytes > 0) open.set(sizeClass, (open.get(sizeClass) ?? 0) + file.openBytes);
  }

  /** Adds the estimated allocation of the skipped stretches to the measured tallies. */
  complete(total: Tally, byType: Map<string, Tally>, bySize: Map<string, Tally>): void {
    for (const [type, { further, open }] of this.#types)
      for (const [sizeClass, bytes] of open) {
        const allocated = Array.from({ length: this.sizes }, (_, size) =>
          size === 0 ? 0 : bytes * further.ratio(size),
        );
        for (const tally of [total, tallyOf(byType, type, this.sizes), tallyOf(bySize, sizeClass, this.sizes)])
          addEach(tally.allocatedBytes, allocated);
      }
  }

  /** Statistics of the overall ratio, for each record size; `total` is complete. */
  intervals(total: Tally): RatioInterval[] {
    return total.allocatedBytes.map((allocated, size) => {
      const middle = dataOf(total) / allocated;
      const open = [...this.#types.values()].filter(({ further }) => further.openBytes > 0);
      if (size === 0 || open.length === 0 || !Number.isFinite(middle)) {
        const exact = Number.isFinite(middle) ? middle : null;
        return { low: exact, high: exact, confidence: 1 };
      }
      const parts = open.map(({ further }) => further.variance(size));
      const variance = parts.reduce((sum, part) => sum + part.variance, 0);
      // Welch and Satterthwaite, over the types.
      const freedom = parts.reduce((sum, part) => sum + part.variance ** 2 / Math.max(1, part.count - 1), 0);
      const margin = studentQuantile(0.95, variance ** 2 / freedom) * Math.sqrt(variance);
      const data = dataOf(total);
      // Skipped stretches take some space.
      const known = allocated - open.reduce((sum, { further }) => sum + further.openBytes * further.ratio(size), 0);
      return { low: data / (allocated + margin), high: data / Math.max(known, allocated - margin), confidence: 0.95 };
    });
  }

  /** The share of the bytes that was measured on each record size. */
  shares(bytesRead: number): number[] {
    const open = [...this.#types.values()].reduce((sum, { further }) => sum + further.openLogicalBytes, 0);
    return Array.from({ length: this.sizes }, (_, size) => (size === 0 || bytesRead === 0 ? 1 : 1 - open / bytesRead));
  }
}

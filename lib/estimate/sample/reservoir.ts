/** A point on a weight line: an item, and the position within its weight. */
export interface Point<T> {
  readonly item: T;
  /** Position within the item's weight, from 0 up to 1. */
  readonly fraction: number;
}

/**
 * Keeps points drawn uniformly, with replacement, from a line of weights that grows item by item, in constant memory.
 *
 * Each slot holds one point on its own. No point replaces it while the line grows from length a to b with probability a / b, which
 * keeps the last point uniform. For all slots together the probability is (a / b) ** capacity, and any of them is as likely to be the next.
 * One draw for all slots gives the position of the next point, and an item costs nothing unless it is drawn.
 */
export class Reservoir<T> {
  total = 0;
  readonly #items: T[] = [];
  readonly #fractions: Float64Array;
  /** Position of the next point. */
  #next = 0;

  constructor(
    readonly capacity: number,
    readonly random: () => number,
  ) {
    this.#fractions = new Float64Array(capacity);
  }

  /** @param weight above 0 */
  add(item: T, weight: number): void {
    const before = this.total;
    this.total += weight;
    if (this.#items.length === 0) {
      for (let slot = 0; slot < this.capacity; slot += 1) {
        this.#items.push(item);
        this.#fractions[slot] = this.random();
      }
      this.#next = this.#after(this.total);
      return;
    }
    for (; this.#next <= this.total; this.#next = this.#after(this.#next)) {
      const slot = Math.floor(this.random() * this.capacity);
      const fraction = (this.#next - before) / weight;
      this.#items[slot] = item;
      this.#fractions[slot] = fraction < 1 ? fraction : 1 - 2 ** -52;
    }
  }

  /** A point by its number, below the capacity; numbers have no meaning. `undefined` if nothing was added. */
  point(slot: number): Point<T> | undefined {
    if (slot >= this.#items.length) return undefined;
    return { item: this.#items[slot] as T, fraction: this.#fractions[slot] as number };
  }

  /** Position of the point that replaces one of the slots' at a given length of the line. */
  #after(length: number): number {
    return length / (1 - this.random()) ** (1 / this.capacity);
  }
}

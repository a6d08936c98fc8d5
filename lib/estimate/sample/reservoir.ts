/** A point on a weight line: an item, and the position within its weight. */
export interface Point<T> {
  readonly item: T;
  /** Position within the item's weight, from 0 up to 1. */
  readonly fraction: number;
}

/**
 * Keeps points drawn uniformly, with replacement, from a line of weights that grows item by item, in constant memory.
 *
 * Each slot holds one point on its own. When the line has length `p` at a slot's point, the next point that replaces it lies at `p / u`
 * with an even `u`: then no replacement happens between a and b with probability a / b, which is what keeps the last point even.
 * A heap knows which slot is next, so an item costs nothing unless it is drawn.
 */
export class Reservoir<T> {
  total = 0;
  readonly #items: T[] = [];
  readonly #fractions: Float64Array;
  /** A heap of slots by the position of their next point, nearest on top: positions and slots. */
  readonly #at: Float64Array;
  readonly #slot: Int32Array;

  constructor(
    readonly capacity: number,
    readonly random: () => number,
  ) {
    this.#fractions = new Float64Array(capacity);
    this.#at = new Float64Array(capacity);
    this.#slot = new Int32Array(capacity);
  }

  /** @param weight above 0 */
  add(item: T, weight: number): void {
    const before = this.total;
    this.total += weight;
    if (this.#items.length === 0) {
      for (let slot = 0; slot < this.capacity; slot += 1) {
        this.#items.push(item);
        this.#fractions[slot] = this.random();
        this.#at[slot] = this.#after(this.total);
        this.#slot[slot] = slot;
      }
      for (let index = (this.capacity >> 1) - 1; index >= 0; index -= 1) this.#sink(index);
      return;
    }
    for (let at = this.#at[0] as number; at <= this.total; at = this.#at[0] as number) {
      const slot = this.#slot[0] as number;
      const fraction = (at - before) / weight;
      this.#items[slot] = item;
      this.#fractions[slot] = fraction < 1 ? fraction : 1 - 2 ** -52;
      this.#at[0] = this.#after(at);
      this.#sink(0);
    }
  }

  /** A point by its number, below the capacity; numbers have no meaning. `undefined` if nothing was added. */
  point(slot: number): Point<T> | undefined {
    if (slot >= this.#items.length) return undefined;
    return { item: this.#items[slot] as T, fraction: this.#fractions[slot] as number };
  }

  /** Position of the point that replaces one at a given length of the line. */
  #after(length: number): number {
    return length / (1 - this.random());
  }

  #sink(from: number): void {
    const [places, slots, size] = [this.#at, this.#slot, this.capacity];
    const at = places[from] as number;
    const slot = slots[from] as number;
    let index = from;
    for (let child = 2 * index + 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && (places[child + 1] as number) < (places[child] as number)) child += 1;
      if ((places[child] as number) >= at) break;
      places[index] = places[child] as number;
      slots[index] = slots[child] as number;
      index = child;
    }
    places[index] = at;
    slots[index] = slot;
  }
}

/** A point of a weight line: an item, and how far into its weight. */
export interface Point<T> {
  readonly item: T;
  /** From 0 up to 1. */
  readonly fraction: number;
}

/**
 * Keeps points drawn evenly, with replacement, from a line of weights that grows item by item; its memory does not grow with it.
 *
 * Each slot holds one point on its own. When the line has length `p` at a slot's point, the next point that replaces it lies at `p / u`
 * with an even `u`: then no replacement happens between a and b with probability a / b, which is what keeps the last point even.
 * A heap knows which slot is next, so that an item costs nothing unless it is drawn.
 */
export class Reservoir<T> {
  total = 0;
  readonly #slots: Point<T>[] = [];
  /** Slots by where their next point lies, the nearest on top. */
  readonly #heap: { at: number; slot: number }[] = [];

  constructor(
    readonly capacity: number,
    readonly random: () => number,
  ) {}

  /** @param weight above 0 */
  add(item: T, weight: number): void {
    const before = this.total;
    this.total += weight;
    if (this.#heap.length === 0) {
      for (let slot = 0; slot < this.capacity; slot += 1) {
        this.#slots.push({ item, fraction: this.random() });
        this.#push({ at: this.total / this.#above0(), slot });
      }
      return;
    }
    for (let top = this.#heap[0]; top !== undefined && top.at <= this.total; top = this.#heap[0]) {
      this.#slots[top.slot] = { item, fraction: Math.min((top.at - before) / weight, 1 - 2 ** -52) };
      this.#replaceTop({ at: top.at / this.#above0(), slot: top.slot });
    }
  }

  /** The points, in no order that means anything. */
  get points(): readonly Point<T>[] {
    return this.#slots;
  }

  #above0(): number {
    return 1 - this.random();
  }

  #push(entry: { at: number; slot: number }): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if ((heap[parent] as typeof entry).at <= entry.at) break;
      heap[index] = heap[parent] as typeof entry;
      index = parent;
    }
    heap[index] = entry;
  }

  #replaceTop(entry: { at: number; slot: number }): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as typeof entry).at < (heap[child] as typeof entry).at)
        child += 1;
      if ((heap[child] as typeof entry).at >= entry.at) break;
      heap[index] = heap[child] as typeof entry;
      index = child;
    }
    heap[index] = entry;
  }
}

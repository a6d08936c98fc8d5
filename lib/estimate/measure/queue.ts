/** A bounded queue from one producer to several consumers; the producer waits while it is full. */
export class BoundedQueue<T> {
  #items: T[] = [];
  #head = 0;
  #closed = false;
  #waitingConsumers: (() => void)[] = [];
  #waitingProducer: (() => void) | undefined;

  constructor(readonly capacity: number) {}

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** Resolves when there is room for more. */
  async put(items: readonly T[]): Promise<void> {
    for (const item of items) this.#items.push(item);
    this.#wake();
    if (this.length >= this.capacity && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#waitingProducer = resolve;
      });
  }

  take(): T | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    if (this.length < this.capacity / 2) this.#waitingProducer?.();
    return item;
  }

  /** Resolves to true if there is an item, false if there will be none. */
  async ready(): Promise<boolean> {
    while (this.length === 0 && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#waitingConsumers.push(resolve);
      });
    return this.length > 0;
  }

  /** Closes the queue. `drop` also discards what is left. */
  close(drop = false): void {
    this.#closed = true;
    if (drop) {
      this.#items = [];
      this.#head = 0;
    }
    this.#waitingProducer?.();
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waitingConsumers.splice(0)) wake();
  }
}

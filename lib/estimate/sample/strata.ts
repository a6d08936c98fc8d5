import { entryOf } from '../../common/collections';
import { endOfSizeClass, SIZE_CLASSES, sizeClassOf, Types } from '../classes';
import { blocksOf, type FileLayout } from '../measure/geometry';
import { addEach, emptyTally, type Tally } from '../result';
import type { Found } from '../source/survey';
import { dataBytes, runsOf } from '../source/walk';

/** A point on a weight line: an item, and the position within its weight. */
export interface Point<T> {
  readonly item: T;
  /** Position within the item's weight, from 0 up to 1. */
  readonly fraction: number;
}

/**
 * Keeps points drawn uniformly, with replacement, from a line of weights that grows item by item, in constant memory.
 * Each slot holds one point on its own. No point replaces it while the line grows from length a to b with probability a / b, which
 * keeps the last point uniform. For all slots together the probability is (a / b) ** capacity, and any of them is as likely to be the next.
 * One draw for all slots gives the position of the next point, and an item costs nothing unless it is drawn.
 */
export class Reservoir<T> {
  total = 0;
  readonly #items: T[] = [];
  readonly #fractions: Float64Array;
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

/** Points kept per stratum: many for the first strata, fewer for later ones as memory fills. */
const SLOTS: readonly (readonly [strata: number, slots: number])[] = [
  [16, 4096],
  [64, 1024],
  [Number.POSITIVE_INFINITY, 128],
];

export interface Stratum extends Omit<Tally, 'allocatedBytes'> {
  readonly type: string;
  readonly sizeClass: string;
  /** True if records larger than the smallest can change the allocation of its files. */
  readonly differs: boolean;
  readableBytes: number;
  /** Allocation of the files independent of their content. */
  fixedBytes: number;
  /** Uncompressed allocation of the files without `fixedBytes`, by which records are drawn. */
  readonly reservoir: Reservoir<Found>;
}

/** Sorts files into strata during the walk, in bounded memory. */
export class Strata {
  readonly #strata = new Map<string, Stratum>();
  readonly #types = new Types();

  get #allocator(): FileLayout {
    return this.allocators[0] as FileLayout;
  }

  /** @param allocators by record size, the smallest first: records are drawn by it */
  constructor(
    readonly allocators: readonly FileLayout[],
    readonly random: () => number,
  ) {}

  add(file: Found): void {
    const type = this.#types.of(file.path);
    const index = sizeClassOf(file.bytes);
    const sizeClass = SIZE_CLASSES[index] as string;
    const stratum = entryOf(this.#strata, `${sizeClass}/${type}`, (): Stratum => {
      const [, slots] = SLOTS.find(([max]) => this.#strata.size < max) as readonly [number, number];
      const differs = endOfSizeClass(index) > this.#allocator.geometry.recordBytes;
      const reservoir = new Reservoir<Found>(slots, this.random);
      const { allocatedBytes, ...sums } = emptyTally(this.allocators.length);
      return { type, sizeClass, differs, ...sums, readableBytes: 0, fixedBytes: 0, reservoir };
    });
    stratum.files += 1;
    stratum.logicalBytes += file.bytes;
    stratum.holeBytes += file.holeBytes ?? 0;
    stratum.fixedBytes += this.#allocator.ofObjects(file.bytes);
    const uncompressed = this.allocators.map((allocator) => allocator.ofUncompressed(file.bytes, file.data));
    addEach(stratum.uncompressedBytes, uncompressed);
    const unpadded = this.allocators.map((allocator) => allocator.ofUnpadded(file.bytes, file.data));
    addEach(stratum.unpaddedBytes, unpadded);
    const bytes = dataBytes(file);
    stratum.readableBytes += bytes;
    if (bytes > 0) stratum.reservoir.add(file, rawFileBytes(this.#allocator, file));
  }

  get all(): readonly Stratum[] {
    return [...this.#strata.values()];
  }
}

/** Weight of some strata by which records are drawn from them. */
export const weightOf = (strata: readonly Stratum[]): number =>
  strata.reduce((sum, { reservoir }) => sum + reservoir.total, 0);

/** Uncompressed allocation of a file's block, with its share of the file's indirect blocks. */
export function rawBlockBytes(allocator: FileLayout, fileBytes: number): number {
  const { blockBytes } = blocksOf(fileBytes, allocator.geometry);
  return allocator.ofRaw(blockBytes) + pointerBytes(allocator, fileBytes);
}

/** Average allocation of a block's pointer in the file's indirect blocks. */
export function pointerBytes(allocator: FileLayout, fileBytes: number): number {
  const { count } = blocksOf(fileBytes, allocator.geometry);
  return count <= 1 ? 0 : allocator.ofFullPointers(fileBytes) / count;
}

export function dataBlocks({ bytes, data }: Found, allocator: FileLayout): number {
  const { count, blockBytes } = blocksOf(bytes, allocator.geometry);
  return data === undefined ? count : runsOf(data, blockBytes).reduce((sum, run) => sum + run.count, 0);
}

const rawFileBytes = (allocator: FileLayout, file: Found): number =>
  dataBlocks(file, allocator) * rawBlockBytes(allocator, file.bytes);

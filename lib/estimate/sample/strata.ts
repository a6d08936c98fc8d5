import { entryOf } from '../../common/collections';
import { endOfSizeClass, SIZE_CLASSES, sizeClassOf, Types } from '../classes';
import { blocksOf, type FileLayout } from '../measure/geometry';
import { addEach, emptyTally, type Tally } from '../result';
import type { Found } from '../source/survey';
import { dataBytes, runsOf } from '../source/walk';
import { Reservoir } from './reservoir';

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
  /** Bytes outside holes. */
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

/** Blocks of a file that hold data. */
export function dataBlocks({ bytes, data }: Found, allocator: FileLayout): number {
  const { count, blockBytes } = blocksOf(bytes, allocator.geometry);
  return data === undefined ? count : runsOf(data, blockBytes).reduce((sum, run) => sum + run.count, 0);
}

const rawFileBytes = (allocator: FileLayout, file: Found): number =>
  dataBlocks(file, allocator) * rawBlockBytes(allocator, file.bytes);

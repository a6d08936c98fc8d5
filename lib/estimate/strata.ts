import { endOfSizeClass, SIZE_CLASSES, sizeClassOf, Types } from './classes';
import type { Found } from './found';
import { type Allocator, blocksOf } from './geometry';
import { Reservoir } from './reservoir';

/** Points that are kept of a stratum: many of the first, and as memory fills fewer of later ones. */
const SLOTS: readonly (readonly [strata: number, slots: number])[] = [
  [16, 4096],
  [64, 1024],
  [Number.POSITIVE_INFINITY, 128],
];

/** Files of one type and size class. */
export interface Stratum {
  readonly type: string;
  readonly sizeClass: string;
  /** Whether larger records than the smallest can change what its files take. */
  readonly differs: boolean;
  files: number;
  logicalBytes: number;
  /** Of them, those outside of files that are one hole. */
  readableBytes: number;
  /** What the files take whatever is in them. */
  fixedBytes: number;
  /** What the files would take uncompressed, `fixedBytes` apart: the measure that records are drawn by. */
  readonly reservoir: Reservoir<Found>;
}

/** Sorts files into strata as they are found, in bounded memory. */
export class Strata {
  readonly #strata = new Map<string, Stratum>();
  readonly #types = new Types();

  constructor(
    readonly allocator: Allocator,
    readonly random: () => number,
  ) {}

  add(file: Found): void {
    const type = this.#types.of(file.path);
    const index = sizeClassOf(file.bytes);
    const sizeClass = SIZE_CLASSES[index] as string;
    const key = `${sizeClass}/${type}`;
    let stratum = this.#strata.get(key);
    if (stratum === undefined) {
      const [, slots] = SLOTS.find(([most]) => this.#strata.size < most) as readonly [number, number];
      const differs = endOfSizeClass(index) > this.allocator.geometry.recordBytes;
      const reservoir = new Reservoir<Found>(slots, this.random);
      stratum = { type, sizeClass, differs, files: 0, logicalBytes: 0, readableBytes: 0, fixedBytes: 0, reservoir };
      this.#strata.set(key, stratum);
    }
    stratum.files += 1;
    stratum.logicalBytes += file.bytes;
    stratum.fixedBytes += this.allocator.ofObjects(file.bytes);
    if (file.hole) return;
    stratum.readableBytes += file.bytes;
    if (file.bytes > 0) stratum.reservoir.add(file, rawFileBytes(this.allocator, file.bytes));
  }

  get all(): readonly Stratum[] {
    return [...this.#strata.values()];
  }
}

/** What a block of a file takes uncompressed, with its share of the file's indirect blocks. */
export function rawBlockBytes(allocator: Allocator, fileBytes: number): number {
  const { blockBytes } = blocksOf(fileBytes, allocator.geometry.recordBytes);
  return allocator.ofRaw(blockBytes) + pointerBytes(allocator, fileBytes);
}

/** What the pointer to a block takes in the file's indirect blocks, on average. */
export function pointerBytes(allocator: Allocator, fileBytes: number): number {
  const { count } = blocksOf(fileBytes, allocator.geometry.recordBytes);
  return count <= 1 ? 0 : allocator.ofFullPointers(fileBytes) / count;
}

function rawFileBytes(allocator: Allocator, fileBytes: number): number {
  return blocksOf(fileBytes, allocator.geometry.recordBytes).count * rawBlockBytes(allocator, fileBytes);
}

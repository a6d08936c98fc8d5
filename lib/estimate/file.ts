import { type Allocator, blocksOf, POINTERS_PER_INDIRECT } from './geometry';
import type { Measured, Piece } from './measure';

/** Bytes that a thread measures at a time; a multiple of every record size that it is used with. */
const PIECE_BYTES = 16 * 2 ** 20;

/**
 * The length of pieces: never across two first-level indirect blocks, so that pointers can be counted for each.
 */
export function pieceBytes(recordSizes: readonly number[]): number {
  const span = Math.min(...recordSizes) * POINTERS_PER_INDIRECT;
  return Math.max(Math.min(PIECE_BYTES, span), ...recordSizes);
}

/** A file that is being measured, piece by piece. */
export class FileInWork {
  readonly #allocators: readonly Allocator[];
  readonly #sums: { blocks: number; readonly pointers: Map<number, number> }[];
  #next = 0;
  #open = 0;
  /** Why it cannot be measured. */
  failure: string | undefined;

  constructor(
    readonly path: string,
    readonly bytes: number,
    allocators: readonly Allocator[],
    hole = false,
  ) {
    if (hole) this.#next = bytes;
    this.#allocators = allocators;
    this.#sums = allocators.map(() => ({ blocks: 0, pointers: new Map<number, number>() }));
  }

  /** The next piece, or `undefined` when all are given out. */
  nextPiece(length: number): Piece | undefined {
    if (this.allGiven) return undefined;
    const offset = this.#next;
    this.#next += Math.min(length, this.bytes - offset);
    this.#open += 1;
    return { path: this.path, fileBytes: this.bytes, offset, length: this.#next - offset };
  }

  get allGiven(): boolean {
    return this.failure !== undefined || this.#next >= this.bytes;
  }

  get done(): boolean {
    return this.allGiven && this.#open === 0;
  }

  add(offset: number, outcome: readonly Measured[] | string): void {
    this.#open -= 1;
    if (typeof outcome === 'string') {
      this.failure ??= outcome;
      return;
    }
    outcome.forEach(({ allocatedBytes, pointers }, index) => {
      const sum = this.#sums[index] as { blocks: number; pointers: Map<number, number> };
      const { recordBytes } = (this.#allocators[index] as Allocator).geometry;
      sum.blocks += allocatedBytes;
      if (pointers === 0) return;
      const indirect = Math.floor(offset / recordBytes / POINTERS_PER_INDIRECT);
      sum.pointers.set(indirect, (sum.pointers.get(indirect) ?? 0) + pointers);
    });
  }

  /** What `du` would report, in each geometry. */
  allocated(): number[] {
    return this.#allocators.map((allocator, index) => {
      const sum = this.#sums[index] as { blocks: number; pointers: Map<number, number> };
      const { count } = blocksOf(this.bytes, allocator.geometry.recordBytes);
      return allocator.ofFile(sum.blocks, [...sum.pointers.values()], count);
    });
  }
}

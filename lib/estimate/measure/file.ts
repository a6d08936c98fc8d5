import type { Space } from '../result';
import { stretchBytes } from '../sample/draws';
import { dataBytes, type Extent } from '../source/walk';
import { Further } from './further';
import { type FileLayout, POINTERS_PER_INDIRECT } from './geometry';
import type { Piece, PieceFigures } from './measure';

/** Bytes that a thread measures at a time; a multiple of every record size. */
const PIECE_BYTES = 16 * 2 ** 20;

/** The length of pieces: never across two first-level indirect blocks, to count each block's pointers. */
export function pieceBytes(recordSizes: readonly number[]): number {
  const span = Math.min(...recordSizes) * POINTERS_PER_INDIRECT;
  return Math.max(Math.min(PIECE_BYTES, span), ...recordSizes);
}

/** A file being measured piece by piece. */
export class FileInWork {
  readonly #allocators: readonly FileLayout[];
  readonly #sums: { blocks: number; readonly pointers: Map<number, number> }[];
  readonly #stretch: number;
  /** Measured and skipped stretches for all geometries but the first; without it everything is measured. */
  readonly further: Further | undefined;
  readonly #length: number;
  #next = 0;
  #open = 0;
  /** Why it cannot be measured. */
  failure: string | undefined;

  constructor(
    readonly path: string,
    readonly bytes: number,
    allocators: readonly FileLayout[],
    /** Extents with data: the rest is not read. @default - the whole file */
    readonly data?: readonly Extent[],
    /** The number of stretches that the next one represents. @default - all are measured in every geometry */
    readonly weightOf?: (bytes: number) => number,
    readonly holeBytes = 0,
  ) {
    this.#length = pieceBytes(allocators.map(({ geometry }) => geometry.recordBytes));
    this.#skipHoles();
    this.further = weightOf && new Further(allocators.length);
    this.#stretch = stretchBytes(allocators.map(({ geometry }) => geometry.recordBytes));
    this.#allocators = allocators;
    this.#sums = allocators.map(() => ({ blocks: 0, pointers: new Map<number, number>() }));
  }

  /** The next piece, or `undefined` if all have been handed out. */
  nextPiece(): Piece | undefined {
    if (this.allGiven) return undefined;
    const offset = this.#next;
    const length = Math.min(this.#length, this.bytes - offset);
    this.#next += length;
    this.#skipHoles();
    this.#open += 1;
    const piece = { path: this.path, fileBytes: this.bytes, offset, length };
    return this.weightOf === undefined ? piece : { ...piece, weights: this.#weights(piece.length, this.weightOf) };
  }

  #weights(length: number, weightOf: (bytes: number) => number): number[] {
    const count = Math.ceil(length / this.#stretch);
    return Array.from({ length: count }, (_, at) => weightOf(Math.min(this.#stretch, length - at * this.#stretch)));
  }

  /** Goes on to the next piece that has data. */
  #skipHoles(): void {
    if (this.data === undefined) return;
    const next = this.data.find(([, until]) => until > this.#next);
    this.#next =
      next === undefined ? this.bytes : Math.max(this.#next, Math.floor(next[0] / this.#length) * this.#length);
  }

  /** Bytes that are read. */
  get readableBytes(): number {
    return this.data === undefined ? this.bytes : dataBytes(this.data);
  }

  get allGiven(): boolean {
    return this.failure !== undefined || this.#next >= this.bytes;
  }

  get done(): boolean {
    return this.allGiven && this.#open === 0;
  }

  add({ offset, length, weights }: Piece, outcome: readonly PieceFigures[] | string): void {
    this.#open -= 1;
    if (typeof outcome === 'string') {
      this.failure ??= outcome;
      return;
    }
    outcome.forEach(({ allocatedBytes, pointers }, index) => {
      const sum = this.#sums[index] as { blocks: number; pointers: Map<number, number> };
      const { recordBytes } = (this.#allocators[index] as FileLayout).geometry;
      sum.blocks += allocatedBytes;
      if (pointers === 0) return;
      const indirect = Math.floor(offset / recordBytes / POINTERS_PER_INDIRECT);
      sum.pointers.set(indirect, (sum.pointers.get(indirect) ?? 0) + pointers);
    });
    if (weights === undefined || this.further === undefined) return;
    const { further } = this;
    const drawn = outcome.map((measured) => measured.drawn ?? []);
    further.add(weights, drawn);
    further.openBytes += (outcome[0]?.allocatedBytes ?? 0) - (drawn[0] ?? []).reduce((sum, bytes) => sum + bytes, 0);
    weights.forEach((weight, at) => {
      if (weight === 0) further.openLogicalBytes += Math.min(this.#stretch, length - at * this.#stretch);
    });
  }

  /** Space that `du` would report in each geometry; compressed, without the skipped stretches. */
  space(): Space {
    return {
      allocatedBytes: this.#allocators.map((allocator, index) => {
        const sum = this.#sums[index] as { blocks: number; pointers: Map<number, number> };
        return allocator.ofFile(this.bytes, sum.blocks, [...sum.pointers.values()]);
      }),
      uncompressedBytes: this.#allocators.map((allocator) => allocator.ofUncompressed(this.bytes, this.data)),
      unpaddedBytes: this.#allocators.map((allocator) => allocator.ofUnpadded(this.bytes, this.data)),
    };
  }
}
